import { Checkbox, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { choice, described, type OwnField } from 'pentad/admin/settings/own-field.tsx'
import type { SettingsDraft } from 'pentad/admin/settings/use-settings.ts'
import { CATEGORY_TEXTS } from './labels.ts'
import { CATEGORIES } from './types.ts'
import { useLocations } from './use-backup.ts'

/** Custom controls in place of those generated from the schema. */
export const BACKUP_FIELDS: Readonly<Record<string, OwnField>> = {
  automaticBackupsFrequency: choice('automaticBackupsFrequency', {
    hourly: __('Hourly', 'pentad'),
    daily: __('Daily', 'pentad'),
    weekly: __('Weekly', 'pentad'),
    monthly: __('Monthly', 'pentad'),
  }),
  automaticBackupsTime: (draft) => (
    <TextInput
      type="time"
      {...described(draft, 'automaticBackupsTime')}
      value={String(draft.values.automaticBackupsTime ?? '')}
      onChange={(event) => draft.set({ automaticBackupsTime: event.currentTarget.value })}
    />
  ),
  automaticBackupsExclusions: ({ values, fieldErrors, set }) => {
    const excluded = Array.isArray(values.automaticBackupsExclusions) ? values.automaticBackupsExclusions : []
    return (
      <Checkbox.Group
        label={__('Contents', 'pentad')}
        error={fieldErrors.automaticBackupsExclusions}
        value={CATEGORIES.filter((category) => !excluded.includes(category))}
        onChange={(included) =>
          set({ automaticBackupsExclusions: CATEGORIES.filter((category) => !included.includes(category)) })
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
  keepLatestBackupsCount: (draft) => (
    <NumberInput
      {...described(draft, 'keepLatestBackupsCount')}
      min={0}
      allowDecimal={false}
      value={String(draft.values.keepLatestBackupsCount ?? '')}
      onChange={(count) => draft.set({ keepLatestBackupsCount: String(count) })}
    />
  ),
  defaultLocation: (draft) => <DefaultLocation draft={draft} />,
  compression: choice('compression', {
    gzip: __('gzip (most compatible)', 'pentad'),
    zstd: __('Zstandard (faster and smaller)', 'pentad'),
  }),
  notifications: choice('notifications', {
    always: __('After every backup', 'pentad'),
    failure: __('When a backup fails', 'pentad'),
    off: __('Never', 'pentad'),
  }),
}

function DefaultLocation({ draft }: { draft: SettingsDraft }) {
  const current = String(draft.values.defaultLocation ?? 'local')
  const usable = useLocations().filter(({ id, configured }) => configured || id === current)
  return (
    <Select
      {...described(draft, 'defaultLocation')}
      description={__('To use another location, set it up under Locations first.', 'pentad')}
      data={usable.map(({ id, title }) => ({ value: id, label: title }))}
      value={current}
      allowDeselect={false}
      onChange={(value) => draft.set({ defaultLocation: value })}
    />
  )
}
