import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { __ } from '@wordpress/i18n'
import { useState } from 'react'
import { useList, useRead } from '../../api/query.ts'
import { plainText } from '../../parts/plain-text.ts'
import type { TermItem } from './term.ts'

interface TermSelectProps {
  /** `wp/v2/categories` */
  readonly route: string
  readonly label: string
  readonly placeholder: string
  /** 0 for none. */
  readonly value: number
  readonly onChange: (id: number) => void
  readonly exclude?: number | undefined
  readonly clearable?: boolean
}

/** Chooses one term of a taxonomy of any size: the server searches. */
export function TermSelect({ route, label, placeholder, value, onChange, exclude, clearable = true }: TermSelectProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, 250)
  const found = useList<TermItem>(route, { per_page: 50, search: asked, exclude: exclude ?? '' })
  const chosen = useRead<TermItem>(`${route}/${value}`, undefined, { enabled: value > 0 })
  const terms = new Map(
    [...(found.data?.items ?? []), ...(chosen.data ? [chosen.data] : [])].map((one) => [one.id, one]),
  )
  return (
    <Select
      label={label}
      placeholder={placeholder}
      searchable
      clearable={clearable}
      clearButtonProps={{ 'aria-label': placeholder }}
      nothingFoundMessage={__('Nothing fits', 'pentad')}
      data={[...terms.values()].map(({ id, name }) => ({ value: String(id), label: plainText(name) }))}
      filter={({ options }) => options}
      value={value > 0 ? String(value) : null}
      onSearchChange={setSearch}
      onChange={(id) => onChange(Number(id ?? 0))}
    />
  )
}
