import { MultiSelect } from '@mantine/core'
import { useRead } from '../api/query.ts'
import { __ } from '../i18n.ts'
import { described } from './own-field.tsx'
import type { SettingsDraft } from './use-settings.ts'

interface Kind {
  readonly slug: string
  readonly name: string
}
type Types = Readonly<Record<string, Kind & { readonly viewable: boolean }>>
type Taxonomies = Readonly<Record<string, Kind & { readonly visibility: { readonly public: boolean } }>>

interface KindsFieldProps {
  readonly draft: SettingsDraft
  /** Key of the setting. */
  readonly name: string
  readonly withTaxonomies?: boolean
}

/** Selects public post types and, optionally, taxonomies; the setting stores their names. */
export function KindsField({ draft, name, withTaxonomies = false }: KindsFieldProps) {
  const types = useRead<Types>('wp/v2/types', { context: 'edit' })
  const taxonomies = useRead<Taxonomies>('wp/v2/taxonomies', { context: 'edit' }, { enabled: withTaxonomies })
  const kinds = [
    ...Object.values(types.data ?? {}).filter(({ viewable }) => viewable),
    ...Object.values(taxonomies.data ?? {}).filter(({ visibility }) => visibility.public),
  ].map(({ slug, name: label }) => ({ value: slug, label }))
  const value = draft.values[name]
  const chosen = Array.isArray(value) ? value.map(String) : []
  // Types of an inactive extension stay until they are removed by hand.
  const unknown = chosen.filter((slug) => !kinds.some((kind) => kind.value === slug))
  return (
    <MultiSelect
      {...described(draft, name)}
      placeholder={chosen.length === 0 ? __('None', 'pentad') : ''}
      data={[...kinds, ...unknown]}
      value={chosen}
      onChange={(slugs) => draft.set({ [name]: slugs })}
      searchable
      nothingFoundMessage={__('No results found', 'pentad')}
      clearable
      clearButtonProps={{ 'aria-label': __('Clear all', 'pentad') }}
    />
  )
}
