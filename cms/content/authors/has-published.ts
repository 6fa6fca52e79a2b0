import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { UserQuery } from '../../../core/auth/types.ts'
import type { Schema } from '../../../core/database/index.ts'

declare module '../../../core/auth/types.ts' {
  interface UserQuery {
    /** Only users with at least one published post of these types. */
    readonly hasPublishedPosts?: readonly string[] | undefined
  }
}

/** The SQL condition of `hasPublishedPosts`; an empty list matches no user. */
export function hasPublished({ hasPublishedPosts: types }: UserQuery): Expression<SqlBool> | undefined {
  if (types === undefined) return undefined
  if (types.length === 0) return sql<SqlBool>`1 = 0`
  const builder = expressionBuilder<Schema, 'users'>()
  return builder.exists(
    builder
      .selectFrom('posts')
      .select('posts.id')
      .whereRef('posts.author_id', '=', 'users.id')
      .where('posts.status', '=', 'publish')
      .where('posts.type', 'in', types),
  )
}
