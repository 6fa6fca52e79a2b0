import type { Query } from '../../api/rest.ts'
import { SearchSelect } from '../../parts/search-select.tsx'
import { USERS, type UserItem } from './user.ts'

interface UserSelectProps {
  readonly label: string
  readonly value: number
  readonly onChange: (id: number) => void
  readonly exclude?: readonly number[]
  /** Filter for the users to list. */
  readonly query?: Query
}

/** Selects a user. */
export function UserSelect(props: UserSelectProps) {
  return <SearchSelect<Pick<UserItem, 'id' | 'name'>> {...props} route={USERS} nameOf={({ name }) => name} />
}
