import { Checkbox, ScrollArea, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useList } from '../../../../api/query.ts'
import { __ } from '../../../../i18n.ts'
import { can } from '../../../../page-data.ts'
import { Loaded } from '../../../../parts/loaded.tsx'
import { plainText } from '../../../../parts/plain-text.ts'
import { inTreeOrder } from '../../../terms/tree-order.ts'
import type { ContentTaxonomy, Term } from '../../types.ts'
import { NewTerm } from './new-term.tsx'

interface CategoryTreeProps {
  readonly taxonomy: ContentTaxonomy
  readonly chosen: readonly number[]
  readonly onChange: (ids: readonly number[]) => void
}

/** From this number of terms on, there is a search field. */
const MANY = 10
/** The maximum page size of the server. */
const AT_ONCE = 100

/** A tree of terms with checkboxes, where terms can be added. */
export function CategoryTree({ taxonomy, chosen, onChange }: CategoryTreeProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 250)
  const query = { per_page: AT_ONCE, orderby: 'name', _fields: 'id,name,parent' }
  const base = `wp/v2/${taxonomy.rest_base}`
  const first = useList<Term>(base, query)
  // With more terms than one page, the server searches, and the selected terms are fetched separately.
  const isMore = (first.data?.pages ?? 1) > 1
  const terms = useList<Term>(base, { ...query, search: isMore ? asked : '' })
  const ticked = useList<Term>(base, { ...query, include: chosen }, { enabled: isMore && chosen.length > 0 })
  const toggle = (id: number) => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  const words = search.trim().toLowerCase()
  const searchLabel = taxonomy.labels.search_items ?? __('Search', 'pentad')
  return (
    <Loaded query={terms}>
      {({ items }) => {
        const all = new Map([...(ticked.data?.items ?? []), ...items].map((term) => [term.id, term]))
        const branches = inTreeOrder([...all.values()])
        return (
          <Stack gap="xs">
            {(isMore || branches.length > MANY) && (
              <TextInput
                size="xs"
                type="search"
                aria-label={searchLabel}
                placeholder={searchLabel}
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
              />
            )}
            <ScrollArea.Autosize mah={240} viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': taxonomy.name }}>
              <Stack gap={6} p={2}>
                {branches
                  .filter(({ term }) => plainText(term.name).toLowerCase().includes(words))
                  .map(({ term: { id, name }, depth }) => (
                    <Checkbox
                      key={id}
                      size="sm"
                      ms={words === '' ? depth * 18 : 0}
                      label={plainText(name)}
                      checked={chosen.includes(id)}
                      onChange={() => toggle(id)}
                    />
                  ))}
              </Stack>
            </ScrollArea.Autosize>
            {can(taxonomy.capabilities.edit_terms ?? 'manage_categories') && (
              <NewTerm taxonomy={taxonomy} branches={branches} onMade={({ id }) => onChange([...chosen, id])} />
            )}
          </Stack>
        )
      }}
    </Loaded>
  )
}
