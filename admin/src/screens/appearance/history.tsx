import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { __, sprintf } from '../../i18n.ts'
import { formatTime } from '../../parts/format.ts'
import { notifyFailed } from '../../parts/notify.ts'
import type { SettingsDraft } from '../../settings/use-settings.ts'
import type { Choices } from './types.ts'

interface HistoryProps {
  readonly draft: SettingsDraft
  readonly revisions: Choices['revisions']
}

/** Earlier settings, the defaults, and files; all of them are loaded as unsaved changes. */
export function History({ draft, revisions }: HistoryProps) {
  const { schema = {}, values } = draft
  const known = (settings: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => key in schema))
  const defaults = Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, field.default]))

  async function load(file: File | null): Promise<void> {
    if (!file) return
    try {
      const settings: unknown = JSON.parse(await file.text())
      if (settings === null || typeof settings !== 'object' || Array.isArray(settings)) throw new TypeError()
      draft.set(known({ ...settings }))
    } catch {
      notifyFailed(new Error(__('This file does not contain appearance settings.', 'pentad')))
    }
  }

  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => draft.set(defaults)}>
          {__('Reset to defaults', 'pentad')}
        </Button>
        <Button
          variant="default"
          size="xs"
          component="a"
          download="appearance.json"
          href={`data:application/json,${encodeURIComponent(JSON.stringify(known(values), null, 2))}`}
        >
          {__('Export settings', 'pentad')}
        </Button>
        <FileButton accept="application/json,.json" onChange={load}>
          {(props) => (
            <Button variant="default" size="xs" {...props}>
              {__('Import settings', 'pentad')}
            </Button>
          )}
        </FileButton>
      </Group>
      {revisions.length === 0 ? (
        <Text size="sm" c="dimmed">
          {__('Earlier settings are listed here after you save changes.', 'pentad')}
        </Text>
      ) : (
        <Stack component="ul" gap={6} p={0} m={0} style={{ listStyle: 'none' }}>
          {revisions.map(({ replacedAt, replacedBy, settings }) => {
            const date = formatTime(replacedAt)
            return (
              <Group component="li" key={replacedAt} justify="space-between" wrap="nowrap">
                <Text size="sm">
                  {replacedBy
                    ? sprintf(__('In use until %1$s, when %2$s changed them', 'pentad'), date, replacedBy)
                    : sprintf(__('In use until %s', 'pentad'), date)}
                </Text>
                <Button
                  variant="subtle"
                  size="xs"
                  flex="none"
                  aria-label={sprintf(__('Restore the settings in use until %s', 'pentad'), date)}
                  onClick={() => draft.set(known(settings))}
                >
                  {__('Restore', 'pentad')}
                </Button>
              </Group>
            )
          })}
        </Stack>
      )}
    </Stack>
  )
}
