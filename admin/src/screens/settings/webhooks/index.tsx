import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange, useRead } from '../../../api/query.ts'
import { change } from '../../../api/rest.ts'
import { __ } from '../../../i18n.ts'
import { CopyButton } from '../../../parts/copy-button.tsx'
import { EmptyState } from '../../../parts/empty-state.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Page } from '../../../parts/page.tsx'
import { Section } from '../../../parts/section.tsx'
import { type SecretWebhook, WEBHOOKS, type Webhook } from './webhook.ts'
import { WebhookItem } from './webhook-item.tsx'

/** Poll interval in ms: deliveries happen in the background. */
const EVERY = 5000

/** Endpoints that receive purges as signed webhooks. */
export default function Webhooks() {
  const list = useRead<{ readonly items: readonly Webhook[] }>(WEBHOOKS, undefined, { every: EVERY })
  const [url, setUrl] = useState('')
  const [secret, setSecret] = useState<SecretWebhook>()
  const create = useChange(() => change<SecretWebhook>('POST', WEBHOOKS, { url: url.trim() }), {
    invalidates: [WEBHOOKS],
    done: __('Webhook added.', 'pentad'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, {
      onSuccess(webhook) {
        setSecret(webhook)
        setUrl('')
      },
    })
  }
  return (
    <Page
      title={__('Webhooks', 'pentad')}
      description={__(
        'Notify caches and other services of outdated pages. Messages are signed according to Standard Webhooks.',
        'pentad',
      )}
    >
      <Stack maw={760}>
        {secret && <Secret webhook={secret} />}
        <Section title={__('Add webhook', 'pentad')}>
          <form onSubmit={submit}>
            <Group align="flex-end">
              <TextInput
                label={__('URL', 'pentad')}
                description={__('A public HTTPS URL.', 'pentad')}
                type="url"
                required
                maxLength={2000}
                flex="1 1 16rem"
                value={url}
                onChange={({ currentTarget: { value } }) => setUrl(value)}
              />
              <Button type="submit" loading={create.isPending} disabled={url.trim() === ''}>
                {__('Add webhook', 'pentad')}
              </Button>
            </Group>
          </form>
        </Section>
        <Loaded query={list}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={__('No webhooks yet', 'pentad')} />
            ) : (
              items.map((webhook) => <WebhookItem key={webhook.id} webhook={webhook} onSecret={setSecret} />)
            )
          }
        </Loaded>
      </Stack>
    </Page>
  )
}

/** The secret of a new endpoint, or after a rotation: it cannot be requested again. */
function Secret({ webhook }: { webhook: SecretWebhook }) {
  return (
    <Alert color="teal" title={__('Webhook secret', 'pentad')}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{webhook.url}</Text>
        <Code fz="md" style={{ overflowWrap: 'anywhere' }} data-testid="webhook-secret">
          {webhook.secret}
        </Code>
        <CopyButton value={webhook.secret} />
        <Text size="sm">{__('Enter it in the receiving service. You won’t be able to see it again.', 'pentad')}</Text>
      </Stack>
    </Alert>
  )
}
