import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useChange } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { useSettingValues } from 'pentad/admin/settings/use-settings.ts'
import type { Location } from './types.ts'

/** A host key fingerprint in OpenSSH's notation. */
const FINGERPRINT = /SHA256:[A-Za-z0-9+/]{43}/

/** Tests the stored settings of a location, and makes it the default. */
export function LocationTest({ location: { id, title, configured, isDefault } }: { location: Location }) {
  const test = useChange(() => change('POST', 'backup/v1/backup/test', { location: id }), { quiet: true })
  const { sftpHostFingerprint = '' } = useSettingValues('backup')
  const save = useChange((settings: Record<string, string>) => change('PUT', 'backup/v1/settings', { settings }), {
    invalidates: ['backup/v1/backup', 'page-data'],
    done: __('Settings saved.', 'pentad'),
  })
  const presented = FINGERPRINT.exec(test.error?.message ?? '')?.[0]
  return (
    <Stack gap="xs" aria-live="polite">
      <Group gap="xs">
        {configured && (
          <Button
            size="xs"
            variant="default"
            loading={test.isPending}
            onClick={() => test.mutate()}
            aria-label={sprintf(__('Test connection: %s', 'pentad'), title)}
          >
            {__('Test connection', 'pentad')}
          </Button>
        )}
        {configured && !isDefault && (
          <Button
            size="xs"
            variant="default"
            loading={save.isPending}
            onClick={() => save.mutate({ defaultLocation: id })}
            aria-label={sprintf(__('Set as default: %s', 'pentad'), title)}
          >
            {__('Set as default', 'pentad')}
          </Button>
        )}
      </Group>
      {test.isSuccess && (
        <Alert color="teal">{__('Connection successful. A test file was written, read, and deleted.', 'pentad')}</Alert>
      )}
      {test.error && <ErrorNote error={test.error} title={__('Connection failed', 'pentad')} />}
      {id === 'sftp' && presented && sftpHostFingerprint === '' && (
        <Group gap="xs">
          <Text size="sm">
            {sprintf(
              __('The server’s host key fingerprint is %s. Compare it with the one from your provider.', 'pentad'),
              presented,
            )}
          </Text>
          <Button
            size="xs"
            onClick={() => save.mutate({ sftpHostFingerprint: presented }, { onSuccess: () => test.reset() })}
          >
            {__('Trust this fingerprint', 'pentad')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
