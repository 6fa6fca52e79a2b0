import { z } from 'zod'
import { fromGmt } from '../../../core/database/gmt.ts'
import { RestError } from '../../../core/errors.ts'
import { success } from '../../../core/rest/response.ts'
import { paginatedSchema, successSchema } from '../../../core/rest/response-schemas.ts'
import type { Rest } from '../../../core/rest/types.ts'
import { paginated, paginationSchema } from '../../rest/pagination.ts'
import type { ChangeLog } from '../log.ts'
import type { Delivery } from './delivery.ts'
import { urlErrorOf } from './send.ts'
import { deliveryShape, secretWebhookShape, webhookShape } from './shapes.ts'
import { createKeys, publicKeyOf, rotateKeys } from './signatures.ts'
import type { WebhookRow, WebhookStore } from './store.ts'
import type { Attempt, KeyRing, WebhookReport } from './types.ts'

const ITEM = '/webhooks/{id:[\\w-]+}'
const MOST_WEBHOOKS = 20

const url = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .describe('A public HTTPS URL.')
const attemptShape = deliveryShape.pick({ status: true, error: true, durationMs: true })

/** `host/v1/webhooks`: endpoints that receive the change log as signed webhooks, and their deliveries. */
export function registerWebhookRoutes(
  rest: Rest,
  parts: {
    store: WebhookStore
    delivery: Delivery
    changes: Pick<ChangeLog, 'get' | 'newest' | 'countAfter'>
    isLocal: boolean
    now: () => number
    /** Called when an endpoint may have something to deliver. */
    changed: () => void
  },
): void {
  const { store, delivery, changes, isLocal, now, changed } = parts

  async function find(id: string): Promise<WebhookRow> {
    const row = await store.get(id)
    if (row) return row
    throw new RestError('webhook_not_found', 'The webhook does not exist.', { status: 404 })
  }

  function checkUrl(given: string): void {
    const reason = urlErrorOf(new URL(given), isLocal)
    if (reason === undefined) return
    const message = `Webhooks cannot be sent to this URL: ${reason}.`
    throw new RestError('webhook_url_not_allowed', message, { status: 400, params: { url: message } })
  }

  async function report(row: WebhookRow): Promise<WebhookReport> {
    const { id, url, is_enabled, disabled_reason, position, failures, next_attempt_gmt, created_gmt } = row
    return webhookShape.parse({
      ...{ id, url, enabled: is_enabled === 1, disabledReason: disabled_reason, failures },
      pending: await changes.countAfter(position ?? undefined),
      nextAttempt: next_attempt_gmt === null ? null : fromGmt(next_attempt_gmt),
      publicKey: publicKey(row),
      created: fromGmt(created_gmt),
    })
  }

  /** Empty if the keys are those of another site, until they are replaced. */
  function publicKey(row: WebhookRow): string {
    try {
      return publicKeyOf(store.keysOf(row).current)
    } catch {
      return ''
    }
  }

  const withSecret = async (id: string, keys: KeyRing) => ({
    ...(await report(await find(id))),
    secret: keys.current.secret,
  })
  const toResponse = ({ status, error, durationMs }: Attempt) => ({ status, error, durationMs })

  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/webhooks',
    access: 'manage_options',
    summary: 'Lists the endpoints that receive changes as signed webhooks.',
    response: z.object({ items: z.array(webhookShape) }),
    handler: async () => ({ items: await Promise.all((await store.list()).map(report)) }),
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: '/webhooks',
    access: 'manage_options',
    summary: 'Adds an endpoint, which receives all changes from now on. The response contains its secret.',
    input: z.object({ url }),
    response: secretWebhookShape,
    async handler({ input }) {
      checkUrl(input.url)
      if ((await store.list()).length >= MOST_WEBHOOKS) {
        throw new RestError('too_many_webhooks', `A site can have at most ${MOST_WEBHOOKS} webhooks.`, { status: 409 })
      }
      const keys: KeyRing = { current: createKeys() }
      const { id } = await store.add(input.url, keys, (await changes.newest()) ?? null)
      changed()
      return withSecret(id, keys)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: ITEM,
    access: 'manage_options',
    summary: 'Returns an endpoint.',
    input: z.object({ id: z.string() }),
    response: webhookShape,
    handler: async ({ input }) => report(await find(input.id)),
  })
  rest.registerRoute('host/v1', {
    method: 'PUT',
    path: ITEM,
    access: 'manage_options',
    summary: 'Changes the URL of an endpoint, or enables or disables it. Deliveries resume where they left off.',
    input: z.object({ id: z.string(), url: url.optional(), enabled: z.boolean().optional() }),
    response: webhookShape,
    async handler({ input }) {
      const row = await find(input.id)
      const { url = row.url, enabled = row.is_enabled === 1 } = input
      checkUrl(url)
      // A failing endpoint is tried again at once.
      const state = {
        failures: 0,
        next_attempt_gmt: null,
        disabled_reason: enabled ? '' : row.disabled_reason || 'owner',
      }
      await store.update(row.id, { url, is_enabled: enabled ? 1 : 0, ...state })
      changed()
      return report(await find(row.id))
    },
  })
  rest.registerRoute('host/v1', {
    method: 'DELETE',
    path: ITEM,
    access: 'manage_options',
    summary: 'Removes an endpoint.',
    input: z.object({ id: z.string() }),
    response: successSchema(z.object({ id: z.string() })),
    async handler({ input }) {
      const { id } = await find(input.id)
      await store.remove(id)
      return success({ id })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: `${ITEM}/rotate-secret`,
    access: 'manage_options',
    summary:
      'Replaces the secret and the key pair of a webhook. For 24 hours, messages are also signed with the previous secret and key pair.',
    input: z.object({ id: z.string() }),
    response: secretWebhookShape,
    async handler({ input }) {
      const row = await find(input.id)
      const keys = publicKey(row) === '' ? { current: createKeys() } : rotateKeys(store.keysOf(row), now())
      await store.setKeys(row.id, keys)
      return withSecret(row.id, keys)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: `${ITEM}/test`,
    access: 'manage_options',
    summary: 'Sends a test event and returns the response from the receiver.',
    input: z.object({ id: z.string() }),
    response: attemptShape,
    async handler({ input }) {
      const row = await find(input.id)
      const message = { id: `test-${crypto.randomUUID()}`, type: 'pentad.test', data: {} }
      return toResponse(await delivery.attempt(row, message, 'test'))
    },
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: `${ITEM}/deliveries`,
    access: 'manage_options',
    summary: 'Lists attempts to deliver events to an endpoint, newest first.',
    input: paginationSchema.extend({ id: z.string() }),
    response: paginatedSchema(deliveryShape),
    async handler({ input }) {
      const { id } = await find(input.id)
      const { page, perPage } = input
      const { items, total } = await store.deliveries(id, { limit: perPage, offset: (page - 1) * perPage })
      return paginated(items, total, input)
    },
  })
  rest.registerRoute('host/v1', {
    method: 'POST',
    path: `${ITEM}/deliveries/{delivery:\\d+}/redeliver`,
    access: 'manage_options',
    summary: 'Sends the event of a delivery again, with the same ID, and returns the response from the receiver.',
    input: z.object({
      id: z.string(),
      delivery: z
        .int()
        .min(1)
        .max(2 ** 31 - 1),
    }),
    response: attemptShape,
    async handler({ input }) {
      const row = await find(input.id)
      const eventId = await store.eventOf(row.id, input.delivery)
      const change = eventId === undefined ? undefined : await changes.get(eventId)
      if (!change) throw new RestError('event_not_found', 'The event is no longer in the change log.', { status: 404 })
      const { id, type, time: _, ...data } = change
      return toResponse(await delivery.attempt(row, { id, type: `pentad.${type}`, data }, 'manual'))
    },
  })
}
