import { __ } from '../i18n.ts'
import { titleOf } from '../settings/schema.ts'

type Names = Readonly<Record<string, string>>

const ofPlugins = import.meta.glob<Names>('../../../plugins/*/admin/field-names.ts', { eager: true, import: 'default' })

const NAMES: Names = {
  content: __('Content', 'pentad'),
  slug: __('Slug', 'pentad'),
  'terms.category': __('Categories', 'pentad'),
  'terms.post_tag': __('Tags', 'pentad'),
  ...Object.assign({}, ...Object.values(ofPlugins)),
}

/** A field of a change as people call it; one that is not known by its own words: `meta.book_size` → `Book size`. */
export function nameOfField(field: string): string {
  return NAMES[field] ?? titleOf(field.replace(/^(meta|terms)\._?/, '').replaceAll('.', '_'), {})
}
