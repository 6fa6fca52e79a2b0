import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SettingsDraft } from './use-settings.ts'

/** A custom control in place of the one generated from the schema. */
export type OwnField = (draft: SettingsDraft) => ReactNode

/** The props of every settings control: label, description, and error. */
export const described = ({ schema, fieldErrors }: SettingsDraft, key: string) => ({
  label: schema?.[key]?.title,
  description: schema?.[key]?.description,
  error: fieldErrors[key],
})

/** A select with labels for its values. */
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
