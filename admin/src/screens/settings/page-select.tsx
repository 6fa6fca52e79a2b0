import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { __ } from '@wordpress/i18n'
import { useState } from 'react'
import { useList, useRead } from '../../api/query.ts'
import { plainText } from '../../parts/plain-text.ts'

interface PageInfo {
  readonly id: number
  readonly title: { readonly rendered: string }
}

interface PageSelectProps {
  readonly label: string
  /** 0 for none. */
  readonly value: number
  readonly onChange: (id: number) => void
  readonly error?: string | undefined
}

/** Chooses one published page: the server searches. */
export function PageSelect({ label, value, onChange, error }: PageSelectProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, 250)
  const found = useList<PageInfo>('wp/v2/pages', {
    ...{ per_page: 50, search: asked, _fields: 'id,title' },
    ...(asked === '' && { orderby: 'title', order: 'asc' }),
  })
  const chosen = useRead<PageInfo>(`wp/v2/pages/${value}`, { _fields: 'id,title' }, { enabled: value > 0 })
  const all = [...(found.data?.items ?? []), ...(chosen.data ? [chosen.data] : [])]
  const pages = new Map(all.map(({ id, title }) => [id, plainText(title.rendered)]))
  return (
    <Select
      label={label}
      placeholder={__('No page', 'pentad')}
      error={error}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': __('No page', 'pentad') }}
      nothingFoundMessage={__('Nothing fits', 'pentad')}
      data={[...pages].map(([id, title]) => ({ value: String(id), label: title || __('(no title)', 'pentad') }))}
      filter={({ options }) => options}
      value={value > 0 ? String(value) : null}
      onSearchChange={setSearch}
      onChange={(id) => onChange(Number(id ?? 0))}
    />
  )
}
