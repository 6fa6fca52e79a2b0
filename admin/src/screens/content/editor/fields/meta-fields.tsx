import { Stack } from '@mantine/core'
import { __ } from '../../../../i18n.ts'
import { Section } from '../../../../parts/section.tsx'
import { SettingField } from '../../../../settings/setting-field.tsx'
import { type ContentType, SYNC_STATUS } from '../../types.ts'
import { pluginEditors } from '../plugin-editors.ts'
import type { Edited } from '../use-edited.ts'

const ELSEWHERE = pluginEditors.flatMap(({ metaPrefix }) => metaPrefix ?? [])

/** Custom fields that extensions have registered for the type, except those that other fields edit. */
export function MetaFields({ type, edited }: { type: ContentType; edited: Edited }) {
  const { fields, setMeta } = edited
  const own = Object.entries(type.meta_schema.properties ?? {}).filter(
    ([key, schema]) =>
      key !== SYNC_STATUS && !ELSEWHERE.some((prefix) => key.startsWith(prefix)) && schema.readOnly !== true,
  )
  if (own.length === 0) return null
  return (
    <Section title={__('Custom fields', 'pentad')}>
      <Stack gap="sm">
        {own.map(([key, schema]) => (
          <SettingField
            key={key}
            name={key}
            schema={schema}
            value={fields.meta[key] ?? schema.default}
            onChange={(value) => setMeta(key, value)}
          />
        ))}
      </Stack>
    </Section>
  )
}
