import { Badge, Button, Code, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../../api/query.ts'
import { change } from '../../../api/rest.ts'
import { __, sprintf } from '../../../i18n.ts'
import { confirm, confirmDelete } from '../../../parts/confirm.tsx'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { Section } from '../../../parts/section.tsx'
import { type SecretWebhook, stateOf, WEBHOOKS, type Webhook } from './webhook.ts'
import { WebhookDeliveries } from './webhook-deliveries.tsx'

/** One endpoint: its state, its public key, its deliveries, and what an owner can do with it. */
export function WebhookItem({ webhook, onSecret }: { webhook: Webhook; onSecret: (webhook: SecretWebhook) => void }) {
  const { id, url, enabled, failures, publicKey } = webhook
  const [isOpen, setIsOpen] = useState(false)
  const route = `${WEBHOOKS}/${id}`
  const invalidates = [WEBHOOKS]
  const test = useChange(() => change<{ status: number | null; error: string }>('POST', `${route}/test`), {
    invalidates,
    done: ({ status, error }) => error || sprintf(__('The receiver responded with %d.', 'pentad'), status ?? 0),
  })
  const enable = useChange(() => change('PUT', route, { enabled: !enabled }), { invalidates })
  const rotate = useChange(() => change<SecretWebhook>('POST', `${route}/rotate-secret`), { invalidates })
  const remove = useChange(() => change('DELETE', route), { invalidates, done: __('Webhook deleted.', 'pentad') })

  async function askAndRotate(): Promise<void> {
    const isSure = await confirm({
      title: __('Rotate the secret?', 'pentad'),
      body: __(
        'For 24 hours, messages are signed with both secrets. Enter the new one in the receiving service.',
        'pentad',
      ),
      confirm: __('Rotate secret', 'pentad'),
    })
    if (isSure) rotate.mutate(undefined, { onSuccess: onSecret })
  }
  async function askAndDelete(): Promise<void> {
    if (await confirmDelete(url)) remove.mutate()
  }
  return (
    <Section
      title={url}
      description={stateOf(webhook)}
      actions={
        <Badge color={enabled ? (failures > 0 ? 'yellow' : 'teal') : 'gray'}>
          {enabled ? __('Enabled', 'pentad') : __('Disabled', 'pentad')}
        </Badge>
      }
    >
      {publicKey !== '' && (
        <Group gap="xs">
          <Text size="sm">{__('Public key', 'pentad')}</Text>
          <Code style={{ overflowWrap: 'anywhere' }}>{publicKey}</Code>
          <CopyButton value={publicKey} />
        </Group>
      )}
      <Group gap="xs">
        <Button size="compact-sm" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {__('Send test event', 'pentad')}
        </Button>
        <Button size="compact-sm" variant="default" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? __('Hide deliveries', 'pentad') : __('Show deliveries', 'pentad')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={askAndRotate}>
          {__('Rotate secret', 'pentad')}
        </Button>
        <Button size="compact-sm" variant="default" loading={enable.isPending} onClick={() => enable.mutate()}>
          {enabled ? __('Disable', 'pentad') : __('Enable', 'pentad')}
        </Button>
        <Button size="compact-sm" variant="light" color="red" onClick={askAndDelete}>
          {__('Delete', 'pentad')}
        </Button>
      </Group>
      {isOpen && <WebhookDeliveries route={route} />}
    </Section>
  )
}
