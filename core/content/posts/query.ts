import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../database/index.ts'
import type { ContentParts } from '../parts.ts'
import { cleanText, type Db, inChunks, isRowId, type PostRow, rowIds } from '../rows.ts'
import { readTime } from '../site-time.ts'
import type { PostOrder, PostQuery, TermFilter } from '../types.ts'

type Rows = SelectQueryBuilder<Schema, 'posts', object>
type Filter = Expression<SqlBool>

const DEFAULT_LIMIT = 10
const NOTHING: Filter = sql<SqlBool>`1 = 0`

/** The posts a query asks for, and how many there are without its limit: two statements, whatever is asked. */
export async function queryPosts(
  { database: { db }, search }: Pick<ContentParts, 'database' | 'search'>,
  query: PostQuery,
): Promise<{ rows: PostRow[]; total: number }> {
  const words = query.search === undefined || query.search.trim() === '' ? undefined : query.search
  const found = words === undefined ? undefined : search.find(words)
  // Something was asked for, but there is no word in it.
  if (words !== undefined && !found) return { rows: [], total: 0 }

  const filters = filtersOf(query)
  const filtered = () => filters.reduce((rows: Rows, filter) => rows.where(filter), db.selectFrom('posts'))
  const direction = query.order === 'asc' ? 'asc' : 'desc'
  const limit = Math.max(0, Math.trunc(query.limit ?? DEFAULT_LIMIT))
  const offset = Math.max(0, Math.trunc(query.offset ?? 0))

  if (found && (query.orderBy === 'relevance' || query.orderBy === undefined)) {
    const ranked = filtered().innerJoin(found.as<'found'>('found'), 'found.id', 'posts.id')
    const byRank = query.orderBy && query.order === 'asc' ? 'desc' : 'asc'
    const page = ranked
      .select(['posts.id', 'found.rank'])
      .orderBy('found.rank', byRank)
      .orderBy('posts.date_gmt', 'desc')
      .orderBy('posts.id', 'desc')
      .limit(limit)
      .offset(offset)
    const rows = await db
      .selectFrom(page.as('page'))
      .innerJoin('posts', 'posts.id', 'page.id')
      .selectAll('posts')
      .orderBy('page.rank', byRank)
      .orderBy('posts.date_gmt', 'desc')
      .orderBy('posts.id', 'desc')
      .execute()
    return { rows, total: await count(ranked) }
  }

  const matching = () =>
    found ? filtered().where(sql<SqlBool>`posts.id in (select id from ${found} as found)`) : filtered()
  const columns = columnsOf(query.orderBy ?? 'date', query)
  const inOrder = (from: Rows): Rows => {
    const ordered = query.stickyFirst ? from.orderBy('posts.sticky', 'desc') : from
    return columns.reduce<Rows>((rows, column) => rows.orderBy(column, direction), ordered)
  }
  // Only ids are sorted: a database that sorts whole rows carries every text of the site around.
  const page = inOrder(matching()).select('posts.id').limit(limit).offset(offset)
  const rows = await inOrder(db.selectFrom('posts').where('posts.id', 'in', page))
    .selectAll('posts')
    .execute()
  return { rows, total: await count(matching()) }
}

async function count(rows: Pick<Rows, 'select'>): Promise<number> {
  const { total } = await rows.select((build) => build.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

type Column =
  | 'posts.date_gmt'
  | 'posts.modified_gmt'
  | 'posts.id'
  | 'posts.slug'
  | 'posts.author_id'
  | 'posts.parent_id'
  | 'posts.menu_order'

function columnsOf(order: PostOrder, query: PostQuery): (Column | Expression<unknown>)[] {
  switch (order) {
    case 'modified':
      return ['posts.modified_gmt', 'posts.id']
    case 'id':
      return ['posts.id']
    case 'title':
      return [sql`lower(posts.title)`, 'posts.id']
    case 'slug':
      return ['posts.slug', 'posts.id']
    case 'author':
      return ['posts.author_id', 'posts.date_gmt', 'posts.id']
    case 'parent':
      return ['posts.parent_id', 'posts.date_gmt', 'posts.id']
    case 'menu_order':
      return ['posts.menu_order', 'posts.date_gmt', 'posts.id']
    case 'include':
      return [position('id', rowIds(query.include ?? []).map(String), true), 'posts.id']
    case 'include_slugs':
      return [position('slug', query.slugs ?? [], false), 'posts.id']
    default:
      return ['posts.date_gmt', 'posts.id']
  }
}

/** Where a value stands in a list. As in WordPress the order of the list counts whatever direction is asked, so the last is 0 from behind. */
function position(column: 'id' | 'slug', list: readonly string[], numeric: boolean): Expression<unknown> {
  if (list.length === 0) return sql`0`
  const cases = list.map(
    (value, at) => sql`when ${numeric ? sql.lit(Number(value)) : cleanText(value)} then ${sql.lit(at)}`,
  )
  return sql`case ${sql.ref(`posts.${column}`)} ${sql.join(cases, sql` `)} else ${sql.lit(list.length)} end`
}

function filtersOf(query: PostQuery): Filter[] {
  const filters: Filter[] = [
    inTexts('type', query.types?.length ? query.types : ['post']),
    inTexts('status', query.statuses?.length ? query.statuses : ['publish']),
  ]
  const ids = (column: IdColumn, values: readonly number[] | undefined, not = false) => {
    if (values?.length) filters.push(inIds(column, values, not))
  }
  ids('author_id', query.authors)
  ids('author_id', query.notAuthors, true)
  ids('id', query.include)
  ids('id', query.exclude, true)
  if (query.parents?.length) filters.push(hasParent(query.parents, query.types))
  ids('parent_id', query.notParents, true)
  if (query.menuOrder !== undefined) filters.push(inIds('menu_order', [query.menuOrder], false))
  if (query.slugs?.length) filters.push(hasSlug(query.slugs))
  if (query.mimeTypes?.length) filters.push(inMimeTypes(query.mimeTypes))
  if (query.sticky !== undefined) filters.push(sql<SqlBool>`posts.sticky = ${sql.lit(query.sticky ? 1 : 0)}`)
  if (query.hasPassword !== undefined)
    filters.push(query.hasPassword ? sql<SqlBool>`posts.password <> ''` : sql<SqlBool>`posts.password = ''`)
  if (query.others) filters.push(ownOr(query.others))
  filters.push(...timeFilters(query), ...termFilters(query))
  return filters
}

function ownOr({ than, statuses }: NonNullable<PostQuery['others']>): Filter {
  const own = isRowId(than) && than > 0 ? sql<SqlBool>`posts.author_id = ${than}` : NOTHING
  return statuses.length > 0 ? sql<SqlBool>`(${own} or ${inTexts('status', statuses)})` : own
}

type TextColumn = 'type' | 'status'
/** Looked up on its own: otherwise SQLite would rather read all posts in the order that is asked for. */
function hasSlug(slugs: readonly string[]): Filter {
  const list = sql.join([...new Set(slugs)].map(cleanText))
  return sql<SqlBool>`posts.id in (select id from posts as named where named.slug in (${list}))`
}

/** Looked up on its own too, among the posts of these types: as good as all others have the parent 0. */
function hasParent(parents: readonly number[], types: readonly string[] | undefined): Filter {
  const list = parents.filter(isRowId)
  if (list.length === 0) return NOTHING
  const own = sql.join((types?.length ? types : ['post']).map(cleanText))
  return sql<SqlBool>`posts.id in (
    select id from posts as child where child.parent_id in (${sql.join(list)}) and child.type in (${own}))`
}

type IdColumn = 'id' | 'author_id' | 'parent_id' | 'menu_order'

function inTexts(column: TextColumn, values: readonly string[]): Filter {
  return sql<SqlBool>`${sql.ref(`posts.${column}`)} in (${sql.join([...new Set(values)].map(cleanText))})`
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
  const list = values.filter(isRowId)
  if (list.length === 0) return not ? sql<SqlBool>`1 = 1` : NOTHING
  return sql<SqlBool>`${sql.ref(`posts.${column}`)} ${not ? sql`not in` : sql`in`} (${sql.join(list)})`
}

/** WordPress compares with site time, and leaves the moment itself out. */
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
  const filters = Object.values(terms).flatMap((filter) => (filter.ids.length > 0 ? [hasTerms(filter)] : []))
  if (termRelation === 'or' && filters.length > 1)
    filters.splice(0, filters.length, sql<SqlBool>`(${sql.join(filters, sql` or `)})`)
  for (const filter of Object.values(notTerms))
    if (filter.ids.length > 0) filters.push(sql<SqlBool>`not (${hasTerms(filter)})`)
  return filters
}

function hasTerms({ ids, all, withChildren }: TermFilter): Filter {
  const wanted = ids.filter(isRowId)
  const groups = all ? wanted.map((id) => [id]) : [wanted]
  if (wanted.length === 0 || (all && wanted.length < ids.length)) return NOTHING
  const filters = groups.map((group) => {
    const list = sql.join(group)
    const termIds = withChildren
      ? sql`with recursive below(id) as (select id from terms where id in (${list})
            union select terms.id from terms join below on terms.parent_id = below.id where terms.parent_id <> 0)
            select id from below`
      : list
    return sql<SqlBool>`posts.id in (select post_id from term_relationships where term_id in (${termIds}))`
  })
  return sql<SqlBool>`(${sql.join(filters, sql` and `)})`
}

/** The public neighbours of a post by date. */
export async function queryNeighbours(
  db: Db,
  post: Pick<PostRow, 'id' | 'type' | 'date_gmt'>,
): Promise<{ previous: PostRow | undefined; next: PostRow | undefined }> {
  const side = (operator: '<' | '>', direction: 'asc' | 'desc') =>
    db
      .selectFrom('posts')
      .selectAll()
      .where('type', '=', post.type)
      .where('status', '=', 'publish')
      .where((build) =>
        build.or([
          build('date_gmt', operator, post.date_gmt),
          build.and([build('date_gmt', '=', post.date_gmt), build('id', operator, post.id)]),
        ]),
      )
      .orderBy('date_gmt', direction)
      .orderBy('id', direction)
      .limit(1)
      .executeTakeFirst()
  return { previous: await side('<', 'desc'), next: await side('>', 'asc') }
}

/** How many revisions each of the posts has, and the newest. */
export async function queryRevisions(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { count: number; latestId: number }>> {
  const rows = await inChunks(ids, (some) =>
    db
      .selectFrom('posts')
      .select((build) => [
        'parent_id',
        build.fn.countAll<number>().as('count'),
        build.fn.max<number>('id').as('latest_id'),
      ])
      .where('type', '=', 'revision')
      .where('parent_id', 'in', some)
      .groupBy('parent_id')
      .execute(),
  )
  return new Map(rows.map((row) => [row.parent_id, { count: Number(row.count), latestId: row.latest_id }]))
}

/** How many posts of a type are public in each month of site time, newest first. */
export async function queryMonths(db: Db, type: string): Promise<{ year: number; month: number; count: number }[]> {
  const rows = await db
    .selectFrom('posts')
    .select([sql<string>`substr(date, 1, 7)`.as('month'), (build) => build.fn.countAll<number>().as('count')])
    .where('type', '=', cleanText(type))
    .where('status', '=', 'publish')
    .groupBy(sql`substr(date, 1, 7)`)
    .orderBy(sql`substr(date, 1, 7)`, 'desc')
    .execute()
  return rows.map(({ month, count }) => ({
    year: Number(month.slice(0, 4)),
    month: Number(month.slice(5)),
    count: Number(count),
  }))
}
