import { finiteNumber, listOf, membersOf, oneOf } from '../hooks/contents.ts'
import type { UserQuery } from './types.ts'

/** What a filter of a `UserQuery` may return: `auth.users.query` takes all that passes. */
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
