import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import classes from './filters.module.css'
import type { ListQuery } from './list-query.ts'

/** Searches a list while typing; the text is stored in the URL as `search`. */
export function SearchField({ label, query }: { label: string; query: ListQuery }) {
  const searched = query.get('search')
  const [text, setText] = useState(searched)
  const search = useDebouncedCallback((value: string) => query.set({ search: value.trim() }), 300)
  // Back navigation restores the previous text.
  useEffect(() => setText((now) => (now.trim() === searched ? now : searched)), [searched])
  return (
    <TextInput
      type="search"
      className={classes.search}
      aria-label={label}
      placeholder={label}
      value={text}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        search(value)
      }}
    />
  )
}
