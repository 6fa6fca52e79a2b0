import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useList, useRead } from '../api/query.ts'
import type { Query } from '../api/rest.ts'
import { __ } from '../i18n.ts'
import filters from './filters.module.css'

interface FoundSelectProps<Item> {
  readonly label: string
  /** `wp/v2/pages` */
  readonly route: string
  /** What else the route is asked. */
  readonly query?: Query
  readonly nameOf: (item: Item) => string
  /** 0 for none. */
  readonly value: number
  readonly onChange: (id: number) => void
  /** What stands there for none; left out, one has to be chosen. */
  readonly none?: string
  readonly exclude?: readonly number[]
  readonly error?: string | undefined
  /** `true` among the filters of a list: its label is heard, not seen. */
  readonly isFilter?: boolean
}

/** Chooses one of any number: the server searches. */
export function FoundSelect<Item extends { readonly id: number }>(props: FoundSelectProps<Item>) {
  const { label, route, query, nameOf, value, onChange, none, exclude = [], error, isFilter } = props
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, 250)
  const shown = { context: query?.context, _fields: query?._fields }
  const chosen = useRead<Item>(`${route}/${value}`, shown, { enabled: value > 0 }).data
  // The field shows the name of the chosen one as if it were searched for.
  const isChosen = chosen !== undefined && nameOf(chosen) === asked
  const found = useList<Item>(route, { per_page: 50, ...query, exclude, search: isChosen ? '' : asked })
  const names = new Map([...(found.data?.items ?? []), ...(chosen ? [chosen] : [])].map((one) => [one.id, nameOf(one)]))
  return (
    <Select
      {...(isFilter ? { 'aria-label': label, className: filters.select } : { label })}
      placeholder={none}
      error={error}
      searchable
      allowDeselect={none !== undefined}
      clearable={none !== undefined}
      clearButtonProps={{ 'aria-label': none }}
      nothingFoundMessage={__('No results found', 'pentad')}
      data={[...names].map(([id, name]) => ({ value: String(id), label: name || `#${id}` }))}
      filter={({ options }) => options}
      value={value > 0 ? String(value) : null}
      onSearchChange={setSearch}
      onChange={(id) => onChange(Number(id ?? 0))}
    />
  )
}
