import { type Expression, type SqlBool, sql } from 'kysely'
import { isReference, isRowId } from '../../../core/database/row-id.ts'
import { cleanText, toJsonText } from '../rows.ts'
import { readTime } from '../site-time.ts'
import type { PostQuery, TermFilter } from '../types.ts'

type Filter = Expression<SqlBool>

const NOTHING: Filter = sql<SqlBool>`1 = 0`

/** The condition of most indexes of `posts`; databases use them only for queries that contain it. */
export const NOT_REVISION = sql<SqlBool>`posts.type <> 'revision'`

/**
 * The conditions that a query puts on a row of `posts`.
 * @param isShort when the query names the few posts itself: without statistics SQLite would still rather walk all posts
 * of the type and status.
 */
export function filtersOf(query: PostQuery, isShort = false): Filter[] {
  const types = typesOf(query)
  const filters: Filter[] = [inTypes(types, isShort), inTexts('status', statusesOf(query), isShort)]
  const texts = (column: TextColumn, values: readonly string[] | undefined) => {
    if (values?.length) filters.push(inTexts(column, values))
  }
  const ids = (column: IdColumn, values: readonly number[] | undefined, not = false) => {
    if (values?.length) filters.push(inIds(column, values, not))
  }
  ids('author_id', query.authors)
  ids('author_id', query.notAuthors, true)
  ids('id', query.include)
  ids('id', query.exclude, true)
  if (query.parents?.length) filters.push(hasParent(query.parents, types))
  ids('parent_id', query.notParents, true)
  if (query.menuOrder !== undefined) filters.push(inIds('menu_order', [query.menuOrder], false))
  texts('slug', query.slugs)
  if (query.mimeTypes?.length) filters.push(inMimeTypes(query.mimeTypes))
  if (query.sticky !== undefined) filters.push(sql<SqlBool>`posts.sticky = ${sql.lit(query.sticky ? 1 : 0)}`)
  if (query.hasPassword !== undefined)
    filters.push(query.hasPassword ? sql<SqlBool>`posts.password <> ''` : sql<SqlBool>`posts.password = ''`)
  if (query.others) filters.push(ownOr(query.others))
  if (query.parentsFor !== undefined) filters.push(hasOpenParent(query.parentsFor))
  filters.push(...columnFilters(query))
  if (query.textContains) filters.push(containsText(query.textContains, ['title', 'content', 'excerpt']))
  filters.push(...timeFilters(query), ...termFilters(query), ...metaFilters(query))
  return filters
}

export function typesOf({ types }: PostQuery): readonly string[] {
  return types?.length ? types : ['post']
}

export function statusesOf({ statuses }: PostQuery): readonly string[] {
  return statuses?.length ? statuses : ['publish']
}

type TextPlace = 'title' | 'content' | 'excerpt'

/** The part of the index in which all of the columns lie. */
export function placeOf(columns: readonly TextPlace[] | undefined): 'title' | 'content' | undefined {
  if (!columns?.length || (columns.includes('title') && columns.length > 1)) return undefined
  return columns.includes('title') ? 'title' : 'content'
}

/** The index does not distinguish excerpt and content, so matches are checked again. */
function columnFilters({ search, searchColumns: columns = [] }: PostQuery): Filter[] {
  if (search === undefined || columns.length === 0 || columns.includes('content') === columns.includes('excerpt')) {
    return []
  }
  const words = search.split(/[\s"]+/).filter((word) => word !== '' && !word.startsWith('-'))
  return words.slice(0, 12).map((word) => containsText(word, columns))
}

function containsText(text: string, columns: readonly TextPlace[]): Filter {
  const pattern = `%${cleanText(text)
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`
  const filters = columns.map((column) => sql`lower(${sql.ref(`posts.${column}`)}) like ${pattern} escape '\\'`)
  return sql<SqlBool>`(${sql.join(filters, sql` or `)})`
}

/** Posts of the user, and those of others with these statuses. */
export function ownOr({ than, statuses }: NonNullable<PostQuery['others']>): Filter {
  const own = isRowId(than) ? sql<SqlBool>`posts.author_id = ${than}` : NOTHING
  return statuses.length > 0 ? sql<SqlBool>`(${own} or ${inTexts('status', statuses)})` : own
}

function hasOpenParent(userId: number): Filter {
  return sql<SqlBool>`not exists (select 1 from posts as parent where parent.id = posts.parent_id
    and parent.status not in ('publish', 'inherit') and (parent.author_id = 0 or parent.author_id <> ${userId}))`
}

type TextColumn = 'type' | 'status' | 'slug'
type IdColumn = 'id' | 'author_id' | 'parent_id' | 'menu_order'

function inTexts(column: TextColumn, values: readonly string[], isShort = false): Filter {
  const value = isShort ? unindexed(`posts.${column}`) : sql.ref(`posts.${column}`)
  return sql<SqlBool>`${value} in (${sql.join([...new Set(values)].map(cleanText))})`
}

function inTypes(types: readonly string[], isShort: boolean): Filter {
  const filter = inTexts('type', types, isShort)
  return isShort || types.includes('revision') ? filter : sql<SqlBool>`(${filter} and ${NOT_REVISION})`
}

/** A column in a form that no index contains. */
export function unindexed(column: string): Expression<unknown> {
  return sql`coalesce(${sql.ref(column)}, ${sql.ref(column)})`
}

/** A separate condition on these types, because almost all other posts have the parent 0. */
function hasParent(parents: readonly number[], types: readonly string[]): Filter {
  const list = parents.filter(isReference)
  if (list.length === 0) return NOTHING
  return sql<SqlBool>`posts.id in (
    select id from posts as child where child.parent_id in (${sql.join(list)})
      and child.type in (${sql.join(types.map(cleanText))}))`
}

function inMimeTypes(types: readonly string[]): Filter {
  const filters = types.map((type) => {
    const own = cleanText(type)
    if (type.includes('/')) return sql<SqlBool>`posts.mime_type = ${own}`
    return sql<SqlBool>`substr(posts.mime_type, 1, ${sql.lit(own.length + 1)}) = ${`${own}/`}`
  })
  return sql<SqlBool>`(${sql.join(filters, sql` or `)})`
}

function inIds(column: IdColumn, values: readonly number[], not: boolean): Filter {
  const list = [...new Set(values)].filter(isReference)
  if (list.length === 0) return not ? sql<SqlBool>`1 = 1` : NOTHING
  return sql<SqlBool>`${sql.ref(`posts.${column}`)} ${not ? sql`not in` : sql`in`} (${sql.join(list)})`
}

/** WordPress compares site time, and excludes the moment itself. */
function timeFilters({ after, before, modifiedAfter, modifiedBefore }: PostQuery): Filter[] {
  const filters: Filter[] = []
  const add = (name: string, column: 'date' | 'modified', operator: '<' | '>', value: string | undefined) => {
    const time = readTime(name, value)
    if (time !== undefined) filters.push(sql<SqlBool>`${sql.ref(`posts.${column}`)} ${sql.raw(operator)} ${time}`)
  }
  add('after', 'date', '>', after)
  add('before', 'date', '<', before)
  add('modified_after', 'modified', '>', modifiedAfter)
  add('modified_before', 'modified', '<', modifiedBefore)
  return filters
}

function termFilters({ terms = {}, notTerms = {}, termRelation }: PostQuery): Filter[] {
  const asked = Object.values(terms).filter(({ ids }) => ids.length > 0)
  const isEither = termRelation === 'or' && asked.length > 1
  const filters = asked.map((filter, at) => hasTerms(filter, isEither || at === 0))
  if (isEither) filters.splice(0, filters.length, sql<SqlBool>`(${sql.join(filters, sql` or `)})`)
  for (const filter of Object.values(notTerms))
    if (filter.ids.length > 0) filters.push(sql<SqlBool>`not (${hasTerms(filter)})`)
  return filters
}

function metaFilters({ meta = {}, terms = {} }: PostQuery): Filter[] {
  const hasLeader = Object.values(terms).some(({ ids }) => ids.length > 0)
  return Object.entries(meta).map(
    ([key, value], at) => sql<SqlBool>`${idOf(!hasLeader && at === 0)} in (
      select post_id from postmeta where meta_key = ${cleanText(key)} and meta_value = ${toJsonText(value)})`,
  )
}

/**
 * The id to compare with those of a subquery. Only the first condition uses an index to find posts, the others filter its result: SQLite
 * would otherwise combine two indexes in a nested loop.
 */
function idOf(leads: boolean): Expression<unknown> {
  return leads ? sql.ref('posts.id') : unindexed('posts.id')
}

/** @param leads whether the database may start from this condition */
function hasTerms({ ids, all, withChildren }: TermFilter, leads = true): Filter {
  const wanted = ids.filter(isRowId)
  const groups = all ? wanted.map((id) => [id]) : [wanted]
  if (wanted.length === 0 || (all && wanted.length < ids.length)) return NOTHING
  const filters = groups.map((group, at) => {
    const list = sql.join(group)
    const termIds = withChildren
      ? sql`with recursive below(id) as (select id from terms where id in (${list})
            union select terms.id from terms join below on terms.parent_id = below.id where terms.parent_id <> 0)
            select id from below`
      : list
    return sql<SqlBool>`${idOf(leads && at === 0)} in (
      select post_id from term_relationships where term_id in (${termIds}))`
  })
  return sql<SqlBool>`(${sql.join(filters, sql` and `)})`
}
