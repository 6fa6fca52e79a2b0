import { Checkbox, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import type { ReactNode } from 'react'
import { useRead } from '../../api/query.ts'
import { Page } from '../../parts/page.tsx'
import { SettingsForm, type SettingsGroup } from '../../settings/settings-form.tsx'
import type { SettingsDraft } from '../../settings/use-settings.ts'
import { CATEGORY_TEXTS } from './labels.ts'
import { CATEGORIES, type Location } from './types.ts'
import { useBackupSettings } from './use-backup-settings.ts'

const GROUPS: readonly SettingsGroup[] = [
  {
    title: __('Automatic backups', 'pentad'),
    description: __(
      'Weekly ones are made on Mondays, monthly ones on the first. One that was missed is made up for.',
      'pentad',
    ),
    keys: ['automaticBackups', 'automaticBackupsFrequency', 'automaticBackupsTime', 'automaticBackupsExclusions'],
  },
  {
    title: __('Keeping', 'pentad'),
    keys: ['keepLatestBackupsCount', 'defaultLocation', 'excludePatterns', 'compression'],
  },
  { title: __('Mail', 'pentad'), keys: ['notifications', 'notificationEmail'] },
]

type Field = (draft: SettingsDraft) => ReactNode

/** Controls that say more than the schema does. */
const FIELDS: Readonly<Record<string, Field>> = {
  automaticBackupsFrequency: choice('automaticBackupsFrequency', {
    hourly: __('Every hour', 'pentad'),
    daily: __('Every day', 'pentad'),
    weekly: __('Every week', 'pentad'),
    monthly: __('Every month', 'pentad'),
  }),
  automaticBackupsTime: ({ schema, values, refusals, set }) => (
    <TextInput
      type="time"
      label={schema?.automaticBackupsTime?.title}
      description={schema?.automaticBackupsTime?.description}
      error={refusals.automaticBackupsTime}
      value={String(values.automaticBackupsTime ?? '')}
      onChange={(event) => set({ automaticBackupsTime: event.currentTarget.value })}
    />
  ),
  automaticBackupsExclusions: ({ values, refusals, set }) => {
    const excluded = Array.isArray(values.automaticBackupsExclusions) ? values.automaticBackupsExclusions : []
    return (
      <Checkbox.Group
        label={__('What goes into them', 'pentad')}
        error={refusals.automaticBackupsExclusions}
        value={CATEGORIES.filter((category) => !excluded.includes(category))}
        onChange={(kept) =>
          set({ automaticBackupsExclusions: CATEGORIES.filter((category) => !kept.includes(category)) })
        }
      >
        <Stack gap="xs" mt="xs">
          {CATEGORIES.map((category) => (
            <Checkbox key={category} value={category} label={CATEGORY_TEXTS[category].label} />
          ))}
        </Stack>
      </Checkbox.Group>
    )
  },
  keepLatestBackupsCount: ({ schema, values, refusals, set }) => (
    <NumberInput
      label={schema?.keepLatestBackupsCount?.title}
      description={schema?.keepLatestBackupsCount?.description}
      error={refusals.keepLatestBackupsCount}
      min={0}
      allowDecimal={false}
      value={String(values.keepLatestBackupsCount ?? '')}
      onChange={(count) => set({ keepLatestBackupsCount: String(count) })}
    />
  ),
  defaultLocation: (draft) => <DefaultLocation draft={draft} />,
  compression: choice('compression', {
    gzip: __('gzip: unpacks everywhere', 'pentad'),
    zstd: __('zstd: faster and smaller', 'pentad'),
  }),
  notifications: choice('notifications', {
    always: __('After every backup', 'pentad'),
    failure: __('When one fails', 'pentad'),
    off: __('Never', 'pentad'),
  }),
}

/** A choice whose values have words of their own. */
function choice(key: string, labels: Readonly<Record<string, string>>): Field {
  return ({ schema, values, refusals, set }) => (
    <Select
      label={schema?.[key]?.title}
      description={schema?.[key]?.description}
      error={refusals[key]}
      data={Object.entries(labels).map(([value, label]) => ({ value, label }))}
      value={String(values[key] ?? '')}
      allowDeselect={false}
      onChange={(value) => set({ [key]: value })}
    />
  )
}

function DefaultLocation({ draft: { schema, values, refusals, set } }: { draft: SettingsDraft }) {
  const locations = useRead<{ readonly items: readonly Location[] }>('backup/v1/backup/locations').data?.items ?? []
  const current = String(values.defaultLocation ?? 'local')
  const usable = locations.filter(({ id, configured }) => configured || id === current)
  return (
    <Select
      label={schema?.defaultLocation?.title}
      description={__('Others can be chosen once they are set up under Locations.', 'pentad')}
      error={refusals.defaultLocation}
      data={usable.map(({ id, title }) => ({ value: id, label: title }))}
      value={current}
      allowDeselect={false}
      onChange={(value) => set({ defaultLocation: value })}
    />
  )
}

export default function BackupSettings() {
  const draft = useBackupSettings()
  return (
    <Page title={__('Schedule and settings', 'pentad')}>
      <SettingsForm draft={draft} groups={GROUPS} fields={FIELDS} />
    </Page>
  )
}
