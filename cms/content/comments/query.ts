import { type Expression, type SqlBool, sql } from 'kysely'
import { isReference } from '../../../core/database/row-id.ts'
import type { ContentParts } from '../parts.ts'
import { unindexed } from '../posts/filters.ts'
import { type CommentRow, cleanText, type Db, rowIds } from '../rows.ts'
import { readTime } from '../site-time.ts'
import type { CommentQuery } from '../types.ts'

const DEFAULT_LIMIT = 10
type Filter = Expression<SqlBool>
type IdColumn = 'id' | 'post_id' | 'parent_id' | 'user_id'

/** The comments that match a query, and their total number without its limit. Empty lists are ignored. */
export async function queryComments(
  { database: { db }, versions }: Pick<ContentParts, 'database' | 'versions'>,
  query: CommentQuery,
): Promise<{ rows: CommentRow[]; total: number }> {
  const filtered = (isOfPosts = false) =>
    filtersOf(query, isOfPosts).reduce((rows, filter) => rows.where(filter), db.selectFrom('comments'))
  const direction = query.order ?? 'desc'
  let ordered = filtered().selectAll('comments')
  for (const column of columnsOf(query)) ordered = ordered.orderBy(column, direction)
  const { limit, offset } = rangeOf(query)
  const rows = await ordered.limit(limit).offset(offset).execute()
  if (query.noFoundRows) return { rows, total: offset + rows.length }
  // Without statistics, SQLite would otherwise count through all comments of the site with that status.
  const counted = filtered(Boolean(query.posts?.length)).select((build) => build.fn.countAll<number>().as('total'))
  return { rows, total: await versions.total('comments', counted.compile()) }
}

/** The range of a query. */
export function rangeOf({ limit = DEFAULT_LIMIT, offset = 0 }: Pick<CommentQuery, 'limit' | 'offset'>): {
  limit: number
  offset: number
} {
  return { limit: Math.max(0, Math.trunc(limit)), offset: Math.max(0, Math.trunc(offset)) }
}

/** Ids of the comments with an approved reply. */
export async function commentsWithReplies(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const some = rowIds(ids)
  if (some.length === 0) return new Set()
  const rows = await db
    .selectFrom('comments')
    .select('parent_id')
    .distinct()
    .where('parent_id', 'in', some)
    // Without statistics, SQLite would otherwise look through all approved comments of the site.
    .where(unindexed('comments.status'), '=', 'approved')
    .execute()
  return new Set(rows.map((row) => row.parent_id))
}

/** @param isOfPosts whether the comments must be found by their posts */
function filtersOf(query: CommentQuery, isOfPosts: boolean): Filter[] {
  const filters: Filter[] = []
  const ids = (column: IdColumn, values: readonly number[] | undefined, not = false) => {
    if (!values?.length) return
    const list = values.filter(isReference)
    const operator = not ? sql`not in` : sql`in`
    if (list.length > 0) filters.push(sql<SqlBool>`${sql.ref(`comments.${column}`)} ${operator} (${sql.join(list)})`)
    else if (!not) filters.push(sql<SqlBool>`1 = 0`)
  }
  ids('id', query.include)
  ids('id', query.exclude, true)
  ids('post_id', query.posts)
  ids('parent_id', query.parents)
  ids('parent_id', query.notParents, true)
  ids('user_id', query.authors)
  ids('user_id', query.notAuthors, true)
  const status = isOfPosts ? unindexed('comments.status') : sql.ref('comments.status')
  if (query.statuses?.length) filters.push(sql<SqlBool>`${status} in (${sql.join(query.statuses.map(cleanText))})`)
  if (query.types?.length) filters.push(sql<SqlBool>`comments.type in (${sql.join(query.types.map(cleanText))})`)
  if (query.authorEmail !== undefined)
    filters.push(sql<SqlBool>`lower(comments.author_email) = ${cleanText(query.authorEmail).toLowerCase()}`)
  if (query.ofPublishedPosts) {
    const withoutPassword = query.ofPasswordPosts ? sql`` : sql` and posts.password = ''`
    filters.push(sql<SqlBool>`exists (
      select 1 from posts where posts.id = comments.post_id and posts.status = 'publish'${withoutPassword})`)
  }
  if (query.postTypes?.length) {
    filters.push(sql<SqlBool>`exists (
      select 1 from posts
      where posts.id = comments.post_id and posts.type in (${sql.join(query.postTypes.map(cleanText))}))`)
  }
  if (query.search) filters.push(contains(query.search))
  const after = readTime('after', query.after)
  const before = readTime('before', query.before)
  if (after !== undefined) filters.push(sql<SqlBool>`comments.date > ${after}`)
  if (before !== undefined) filters.push(sql<SqlBool>`comments.date < ${before}`)
  return filters
}

/** IP addresses of commenters are not searched, because they are private. */
function contains(search: string): Filter {
  const pattern = `%${cleanText(search)
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`
  const like = (column: 'content' | 'author_name' | 'author_url') =>
    sql<SqlBool>`lower(${sql.ref(`comments.${column}`)}) like ${pattern} escape '\\'`
  return sql<SqlBool>`(${like('content')} or ${like('author_name')} or ${like('author_url')})`
}

function columnsOf({ orderBy, include }: CommentQuery): Expression<unknown>[] {
  const byId = sql`comments.id`
  switch (orderBy) {
    case 'id':
      return [byId]
    case 'post':
      return [sql`comments.post_id`, byId]
    case 'parent':
      return [sql`comments.parent_id`, byId]
    case 'type':
      return [sql`comments.type`, byId]
    case 'include':
      return [position(rowIds(include ?? [])), byId]
    default:
      return [sql`comments.date_gmt`, byId]
  }
}

/** Position of an id in a list. */
function position(ids: readonly number[]): Expression<unknown> {
  if (ids.length === 0) return sql`comments.id * 0`
  const cases = ids.map((id, at) => sql`when ${sql.lit(id)} then ${sql.lit(at)}`)
  return sql`case comments.id ${sql.join(cases, sql` `)} else ${sql.lit(ids.length)} end`
}
