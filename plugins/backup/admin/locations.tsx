import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { formatBytes, formatNumber } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { SettingsForm } from 'pentad/admin/settings/settings-form.tsx'
import { useState } from 'react'
import { LocationTest } from './location-test.tsx'
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
            <Badge variant="light" color={configured ? 'teal' : 'gray'}>
              {configured ? __('Configured', 'pentad') : __('Not configured', 'pentad')}
            </Badge>
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
      {isOpen && <LocationForm location={location} />}
      {(configured || isOpen) && <LocationTest location={location} />}
    </Section>
  )
}

function LocationForm({ location: { title, settings } }: { location: Location }) {
  const draft = useBackupSettings()
  return (
    <SettingsForm
      draft={draft}
      groups={[{ title: sprintf(__('Connection settings: %s', 'pentad'), title), keys: settings }]}
    />
  )
}
