import type { Responses } from '../../../api/responses.ts'
import { __, _n, sprintf } from '../../../i18n.ts'
import { formatTime } from '../../../parts/format.ts'

export const WEBHOOKS = 'host/v1/webhooks'

export type Webhook = Responses['GET /host/v1/webhooks/{id}']
export type SecretWebhook = Responses['POST /host/v1/webhooks']

/** What an endpoint has received so far, as a sentence. */
export function stateOf({ pending, failures, nextAttempt, disabledReason }: Webhook): string {
  if (disabledReason === 'gone') return __('Disabled: the receiver asked to receive no more messages (410).', 'pentad')
  if (disabledReason === 'failing') return __('Disabled: all retries within 75 hours failed.', 'pentad')
  if (pending === 0) return __('Up to date', 'pentad')
  const behind = sprintf(_n('%d event behind', '%d events behind', pending, 'pentad'), pending)
  if (failures === 0 || nextAttempt === null) return behind
  return sprintf(__('%1$s, next retry %2$s', 'pentad'), behind, formatTime(nextAttempt))
}
