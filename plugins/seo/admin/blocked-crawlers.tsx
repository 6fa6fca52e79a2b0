import { MultiSelect } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import type { SettingsDraft } from 'pentad/admin/settings/use-settings.ts'

/** Blocked crawlers by name. */
export function BlockedCrawlers({ draft: { schema, values, fieldErrors, set } }: { draft: SettingsDraft }) {
  const described = schema?.blockedCrawlers
  const names = (described?.items?.enum ?? []).map(String)
  const blocked = Array.isArray(values.blockedCrawlers) ? values.blockedCrawlers.map(String) : []
  const noneNamed =
    values.blockAiTraining === 'on'
      ? __('Only AI training crawlers are blocked', 'pentad')
      : __('All crawlers are allowed', 'pentad')
  return (
    <MultiSelect
      label={described?.title}
      description={described?.description}
      placeholder={blocked.length === 0 ? noneNamed : ''}
      error={fieldErrors.blockedCrawlers}
      data={names}
      value={blocked}
      onChange={(chosen) => set({ blockedCrawlers: chosen })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': __('Clear all', 'pentad') }}
    />
  )
}
