import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { invalidate, queryClient, useChange } from 'pentad/admin/api/query.ts'
import { change, read } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { useSettingValues } from 'pentad/admin/settings/use-settings.ts'
import type { Location, LocationList } from './types.ts'

/** A host key fingerprint in OpenSSH's notation. */
const FINGERPRINT = /SHA256:[A-Za-z0-9+/]{43}/
const LOCATIONS = 'backup/v1/backup/locations'

/** The connection test of a location. */
export interface LocationTesting {
  readonly isPending: boolean
  readonly isSuccess: boolean
  readonly error: Error | null
  /** Tests the stored settings, unless required ones are missing. */
  run(): Promise<unknown>
}

export function useLocationTest(id: string): LocationTesting {
  const { isPending, data, error, mutateAsync } = useChange(
    // The list has the result, also of a test that failed.
    () => testIfConfigured(id).finally(() => invalidate(queryClient, [LOCATIONS])),
    { quiet: true },
  )
  // The error is shown.
  const run = () => mutateAsync().catch(() => false)
  return { isPending, isSuccess: data === true, error, run }
}

/** @returns whether it was tested: not if required settings are missing */
async function testIfConfigured(id: string): Promise<boolean> {
  const { items } = await read<LocationList>(LOCATIONS)
  if (!items.some((item) => item.id === id && item.configured)) return false
  await change('POST', 'backup/v1/backup/test', { location: id })
  return true
}

/** Tests the stored settings of a location, and makes it the default. */
export function LocationTest({ location, test }: { location: Location; test: LocationTesting }) {
  const { id, title, configured, isDefault, lastTest } = location
  const { sftpHostFingerprint = '' } = useSettingValues('backup')
  const save = useChange((settings: Record<string, string>) => change('PUT', 'backup/v1/settings', { settings }), {
    invalidates: ['backup/v1/backup', 'page-data'],
    done: __('Settings saved.', 'pentad'),
  })
  const error = test.isPending ? null : (test.error ?? (lastTest?.error ? new Error(lastTest.error) : null))
  const presented = FINGERPRINT.exec(error?.message ?? '')?.[0]
  return (
    <Stack gap="xs" aria-live="polite">
      <Group gap="xs">
        {configured && (
          <Button
            size="xs"
            variant="default"
            loading={test.isPending}
            onClick={() => void test.run()}
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
      {error && <ErrorNote error={error} title={__('Connection failed', 'pentad')} />}
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
            onClick={() => save.mutate({ sftpHostFingerprint: presented }, { onSuccess: () => test.run() })}
          >
            {__('Trust this fingerprint', 'pentad')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
