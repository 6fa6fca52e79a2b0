import { type Expression, type SqlBool, sql } from 'kysely'
import { isReference, isRowId } from '../../../core/database/row-id.ts'
import { cleanText, type Db, rowIds, type TermRow } from '../rows.ts'
import type { TermQuery } from '../types.ts'

const DEFAULT_LIMIT = 10

/** The terms that match a query, and their total number without its limit. Empty lists are ignored. */
export async function queryTerms(db: Db, query: TermQuery): Promise<{ rows: TermRow[]; total: number }> {
  const filters = filtersOf(query)
  const filtered = () => filters.reduce((rows, filter) => rows.where(filter), db.selectFrom('terms'))
  let ordered = filtered().selectAll('terms')
  const direction = query.order ?? 'asc'
  for (const column of columnsOf(query)) ordered = ordered.orderBy(column, direction)
  const rows = await ordered
    .limit(Math.max(0, Math.trunc(query.limit ?? DEFAULT_LIMIT)))
    .offset(Math.max(0, Math.trunc(query.offset ?? 0)))
    .execute()
  const { total } = await filtered()
    .select((build) => build.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

function filtersOf(query: TermQuery): Expression<SqlBool>[] {
  const filters = [sql<SqlBool>`terms.taxonomy = ${cleanText(query.taxonomy)}`]
  if (query.include?.length) {
    const ids = rowIds(query.include)
    filters.push(ids.length > 0 ? sql<SqlBool>`terms.id in (${sql.join(ids)})` : sql<SqlBool>`1 = 0`)
  }
  const excluded = rowIds(query.exclude ?? [])
  if (excluded.length > 0) filters.push(sql<SqlBool>`terms.id not in (${sql.join(excluded)})`)
  if (query.slugs?.length) filters.push(sql<SqlBool>`terms.slug in (${sql.join(query.slugs.map(cleanText))})`)
  if (query.parent !== undefined)
    filters.push(isReference(query.parent) ? sql<SqlBool>`terms.parent_id = ${query.parent}` : sql<SqlBool>`1 = 0`)
  if (query.postId !== undefined)
    filters.push(
      isRowId(query.postId)
        ? sql<SqlBool>`terms.id in (select term_id from term_relationships where post_id = ${query.postId})`
        : sql<SqlBool>`1 = 0`,
    )
  if (query.search) {
    const pattern = `%${cleanText(query.search)
      .toLowerCase()
      .replace(/[\\%_]/g, '\\$&')}%`
    filters.push(
      sql<SqlBool>`(lower(terms.name) like ${pattern} escape '\\' or lower(terms.slug) like ${pattern} escape '\\')`,
    )
  }
  if (query.hideEmpty) filters.push(sql<SqlBool>`terms.count > 0`)
  return filters
}

function columnsOf({ orderBy, include, slugs }: TermQuery): Expression<unknown>[] {
  const byName = [sql`lower(terms.name)`, sql`terms.id`]
  switch (orderBy) {
    case 'id':
    case 'term_group':
      return [sql`terms.id`]
    case 'slug':
      return [sql`terms.slug`]
    case 'count':
      return [sql`terms.count`, ...byName]
    case 'description':
      return [sql`terms.description`, ...byName]
    case 'include':
      return [
        position(
          sql`terms.id`,
          rowIds(include ?? []).map((id) => sql.lit(id)),
        ),
        ...byName,
      ]
    case 'include_slugs':
      return [
        position(
          sql`terms.slug`,
          (slugs ?? []).map((slug) => sql`${cleanText(slug)}`),
        ),
        ...byName,
      ]
    default:
      return byName
  }
}

function position(column: Expression<unknown>, list: readonly Expression<unknown>[]): Expression<unknown> {
  if (list.length === 0) return sql`terms.parent_id * 0`
  const cases = list.map((value, at) => sql`when ${value} then ${sql.lit(at)}`)
  return sql`case ${column} ${sql.join(cases, sql` `)} else ${sql.lit(list.length)} end`
}
