import { Select } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import type { ReactNode } from 'react'
import type { SettingsDraft } from '../../settings/use-settings.ts'
import { ImageField } from '../media/image-field.tsx'

type Field = (draft: SettingsDraft) => ReactNode

/** An image that the settings keep by its id. */
export function image(key: string): Field {
  return ({ schema, values, refusals, set }) => (
    <ImageField
      label={String(schema?.[key]?.title ?? key)}
      description={schema?.[key]?.description?.replace(/^Id of /, '').replace(/; 0 for.*$/, '.')}
      error={refusals[key]}
      value={Number(values[key] ?? 0)}
      onChange={(id) => set({ [key]: id })}
    />
  )
}

/** A choice whose values have words of their own. */
export function choice(key: string, labels: Readonly<Record<string, string>>): Field {
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

/** Controls that say more than the schema of the SEO service does. */
export const SEO_FIELDS: Readonly<Record<string, Field>> = {
  logo: image('logo'),
  socialImage: image('socialImage'),
  schemaType: choice('schemaType', {
    Organization: __('An organisation', 'pentad'),
    Person: __('A person', 'pentad'),
  }),
  articleSchemaType: choice('articleSchemaType', {
    Article: __('Articles', 'pentad'),
    BlogPosting: __('Posts of a blog', 'pentad'),
    NewsArticle: __('News', 'pentad'),
  }),
}
