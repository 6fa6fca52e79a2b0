import { __ } from 'pentad/admin/i18n.ts'
import { ImageField } from 'pentad/admin/screens/media/image-field.tsx'
import { KindsField } from 'pentad/admin/settings/kinds-field.tsx'
import { choice, type OwnField } from 'pentad/admin/settings/own-field.tsx'
import type { SettingsDraft } from 'pentad/admin/settings/use-settings.ts'

/** An image that the settings store by its id. */
function image(key: string, description: string): OwnField {
  return ({ schema, values, fieldErrors, set }) => (
    <ImageField
      name={key}
      label={String(schema?.[key]?.title ?? key)}
      description={description}
      error={fieldErrors[key]}
      value={Number(values[key] ?? 0)}
      onChange={(id) => set({ [key]: id })}
    />
  )
}

const KINDS = { Organization: __('Organization', 'pentad'), Person: __('Person', 'pentad') }

/** Custom controls in place of those generated from the schema. */
export const SEO_FIELDS: Readonly<Record<string, OwnField>> = {
  logo: image('logo', __('At least 112 × 112 pixels. If empty, the site logo or site icon is used.', 'pentad')),
  socialImage: image(
    'socialImage',
    __(
      'Used for pages without an image. 1200 × 630 pixels is recommended. If empty, the site logo or site icon is used.',
      'pentad',
    ),
  ),
  schemaType: choice('schemaType', KINDS),
  articleSchemaType: choice('articleSchemaType', {
    Article: __('Article', 'pentad'),
    BlogPosting: __('Blog post', 'pentad'),
    NewsArticle: __('News article', 'pentad'),
  }),
  noindexTypes: (draft) => <KindsField draft={draft} name="noindexTypes" withTaxonomies />,
  indexNowExcludedTypes: (draft) => <KindsField draft={draft} name="indexNowExcludedTypes" />,
}

/** Whether a setting applies: the name of the organization or of the person, depending on the site owner. */
export function isAsked({ values }: SettingsDraft, key: string): boolean {
  return key !== (values.schemaType === 'Person' ? 'organizationName' : 'personName')
}

/** A value as its control shows it. */
export function answerOf(key: string, value: unknown): string {
  if (value === '') return __('empty', 'pentad')
  if (typeof value === 'boolean') return value ? __('on', 'pentad') : __('off', 'pentad')
  if (key === 'logo' || key === 'socialImage') return value === 0 ? __('none', 'pentad') : __('selected', 'pentad')
  if (value === 'Organization' || value === 'Person') return KINDS[value]
  return Array.isArray(value) ? value.join(', ') : String(value)
}
