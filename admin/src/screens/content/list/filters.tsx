import { Button, Group, Select } from '@mantine/core'
import { __, sprintf } from '@wordpress/i18n'
import { useRead } from '../../../api/query.ts'
import { can, pageData } from '../../../page-data.ts'
import type { ListQuery } from '../../../parts/list-query.ts'
import { plainText } from '../../../parts/plain-text.ts'
import { SearchField } from '../../../parts/search-field.tsx'
import type { ContentTaxonomy, ContentType, Term } from '../types.ts'
import type { PostCounts } from './post-row.ts'

interface FiltersProps {
  readonly type: ContentType
  readonly taxonomies: readonly ContentTaxonomy[]
  readonly query: ListQuery
  readonly counts: PostCounts | undefined
}

/** What narrows a list down: words, month, terms, author. */
export function Filters({ type, taxonomies, query, counts }: FiltersProps) {
  const names = ['search', 'month', 'author', ...taxonomies.map(({ rest_base }) => rest_base)]
  const isFiltered = names.some((name) => query.get(name) !== '')
  const isEditor = can(type.capabilities.edit_others_posts ?? 'edit_others_posts')
  return (
    <Group gap="xs">
      <SearchField label={type.labels.search_items ?? __('Search', 'pentad')} query={query} />
      <Filter
        label={__('Month', 'pentad')}
        value={query.get('month')}
        onChange={(month) => query.set({ month })}
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
          {__('Show all', 'pentad')}
        </Button>
      )}
    </Group>
  )
}

interface FilterProps {
  readonly label: string
  readonly value: string
  readonly data: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string) => void
}

function Filter({ label, value, data, onChange }: FilterProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': sprintf(__('Any: %s', 'pentad'), label) }}
      nothingFoundMessage={__('Nothing found', 'pentad')}
      w={160}
      data={[...data]}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}

function TermFilter({ taxonomy, query }: { taxonomy: ContentTaxonomy; query: ListQuery }) {
  const { rest_base: base, name } = taxonomy
  const terms = useRead<readonly Term[]>(`wp/v2/${base}`, {
    per_page: 100,
    orderby: 'count',
    order: 'desc',
    _fields: 'id,name',
  })
  const data = (terms.data ?? []).map((term) => ({ value: String(term.id), label: plainText(term.name) }))
  return <Filter label={name} value={query.get(base)} data={data} onChange={(id) => query.set({ [base]: id })} />
}

function AuthorFilter({ query }: { query: ListQuery }) {
  const authors = useRead<readonly { id: number; name: string }[]>('wp/v2/users', {
    who: 'authors',
    per_page: 100,
    _fields: 'id,name',
  })
  const data = (authors.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <Filter
      label={__('Author', 'pentad')}
      value={query.get('author')}
      data={data}
      onChange={(author) => query.set({ author })}
    />
  )
}

/** `2026-01` → `January 2026` */
function monthName(month: string): string {
  const format = new Intl.DateTimeFormat(pageData.locale.language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01T00:00:00Z`))
}
