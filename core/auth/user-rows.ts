import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { fromGmt } from '../database/gmt.ts'
import type { Schema, UserTable } from '../database/index.ts'
import { isRowId } from '../database/row-id.ts'
import { isPlainText } from './text.ts'
import type { User, UserQuery } from './types.ts'

type Row = Selectable<UserTable>
type Builder = ExpressionBuilder<Schema, 'users'>

/** Converts a row to a user without secrets; frozen, because code of several extensions shares it. */
export function toUser(row: Row): User {
  const roles: unknown = JSON.parse(row.roles)
  return Object.freeze({
    id: row.id,
    login: row.login,
    email: row.email,
    slug: row.slug,
    displayName: row.display_name,
    firstName: row.first_name,
    lastName: row.last_name,
    url: row.url,
    description: row.description,
    locale: row.locale,
    roles: Object.freeze(Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : []),
    registered: fromGmt(row.registered_gmt),
  })
}

const SEARCH_COLUMNS = {
  login: 'login',
  email: 'email',
  slug: 'slug',
  displayName: 'display_name',
  url: 'url',
} as const

/** SQL condition on the `users` table for members that a part adds to a query; `undefined` if the query has none. */
export type UserCondition = (query: UserQuery) => Expression<SqlBool> | undefined

/** The SQL condition of a query. */
export function matches(
  query: UserQuery,
  further: readonly UserCondition[],
): (builder: Builder) => Expression<SqlBool> {
  return (builder) => {
    const { include, exclude, slugs, roles, search, searchColumns } = query
    const conditions: Expression<SqlBool>[] = []
    if (include) conditions.push(isIn('users.id', include.filter(isRowId)))
    if (exclude) conditions.push(builder.not(isIn('users.id', exclude.filter(isRowId))))
    if (slugs) conditions.push(isIn('users.slug', slugs.filter(isPlainText)))
    if (roles)
      conditions.push(builder.or(roles.filter(isPlainText).map((role) => contains('roles', JSON.stringify(role)))))
    if (search !== undefined && search !== '') {
      const columns = searchColumns ?? (['login', 'email', 'slug', 'displayName', 'url'] as const)
      const text = search.replaceAll('\0', '')
      conditions.push(builder.or(columns.map((column) => contains(SEARCH_COLUMNS[column], text))))
    }
    conditions.push(...further.flatMap((condition) => condition(query) ?? []))
    return builder.and(conditions)
  }
}

/** An empty list matches no user. Uses `in` rather than a chain of `or`, because SQLite limits the depth of expressions to 1,000. */
function isIn(column: string, values: readonly (number | string)[]): Expression<SqlBool> {
  return values.length > 0 ? sql<SqlBool>`${sql.ref(column)} in (${sql.join(values)})` : sql<SqlBool>`1 = 0`
}

/** Case-insensitive `like`; wildcards in the text are escaped. */
function contains(column: string, text: string): Expression<SqlBool> {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
}

/** The expression by which a query sorts. */
export function orderOf({ orderBy = 'name', include = [] }: UserQuery): Expression<unknown> {
  switch (orderBy) {
    case 'include': {
      const positions = include.filter(isRowId).map((id, position) => sql`when ${id} then ${sql.lit(position)}`)
      return positions.length > 0 ? sql`case users.id ${sql.join(positions, sql` `)} end` : sql.ref('users.id')
    }
    case 'name':
      return sql`lower(users.display_name)`
    case 'registered':
      return sql.ref('users.registered_gmt')
    default:
      return sql.ref(`users.${orderBy}`)
  }
}
