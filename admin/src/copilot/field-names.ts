import { __ } from '../i18n.ts'
import { titleOf } from '../settings/schema.ts'

const NAMES: Readonly<Record<string, string>> = {
  content: __('Text', 'pentad'),
  slug: __('Address', 'pentad'),
  'terms.category': __('Categories', 'pentad'),
  'terms.post_tag': __('Tags', 'pentad'),
  'meta._seo_title': __('Search title', 'pentad'),
  'meta._seo_description': __('Search description', 'pentad'),
  'meta._seo_canonical': __('Canonical address', 'pentad'),
  'meta._seo_noindex': __('Hidden from search engines', 'pentad'),
  'meta._seo_nofollow': __('Links not followed', 'pentad'),
  'meta._seo_og_title': __('Sharing title', 'pentad'),
  'meta._seo_og_description': __('Sharing description', 'pentad'),
  'meta._seo_og_image': __('Sharing image', 'pentad'),
  'meta._seo_x_title': __('Title on X', 'pentad'),
  'meta._seo_x_description': __('Description on X', 'pentad'),
  'meta._seo_x_image': __('Image on X', 'pentad'),
  'meta._seo_primary_category': __('Primary category', 'pentad'),
  'meta._seo_schema_type': __('Type in structured data', 'pentad'),
  'meta._seo_focus_keyword': __('Focus keyword', 'pentad'),
}

/** A field of a change as people call it; one that is not known by its own words: `meta.book_size` → `Book size`. */
export function nameOfField(field: string): string {
  return NAMES[field] ?? titleOf(field.replace(/^(meta|terms)\._?/, '').replaceAll('.', '_'), {})
}
