import { Select } from '@mantine/core'
import { __ } from '@wordpress/i18n'
import type { ReactNode } from 'react'
import type { SettingsDraft } from '../../settings/use-settings.ts'
import { ImageField } from '../media/image-field.tsx'

type Field = (draft: SettingsDraft) => ReactNode

/** An image that the settings keep by its id. */
function image(key: string, description: string): Field {
  return ({ schema, values, refusals, set }) => (
    <ImageField
      name={key}
      label={String(schema?.[key]?.title ?? key)}
      description={description}
      error={refusals[key]}
      value={Number(values[key] ?? 0)}
      onChange={(id) => set({ [key]: id })}
    />
  )
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

/** Controls that say more than the schema of the SEO service does. */
export const SEO_FIELDS: Readonly<Record<string, Field>> = {
  logo: image('logo', __('At least 112 by 112 pixels; without one the logo or icon of the site.', 'pentad')),
  socialImage: image(
    'socialImage',
    __('Of pages without one; 1200 by 630 pixels are best. Without one the logo or icon of the site.', 'pentad'),
  ),
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
