import { Alert, Stack, Text } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { __ } from '../i18n.ts'
import { ErrorNote } from '../parts/error-note.tsx'
import { useLeaveGuard } from '../parts/leave-guard.ts'
import { SaveBar } from '../parts/save-bar.tsx'
import { Section } from '../parts/section.tsx'
import type { OwnField } from './own-field.tsx'
import { kindOf, type SettingSchema, titleOf } from './schema.ts'
import { SettingField } from './setting-field.tsx'
import type { SettingsDraft } from './use-settings.ts'

export interface SettingsGroup {
  readonly title: string
  readonly description?: ReactNode
  readonly keys: readonly string[]
}

interface SettingsFormProps {
  readonly draft: SettingsDraft
  /** Which keys are shown, under which headings; by default, all keys in the groups of the schema. */
  readonly groups?: readonly SettingsGroup[]
  /** Custom controls by key. */
  readonly fields?: Readonly<Record<string, OwnField>>
}

/** A settings form with one save button. */
export function SettingsForm({ draft, groups, fields = {} }: SettingsFormProps) {
  const { schema, changed, conflicts, isSaving, error, discard, save } = draft
  useLeaveGuard(changed.length > 0)
  if (error) return <ErrorNote error={error} />
  if (!schema) return null
  const shown = groups ?? groupsOf(schema)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {conflicts.length > 0 && (
          <Alert color="yellow" title={__('Changed by someone else', 'pentad')}>
            {conflicts.map((key) => titleOf(key, schema[key] ?? {})).join(', ')}
          </Alert>
        )}
        {shown.map(({ title, description, keys }) => (
          <Section key={title} title={title} description={description}>
            <SettingFields {...{ draft, keys, fields }} />
          </Section>
        ))}
        <SaveBar isDirty={changed.length > 0} isSaving={isSaving} onDiscard={discard} />
      </Stack>
    </form>
  )
}

/** The controls of some settings: custom ones, or those generated from the schema. */
export function SettingFields({
  draft,
  keys,
  fields = {},
}: Pick<SettingsFormProps, 'draft' | 'fields'> & Pick<SettingsGroup, 'keys'>) {
  const { schema = {}, values, fieldErrors, set } = draft
  const isCode = (key: string) => !fields[key] && schema[key] !== undefined && kindOf(schema[key]) === 'json'
  const code = keys.filter(isCode)
  const show = (key: string) => {
    const own = fields[key]
    const described = schema[key]
    if (own) return <div key={key}>{own(draft)}</div>
    if (!described) return null
    return (
      <SettingField
        key={key}
        name={key}
        schema={described}
        value={values[key]}
        error={fieldErrors[key]}
        onChange={(value) => set({ [key]: value })}
      />
    )
  }
  return (
    <>
      {keys.filter((key) => !isCode(key)).map(show)}
      {code.length > 0 && (
        <details open={code.some((key) => fieldErrors[key] !== undefined)}>
          <Text component="summary" size="sm" fw={600} style={{ cursor: 'pointer' }}>
            {__('Advanced', 'pentad')}
          </Text>
          <Stack mt="sm">{code.map(show)}</Stack>
        </details>
      )}
    </>
  )
}

/** In the groups and the order of the schema. */
function groupsOf(schema: Readonly<Record<string, SettingSchema>>): SettingsGroup[] {
  const groups = Map.groupBy(Object.keys(schema), (key) => schema[key]?.group ?? '')
  return [...groups].map(([group, keys]) => ({
    title: group === '' ? __('General', 'pentad') : titleOf(group, {}),
    keys,
  }))
}
