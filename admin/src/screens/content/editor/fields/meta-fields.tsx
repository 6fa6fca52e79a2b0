import { Stack } from '@mantine/core'
import { __ } from '../../../../i18n.ts'
import { Section } from '../../../../parts/section.tsx'
import { SettingField } from '../../../../settings/setting-field.tsx'
import type { ContentType } from '../../types.ts'
import type { Edited } from '../use-edited.ts'

/** Fields that extensions have registered for the type; the SEO service has a box of its own. */
export function MetaFields({ type, edited }: { type: ContentType; edited: Edited }) {
  const { fields, setMeta } = edited
  const own = Object.entries(type.meta_schema.properties ?? {}).filter(
    ([key, schema]) => !key.startsWith('_seo_') && schema.readOnly !== true,
  )
  if (own.length === 0) return null
  return (
    <Section title={__('Fields', 'pentad')}>
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
