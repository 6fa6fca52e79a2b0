import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { __ } from '@wordpress/i18n'
import { useState } from 'react'
import { useList, useRead } from '../../api/query.ts'
import { USERS, type UserItem } from './user.ts'

interface UserSelectProps {
  readonly label: string
  readonly value: number
  readonly onChange: (id: number) => void
  readonly exclude?: readonly number[]
}

/** Chooses one user of any number: the server searches. */
export function UserSelect({ label, value, onChange, exclude = [] }: UserSelectProps) {
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search, 250)
  const found = useList<Pick<UserItem, 'id' | 'name'>>(USERS, { per_page: 50, search: asked, exclude })
  const chosen = useRead<Pick<UserItem, 'id' | 'name'>>(`${USERS}/${value}`)
  const all = [...(found.data?.items ?? []), ...(chosen.data ? [chosen.data] : [])]
  const users = new Map(all.map((user) => [user.id, user.name]))
  return (
    <Select
      label={label}
      searchable
      allowDeselect={false}
      nothingFoundMessage={__('Nobody fits', 'pentad')}
      data={[...users].map(([id, name]) => ({ value: String(id), label: name }))}
      filter={({ options }) => options}
      value={String(value)}
      onSearchChange={setSearch}
      onChange={(id) => onChange(Number(id))}
    />
  )
}
