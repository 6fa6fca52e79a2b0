import { MultiSelect } from '@mantine/core'
import { useRead } from '../api/query.ts'
import { __ } from '../i18n.ts'
import { described } from './own-field.tsx'
import type { SettingsDraft } from './use-settings.ts'

type Kinds = Readonly<Record<string, { readonly slug: string; readonly name: string }>>

interface KindsFieldProps {
  readonly draft: SettingsDraft
  /** Of the setting. */
  readonly name: string
  readonly withTaxonomies?: boolean
}

/** Types of posts, and perhaps taxonomies, that a setting keeps by their names. */
export function KindsField({ draft, name, withTaxonomies = false }: KindsFieldProps) {
  const types = useRead<Kinds>('wp/v2/types')
  const taxonomies = useRead<Kinds>('wp/v2/taxonomies', undefined, { enabled: withTaxonomies })
  const kinds = [types.data, taxonomies.data].flatMap((found = {}) =>
    Object.values(found).map(({ slug, name: label }) => ({ value: slug, label })),
  )
  const value = draft.values[name]
  const chosen = Array.isArray(value) ? value.map(String) : []
  // Those of an extension that is switched off stay until somebody takes them out.
  const unknown = chosen.filter((slug) => !kinds.some((kind) => kind.value === slug))
  return (
    <MultiSelect
      {...described(draft, name)}
      placeholder={chosen.length === 0 ? __('None', 'pentad') : ''}
      data={[...kinds, ...unknown]}
      value={chosen}
      onChange={(slugs) => draft.set({ [name]: slugs })}
      searchable
      nothingFoundMessage={__('Nothing found', 'pentad')}
      clearable
      clearButtonProps={{ 'aria-label': __('Remove all', 'pentad') }}
    />
  )
}
