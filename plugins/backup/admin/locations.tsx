import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { formatBytes, formatNumber, formatTime } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { SettingsForm } from 'pentad/admin/settings/settings-form.tsx'
import { useState } from 'react'
import { LocationTest, useLocationTest } from './location-test.tsx'
import type { Location, LocationList } from './types.ts'
import { useBackupSettings } from './use-backup-settings.ts'

/** What the built-in locations are. */
const ABOUT: Readonly<Record<string, string>> = {
  local: __('A folder on this server. If the server fails, you lose these backups too.', 'pentad'),
  googleDrive: __('Your Google account.', 'pentad'),
  webdav: __('For example, Nextcloud, ownCloud, or online storage from your hosting provider.', 'pentad'),
  s3: __('Amazon S3 and compatible services, such as Backblaze B2, Cloudflare R2, and MinIO.', 'pentad'),
  sftp: __('Another server that you can access with SSH.', 'pentad'),
}

/** What `local` is on a site with a bucket. */
const BUCKET = __('The bucket of this site. If you lose the bucket, you lose these backups too.', 'pentad')

export default function Locations() {
  const locations = useRead<LocationList>('backup/v1/backup/locations')
  return (
    <Page
      isForm
      title={__('Locations', 'pentad')}
      description={__(
        'Where backup archives are stored. If a location can’t be reached, the backup is stored in the first one and you are notified.',
        'pentad',
      )}
    >
      <Loaded query={locations} lines={8}>
        {({ items, usesBucket }) => (
          <Stack>
            {items.map((location) => (
              <LocationCard key={location.id} location={location} usesBucket={usesBucket} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

function LocationCard({ location, usesBucket }: { location: Location; usesBucket: boolean }) {
  const { title, configured, isDefault, settings, backups, size } = location
  const [isOpen, setOpen] = useState(false)
  const test = useLocationTest(location.id)
  const state = stateOf(location)
  const [alone, ofOne] = isOpen
    ? [__('Close', 'pentad'), __('Close %s', 'pentad')]
    : configured
      ? [__('Edit', 'pentad'), __('Edit %s', 'pentad')]
      : [__('Set up', 'pentad'), __('Set up %s', 'pentad')]
  return (
    <Section
      title={title}
      description={
        <>
          {location.id === 'local' && usesBucket ? BUCKET : ABOUT[location.id]}
          <Group gap="xs" mt={4}>
            <Badge variant="light" color={state.color}>
              {state.label}
            </Badge>
            {location.lastTest && (
              <Text span size="sm">
                {sprintf(__('Tested: %s', 'pentad'), formatTime(location.lastTest.date))}
              </Text>
            )}
            {isDefault && <Badge variant="light">{__('Default', 'pentad')}</Badge>}
            {backups > 0 && (
              <Text span size="sm">
                {sprintf(
                  _n('%1$s backup, %2$s', '%1$s backups, %2$s', backups, 'pentad'),
                  formatNumber(backups),
                  formatBytes(size),
                )}
              </Text>
            )}
          </Group>
        </>
      }
      actions={
        settings.length > 0 && (
          <Button
            size="xs"
            variant="default"
            onClick={() => setOpen(!isOpen)}
            aria-expanded={isOpen}
            aria-label={sprintf(ofOne, title)}
          >
            {alone}
          </Button>
        )
      }
    >
      {isOpen && <LocationForm location={location} onSaved={test.run} />}
      {(configured || isOpen) && <LocationTest location={location} test={test} />}
    </Section>
  )
}

/** What is known about the connection with the current settings. */
function stateOf({ id, configured, lastTest }: Location): { readonly color: string; readonly label: string } {
  if (!configured) return { color: 'gray', label: __('Not configured', 'pentad') }
  if (lastTest?.error) return { color: 'red', label: __('Connection failed', 'pentad') }
  if (lastTest) return { color: 'teal', label: __('Connected', 'pentad') }
  // Needs no settings.
  if (id === 'local') return { color: 'teal', label: __('Configured', 'pentad') }
  return { color: 'yellow', label: __('Not tested', 'pentad') }
}

/** The settings of a location; tested once they are saved. */
function LocationForm({ location, onSaved }: { location: Location; onSaved: () => Promise<unknown> }) {
  const { title, settings } = location
  const draft = useBackupSettings()
  async function save(): Promise<boolean> {
    const isSaved = await draft.save()
    if (isSaved) await onSaved()
    return isSaved
  }
  return (
    <SettingsForm
      draft={{ ...draft, save }}
      groups={[{ title: sprintf(__('Connection settings: %s', 'pentad'), title), keys: settings }]}
    />
  )
}
