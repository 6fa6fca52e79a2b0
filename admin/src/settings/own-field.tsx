import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SettingsDraft } from './use-settings.ts'

/** A control that says more than the one which is made from the schema. */
export type OwnField = (draft: SettingsDraft) => ReactNode

/** What every control of a setting says: what it is called, what it does, and why its value was refused. */
export const described = ({ schema, refusals }: SettingsDraft, key: string) => ({
  label: schema?.[key]?.title,
  description: schema?.[key]?.description,
  error: refusals[key],
})

/** A choice whose values have words of their own. */
export function choice(key: string, labels: Readonly<Record<string, string>>): OwnField {
  return (draft) => (
    <Select
      {...described(draft, key)}
      data={Object.entries(labels).map(([value, label]) => ({ value, label }))}
      value={String(draft.values[key] ?? '')}
      allowDeselect={false}
      onChange={(value) => draft.set({ [key]: value })}
    />
  )
}
