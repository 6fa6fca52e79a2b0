import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useList, useRead } from '../api/query.ts'
import type { Query } from '../api/rest.ts'
import filters from './filters.module.css'

interface FoundSelectProps<Item> {
  readonly label: string
  /** `wp/v2/pages` */
  readonly route: string
  /** Additional query parameters. */
  readonly query?: Query
  readonly nameOf: (item: Item) => string
  /** 0 for none. */
  readonly value: number
  readonly onChange: (id: number) => void
  /** Label of the empty option; without it, a selection is required. */
  readonly none?: string
  readonly exclude?: readonly number[]
  readonly error?: string | undefined
  /** `true` in list filters: the label is visible to screen readers only. */
  readonly isFilter?: boolean
}

/** A select for any number of options: the server searches. */
export function SearchSelect<Item extends { readonly id: number }>(props: FoundSelectProps<Item>) {
  const { label, route, query, nameOf, value, onChange, none, exclude = [], error, isFilter } = props
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, 250)
  const shown = { context: query?.context, _fields: query?._fields }
  const chosen = useRead<Item>(`${route}/${value}`, shown, { enabled: value > 0 }).data
  // The field treats the name of the selected option as a search.
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
      data={[...names].map(([id, name]) => ({ value: String(id), label: name || `#${id}` }))}
      filter={({ options }) => options}
      value={value > 0 ? String(value) : null}
      onSearchChange={setSearch}
      onChange={(id) => onChange(Number(id ?? 0))}
    />
  )
}
