import type { UserQuery } from '../../../core/auth/types.ts'
import { finiteNumber, listOf, membersOf, oneOf } from '../../../core/hooks/value-checks.ts'

/** Run-time shape of a filtered `UserQuery`. */
export const userQueryShape = membersOf<UserQuery>(
  {
    include: listOf('number'),
    exclude: listOf('number'),
    slugs: listOf('string'),
    roles: listOf('string'),
    search: 'string',
    searchColumns: listOf(oneOf('login', 'email', 'slug', 'displayName', 'url')),
    hasPublishedPosts: listOf('string'),
    orderBy: oneOf('id', 'name', 'slug', 'email', 'url', 'registered', 'include'),
    order: oneOf('asc', 'desc'),
    limit: finiteNumber,
    offset: finiteNumber,
  },
  {},
)
