import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import type { FormEvent, ReactNode } from 'react'
import { ErrorNote } from '../parts/error-note.tsx'
import { useLeaveGuard } from '../parts/leave-guard.ts'
import { Section } from '../parts/section.tsx'
import { type SettingSchema, titleOf } from './schema.ts'
import { SettingField } from './setting-field.tsx'
import type { SettingsDraft } from './use-settings.ts'

export interface SettingsGroup {
  readonly title: string
  readonly description?: ReactNode
  readonly keys: readonly string[]
}

interface SettingsFormProps {
  readonly draft: SettingsDraft
  /** What is shown, under which headings; left out, every key under the groups of the schema. */
  readonly groups?: readonly SettingsGroup[]
  /** Controls that are better than the ones made from the schema, by key. */
  readonly fields?: Readonly<Record<string, (draft: SettingsDraft) => ReactNode>>
}

/** A form of settings, with one button that saves it. */
export function SettingsForm({ draft, groups, fields = {} }: SettingsFormProps) {
  const { schema, values, changed, conflicts, refusals, isSaving, error, set, discard, save } = draft
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
          <Alert color="yellow" title={__('Changed by somebody else meanwhile', 'pentad')}>
            {conflicts.map((key) => titleOf(key, schema[key] ?? {})).join(', ')}
          </Alert>
        )}
        {shown.map(({ title, description, keys }) => (
          <Section key={title} title={title} description={description}>
            {keys.map((key) => {
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
                  error={refusals[key]}
                  onChange={(value) => set({ [key]: value })}
                />
              )
            })}
          </Section>
        ))}
        <Paper withBorder p="sm" pos="sticky" bottom={8} style={{ zIndex: 2 }}>
          <Group>
            <Button type="submit" loading={isSaving} disabled={changed.length === 0}>
              {__('Save', 'pentad')}
            </Button>
            <Button variant="subtle" onClick={discard} disabled={changed.length === 0 || isSaving}>
              {__('Discard', 'pentad')}
            </Button>
            <Text size="sm" c="dimmed" aria-live="polite">
              {changed.length > 0 ? __('There are changes that are not saved.', 'pentad') : ''}
            </Text>
          </Group>
        </Paper>
      </Stack>
    </form>
  )
}

/** As the schema groups them, in its order. */
function groupsOf(schema: Readonly<Record<string, SettingSchema>>): SettingsGroup[] {
  const groups = Map.groupBy(Object.keys(schema), (key) => schema[key]?.group ?? '')
  return [...groups].map(([group, keys]) => ({
    title: group === '' ? __('General', 'pentad') : titleOf(group, {}),
    keys,
  }))
}
