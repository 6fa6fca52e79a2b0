import { Button, Group } from '@mantine/core'
import { __ } from '../../../i18n.ts'
import { can } from '../../../page-data.ts'
import { FilterSelect } from '../../../parts/filter-select.tsx'
import type { ListQuery } from '../../../parts/list-query.ts'
import { monthName } from '../../../parts/months.ts'
import { plainText } from '../../../parts/plain-text.ts'
import { SearchField } from '../../../parts/search-field.tsx'
import { SearchSelect } from '../../../parts/search-select.tsx'
import type { ContentTaxonomy, ContentType, Term } from '../types.ts'
import type { PostCounts } from './post-row.ts'

interface FiltersProps {
  readonly type: ContentType
  readonly taxonomies: readonly ContentTaxonomy[]
  readonly query: ListQuery
  readonly counts: PostCounts | undefined
}

/** The filters of a post list: search, month, terms, author. */
export function Filters({ type, taxonomies, query, counts }: FiltersProps) {
  const names = ['search', 'month', 'author', ...taxonomies.map(({ rest_base }) => rest_base)]
  const isFiltered = names.some((name) => query.get(name) !== '')
  const isEditor = can(type.capabilities.edit_others_posts ?? 'edit_others_posts')
  return (
    <Group gap="xs">
      <SearchField label={type.labels.search_items ?? __('Search', 'pentad')} query={query} />
      <FilterSelect
        label={__('Month', 'pentad')}
        all={__('All months', 'pentad')}
        name="month"
        query={query}
        data={(counts?.months ?? []).map(({ month }) => ({ value: month, label: monthName(month) }))}
      />
      {taxonomies.map((taxonomy) => (
        <TermFilter key={taxonomy.slug} taxonomy={taxonomy} query={query} />
      ))}
      {isEditor && query.get('status') !== 'mine' && <AuthorFilter query={query} />}
      {isFiltered && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => query.set(Object.fromEntries(names.map((name) => [name, ''])))}
        >
          {__('Clear filters', 'pentad')}
        </Button>
      )}
    </Group>
  )
}

function TermFilter({ taxonomy, query }: { taxonomy: ContentTaxonomy; query: ListQuery }) {
  const { rest_base: base, name, labels } = taxonomy
  return (
    <SearchSelect<Pick<Term, 'id' | 'name'>>
      isFilter
      label={name}
      none={labels.all_items ?? name}
      route={`wp/v2/${base}`}
      query={{ orderby: 'count', order: 'desc', _fields: 'id,name' }}
      nameOf={(term) => plainText(term.name)}
      {...filtering(query, base)}
    />
  )
}

function AuthorFilter({ query }: { query: ListQuery }) {
  return (
    <SearchSelect<{ readonly id: number; readonly name: string }>
      isFilter
      label={__('Author', 'pentad')}
      none={__('All authors', 'pentad')}
      route="wp/v2/users"
      query={{ who: 'authors', _fields: 'id,name' }}
      nameOf={(author) => author.name}
      {...filtering(query, 'author')}
    />
  )
}

/** An id from the URL of the list. */
function filtering(query: ListQuery, name: string): { value: number; onChange: (id: number) => void } {
  return { value: Number(query.get(name)) || 0, onChange: (id) => query.set({ [name]: id === 0 ? '' : String(id) }) }
}
