import { Alert, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { messageOf } from 'pentad/admin/api/error.ts'
import { invalidate, queryClient, useChange } from 'pentad/admin/api/query.ts'
import type { Responses } from 'pentad/admin/api/responses.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { confirm } from 'pentad/admin/parts/confirm.tsx'
import { InstallNote } from 'pentad/admin/parts/install-note.tsx'
import { useLeaveGuard } from 'pentad/admin/parts/leave-guard.ts'
import { SettingField } from 'pentad/admin/settings/setting-field.tsx'
import { useSettings } from 'pentad/admin/settings/use-settings.ts'
import { type FormEvent, useId } from 'react'
import type { Provider, ProviderId } from './routes.ts'

const KEYS: Readonly<Record<ProviderId, readonly string[]>> = {
  openai: ['openaiApiKey'],
  anthropic: ['anthropicApiKey'],
  google: ['googleApiKey'],
  compatible: ['compatibleBaseUrl', 'compatibleApiKey'],
}

const HINTS: Readonly<Record<ProviderId, string>> = {
  openai: __('Text, images, and embeddings.', 'pentad'),
  anthropic: __('Text.', 'pentad'),
  google: __('Text, images, and embeddings.', 'pentad'),
  compatible: __(
    'Your own OpenAI-compatible server, such as Ollama, LM Studio, or vLLM. Enter its URL, and an API key if it requires one.',
    'pentad',
  ),
}

type Tested = Responses['POST /ai/v1/providers/{provider}/test']

/** A provider: its key, which is never shown, and a connection test. */
export function ProviderCard({ provider: { id, name, connected, install, models } }: { provider: Provider }) {
  const draft = useSettings('ai')
  const heading = useId()
  useLeaveGuard(draft.changed.length > 0)
  const test = useChange(() => change<Tested>('POST', `ai/v1/providers/${id}/test`), {
    quiet: true,
    invalidates: ['ai/v1/usage'],
  })

  async function save(event?: FormEvent): Promise<void> {
    event?.preventDefault()
    test.reset()
    if (await draft.save()) await invalidate(queryClient, ['ai/v1/providers', 'ai/v1/image-capability'])
  }
  async function disconnect(): Promise<void> {
    const isSure = await confirm({
      title: sprintf(__('Disconnect %s?', 'pentad'), name),
      body: __(
        'Its API key will be deleted from this site. Features that use this provider will stop working.',
        'pentad',
      ),
      confirm: __('Disconnect', 'pentad'),
      isDestructive: true,
    })
    if (!isSure) return
    await change('PUT', 'ai/v1/settings', { settings: Object.fromEntries(KEYS[id].map((key) => [key, ''])) })
    draft.discard()
    test.reset()
    await invalidate(queryClient, ['ai/v1/', 'page-data'])
  }

  return (
    <Paper withBorder p="md" component="section" aria-labelledby={heading}>
      <form onSubmit={(event) => void save(event)} noValidate>
        <Stack gap="sm">
          <Group justify="space-between">
            <Title order={2} size="h3" id={heading}>
              {name}
            </Title>
            <State isConfigured={connected} test={test} />
          </Group>
          <Text size="sm" c="dimmed">
            {HINTS[id]}
          </Text>
          {draft.schema &&
            KEYS[id].map((key) => {
              const schema = draft.schema?.[key]
              return (
                schema && (
                  <SettingField
                    key={key}
                    name={key}
                    schema={schema}
                    value={draft.values[key]}
                    error={draft.fieldErrors[key]}
                    onChange={(value) => draft.set({ [key]: value })}
                  />
                )
              )
            })}
          {install && <InstallNote command={install} />}
          {connected && (
            <Text size="xs" c="dimmed">
              {sprintf(
                __('Models: %s', 'pentad'),
                Object.values(models)
                  .flatMap(({ model }) => model ?? [])
                  .join(', '),
              )}
            </Text>
          )}
          <Group gap="xs">
            <Button
              type="submit"
              size="sm"
              loading={draft.isSaving}
              disabled={draft.changed.length === 0}
              aria-label={sprintf(__('Save %s', 'pentad'), name)}
            >
              {__('Save', 'pentad')}
            </Button>
            {connected && (
              <>
                <Button
                  size="sm"
                  variant="default"
                  loading={test.isPending}
                  disabled={draft.changed.length > 0}
                  onClick={() => test.mutate()}
                  aria-label={sprintf(__('Test connection: %s', 'pentad'), name)}
                >
                  {__('Test connection', 'pentad')}
                </Button>
                <Button
                  size="sm"
                  variant="subtle"
                  color="red"
                  onClick={() => void disconnect()}
                  aria-label={sprintf(__('Disconnect %s', 'pentad'), name)}
                >
                  {__('Disconnect', 'pentad')}
                </Button>
              </>
            )}
          </Group>
        </Stack>
        <div aria-live="polite">
          {test.data && (
            <Alert color="teal" variant="light" mt="sm">
              <Text size="sm" c="bright">
                {sprintf(
                  __('Connection successful. %1$s responded using %2$d tokens.', 'pentad'),
                  test.data.model,
                  test.data.usage.inputTokens + test.data.usage.outputTokens,
                )}
              </Text>
            </Alert>
          )}
          {test.error && (
            <Alert color="red" variant="light" mt="sm" title={__('Connection failed', 'pentad')}>
              <Text size="sm" c="bright">
                {messageOf(test.error)}
              </Text>
            </Alert>
          )}
        </div>
      </form>
    </Paper>
  )
}

/** A stored key may be wrong: only a test shows that it works. */
function State({ isConfigured, test }: { isConfigured: boolean; test: { isSuccess: boolean; isError: boolean } }) {
  const [color, label] = !isConfigured
    ? ['gray', __('Not connected', 'pentad')]
    : test.isSuccess
      ? ['teal', __('Connected', 'pentad')]
      : test.isError
        ? ['red', __('Test failed', 'pentad')]
        : ['blue', __('Not tested', 'pentad')]
  return (
    <Badge variant="dot" color={color}>
      {label}
    </Badge>
  )
}
