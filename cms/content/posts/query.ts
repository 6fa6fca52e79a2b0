import { type CompiledQuery, type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Schema } from '../../../core/database/index.ts'
import type { ContentParts } from '../parts.ts'
import { cleanText, type Db, inChunks, type PostRow, rowIds } from '../rows.ts'
import { firstFrequent } from '../search/count-found.ts'
import { type Question, readQuestion, type SearchScope, splitUnfinished } from '../search/question.ts'
import type { PeriodQuery, PostOrder, PostQuery } from '../types.ts'
import { RANKED, readCommonMatches } from './common-search.ts'
import { countByIndexes, countMatches } from './count-matches.ts'
import { filtersOf, placeOf, statusesOf, typesOf, unindexed } from './filters.ts'
import type { Sieve } from './sieve.ts'

type Rows = SelectQueryBuilder<Schema, 'posts', object>

export const DEFAULT_LIMIT = 10
/** Posts that a search may find before it counts as one for a common word. */
const FREQUENT = 1000
/** Cached statements of queries without a search, and maximum length of such a query as JSON: long lists of IDs rarely come again. */
const STATEMENTS = 200
const LONGEST_CACHED = 1000
/** Maximum number of combinations of types and statuses that are queried one by one, because each repeats all conditions. */
const MOST_KINDS = 12

/** The statements of a query, each compiled when it is first needed. */
interface Statements {
  page?: CompiledQuery<PostRow>
  total?: CompiledQuery<{ total: number }>
}

type QueryParts = Pick<ContentParts, 'database' | 'search' | 'versions'>

/**
 * A function that returns the posts that match a query, and their total number without its limit: two statements, three for a search by date,
 * one less without the total. Its second argument filters the posts afterward. Compiling a statement takes longer than running it, so those of
 * recent queries are reused.
 */
export function createPostQuery(parts: QueryParts) {
  const known = new LRUCache<string, Statements>({ max: STATEMENTS })
  return (query: PostQuery, sieve?: Pick<Sieve, 'looksForUnwanted'>) => {
    const { limit, offset } = rangeOf(query)
    const key = JSON.stringify([{ ...query, readableBy: undefined }, String(limit), String(offset)])
    const statements = known.get(key) ?? {}
    if (!query.search && key.length <= LONGEST_CACHED) known.set(key, statements)
    return queryPosts(parts, query, statements, sieve)
  }
}

async function queryPosts(
  { database: { db, kind }, search, versions }: QueryParts,
  query: PostQuery,
  statements: Statements,
  { looksForUnwanted }: Pick<Sieve, 'looksForUnwanted'> = { looksForUnwanted: false },
): Promise<{ rows: PostRow[]; total: number }> {
  const words = query.search === undefined || query.search.trim() === '' ? undefined : query.search
  const question = words === undefined ? undefined : readQuestion(words)
  const asked = question && (looksForUnwanted ? { ...question, unwanted: [] } : question)
  const place = placeOf(query.searchColumns)
  const found = asked && search.find(asked, place)
  // There is a search phrase, but it contains no words.
  if (words !== undefined && !found) return { rows: [], total: 0 }

  const isRanked = found !== undefined && (query.orderBy === 'relevance' || query.orderBy === undefined)
  const isNarrow = Boolean(query.slugs?.length || query.include?.length || query.parents?.length)
  /** The questions that together find what was asked for, if more posts than `most` match: first whole words, if these suffice. */
  const commonParts = async (asked: Question, most: number): Promise<Question[]> => {
    const split = splitUnfinished(asked)
    const ways = [...(split ? [[split.whole, split.longer]] : []), [asked]]
    const searches = ways.flatMap(([first]) => (first ? [search.find(first, place)] : []))
    return ways[await firstFrequent(db, searches, most)] ?? []
  }
  const isCommon =
    asked !== undefined && !isRanked && !isNarrow && !isJoined(query) && (await commonParts(asked, FREQUENT)).length > 0
  const isShort = isNarrow || (found !== undefined && !isCommon)
  const filtered = (asked = query, short = isShort) =>
    filtersOf(asked, short).reduce((rows: Rows, filter) => rows.where(filter), db.selectFrom('posts'))
  const direction = query.order === 'asc' ? 'asc' : 'desc'
  const { limit, offset } = rangeOf(query)

  const count = (matched: () => Pick<Rows, 'select'>) => {
    statements.total ??= matched()
      .select((build) => build.fn.countAll<number>().as('total'))
      .compile()
    const { total } = statements
    const kinds = { types: typesOf(query), statuses: statusesOf(query) }
    const faster = async () => {
      if (!found) return undefined
      if (kind === 'postgres') return countByIndexes({ db }, total)
      return filtersOf(query).length === 2 ? countMatches(db, found, kinds) : undefined
    }
    return versions.total('posts', total, faster)
  }

  /** A page that is not full is the last one, so no count is needed. */
  const totalOf = async (matched: () => Pick<Rows, 'select'>, { length }: readonly PostRow[]) =>
    query.noFoundRows || (length < limit && (length > 0 || offset === 0)) ? offset + length : await count(matched)

  if (asked && found && isRanked) {
    const ranked = filtered().innerJoin(found.as<'found'>('found'), 'found.id', 'posts.id')
    const parts = isNarrow ? [] : await commonParts(asked, RANKED)
    if (parts.length > 0) {
      // As in WordPress, first posts with the words in the title.
      const scopes: SearchScope[] = place ? [place] : ['with title', 'beyond title']
      const groups = parts.flatMap((part) => scopes.map((scope) => search.find(part, scope)))
      if (query.orderBy && query.order === 'asc') groups.reverse()
      // PostgreSQL cannot estimate conditions without an index, and would read all matches rather than the newest.
      const wanted = filtered(query, kind === 'sqlite')
      const rows = await readCommonMatches(db, wanted, { groups, limit, offset })
      const matched = () => wanted.innerJoin(found.as<'found'>('found'), 'found.id', 'posts.id')
      return { rows, total: await totalOf(matched, rows) }
    }
    const byRank = query.orderBy && query.order === 'asc' ? 'desc' : 'asc'
    const page = ranked
      .select(['posts.id', 'found.rank', sql<number>`count(*) over ()`.as('total')])
      .orderBy('found.rank', byRank)
      .orderBy('posts.id', 'desc')
      .limit(limit)
      .offset(offset)
    const rows = await db
      .selectFrom(page.as('page'))
      .innerJoin('posts', 'posts.id', 'page.id')
      .selectAll('posts')
      .select('page.total')
      .orderBy('page.rank', byRank)
      .orderBy('posts.id', 'desc')
      .execute()
    // All matches were read for their rank, so counting them costs nothing. A page beyond the last one has no row with the number.
    const [first] = rows
    return { rows, total: first && !query.noFoundRows ? Number(first.total) : await totalOf(() => ranked, rows) }
  }

  const matching = (asked = query, short = isShort) => {
    if (!found) return filtered(asked, short)
    // If many posts contain the word, the page is read in index order, and each post is looked up among the matches.
    const id = short ? sql.ref('posts.id') : unindexed('posts.id')
    return filtered(asked, short).where(sql<SqlBool>`${id} in (select id from ${found} as found)`)
  }
  const columns = columnsOf(query.orderBy ?? 'date', query)
  /** A small result is sorted; a large one is read in index order. */
  const inOrder = (from: Rows, isSorted: boolean): Rows => {
    let ordered = query.stickyFirst ? from.orderBy('posts.sticky', 'desc') : from
    for (const column of columns) {
      ordered = ordered.orderBy(isSorted && typeof column === 'string' ? unindexed(column) : column, direction)
    }
    return ordered
  }
  const kinds = [...new Set(typesOf(query))].flatMap((type) =>
    [...new Set(statusesOf(query))].map((status) => ({ types: [type], statuses: [status] })),
  )
  const candidates = () => {
    if (isShort || kinds.length < 2 || kinds.length > MOST_KINDS || query.stickyFirst)
      return inOrder(matching(), isShort)
    // An index is in order within one type and status, so the page is among the first of each.
    const firsts = kinds.map((kind) => {
      const first = inOrder(matching({ ...query, ...kind }), false)
        .select('posts.id')
        .limit(limit + offset)
      return sql`select id from (${first}) as first_of_kind`
    })
    return inOrder(
      db.selectFrom('posts').where(sql<SqlBool>`posts.id in (${sql.join(firsts, sql` union all `)})`),
      true,
    )
  }
  // Only ids are sorted: a database that sorts whole rows carries every text of the site around.
  const pageOf = () => {
    const page = candidates().select('posts.id').limit(limit).offset(offset)
    return inOrder(db.selectFrom('posts').where('posts.id', 'in', page), true)
      .selectAll('posts')
      .compile()
  }
  statements.page ??= pageOf()
  const { rows } = await db.executeQuery(statements.page)
  return { rows, total: await totalOf(() => matching(query, isShort || (isCommon && kind === 'sqlite')), rows) }
}

/** The range of a query. */
export function rangeOf({ limit = DEFAULT_LIMIT, offset = 0 }: Pick<PostQuery, 'limit' | 'offset'>): {
  limit: number
  offset: number
} {
  return { limit: Math.max(0, Math.trunc(limit)), offset: Math.max(0, Math.trunc(offset)) }
}

/** Whether the query joins other tables. */
function isJoined({ terms = {}, notTerms = {}, meta = {} }: PostQuery): boolean {
  return [terms, notTerms, meta].some((asked) => Object.keys(asked).length > 0)
}

type Column =
  | 'posts.date'
  | 'posts.modified'
  | 'posts.id'
  | 'posts.slug'
  | 'posts.author_id'
  | 'posts.parent_id'
  | 'posts.menu_order'

function columnsOf(order: PostOrder, query: PostQuery): (Column | Expression<unknown>)[] {
  switch (order) {
    case 'modified':
      return ['posts.modified', 'posts.id']
    case 'id':
      return ['posts.id']
    case 'title':
      // As in the index: PostgreSQL limits index entries to 2,700 bytes.
      return [sql`substr(lower(posts.title), 1, 200)`, 'posts.id']
    case 'slug':
      return ['posts.slug', 'posts.id']
    case 'author':
      return ['posts.author_id', 'posts.date', 'posts.id']
    case 'parent':
      return ['posts.parent_id', 'posts.date', 'posts.id']
    case 'menu_order':
      return ['posts.menu_order', 'posts.date', 'posts.id']
    case 'include':
      return [position('id', rowIds(query.include ?? []).map(String), true), 'posts.id']
    case 'include_slugs':
      return [position('slug', query.slugs ?? [], false), 'posts.id']
    default:
      return ['posts.date', 'posts.id']
  }
}

/** Position of a value in a list. As in WordPress the order of the list applies regardless of the direction, so positions are reversed. */
function position(column: 'id' | 'slug', list: readonly string[], numeric: boolean): Expression<unknown> {
  // Not a plain 0: in `order by` a number is a column.
  if (list.length === 0) return sql`posts.id * 0`
  const cases = list.map(
    (value, at) => sql`when ${numeric ? sql.lit(Number(value)) : cleanText(value)} then ${sql.lit(at)}`,
  )
  return sql`case ${sql.ref(`posts.${column}`)} ${sql.join(cases, sql` `)} else ${sql.lit(list.length)} end`
}

/** Public posts of the same type adjacent to a post by date in one direction, nearest first. */
export async function queryAdjacent(
  db: Db,
  post: Pick<PostRow, 'id' | 'type' | 'date'>,
  side: 'previous' | 'next',
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PostRow[]> {
  const [operator, direction] = side === 'previous' ? (['<', 'desc'] as const) : (['>', 'asc'] as const)
  // Compared as a row, which starts in the index at the post; for an "or", SQLite would read all posts on its other side.
  return db
    .selectFrom('posts')
    .selectAll()
    .where('type', '=', post.type)
    .where('status', '=', 'publish')
    .where((build) => build(build.refTuple('date', 'id'), operator, build.tuple(post.date, post.id)))
    .orderBy('date', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Number of revisions of each post, and the latest one. */
export async function queryRevisions(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { count: number; latestId: number }>> {
  // Written out: every list runs this, and building the statement takes longer than running it. With `group by`, SQLite reads the values of
  // each revision instead of only counting the entries of the index.
  const rows = await inChunks(ids, async (some) => {
    const { rows } = await sql<{ id: number; count: number; latest_id: number | null }>`
      select id,
        (select count(*) from posts as revision where revision.type = 'revision' and revision.parent_id = posts.id) as count,
        (select max(revision.id) from posts as revision where revision.type = 'revision' and revision.parent_id = posts.id) as latest_id
      from posts where id in (${sql.join(some)})`.execute(db)
    return rows
  })
  const latest = rows.flatMap(({ id, count, latest_id: latestId }) => {
    return latestId === null ? [] : [[id, { count: Number(count), latestId }] as const]
  })
  return new Map(latest)
}

/** Number of public posts of a type per day, month or year, newest first: `2026-01-05`, `2026-01`, `2026`. */
export async function queryPeriods(
  db: Db,
  type: string,
  { unit, after, before }: PeriodQuery,
): Promise<{ period: string; count: number }[]> {
  const period = sql<string>`substr(date, 1, ${sql.lit(UNITS[unit])})`
  let query = db
    .selectFrom('posts')
    .select([period.as('period'), (build) => build.fn.countAll<number>().as('count')])
    .where('type', '=', cleanText(type))
    .where('status', '=', 'publish')
  if (after !== undefined) query = query.where('date', '>=', after.replace('T', ' '))
  if (before !== undefined) query = query.where('date', '<', before.replace('T', ' '))
  const rows = await query.groupBy(period).orderBy(period, 'desc').execute()
  return rows.map((row) => ({ period: row.period, count: Number(row.count) }))
}

/** Length of the part of a date that identifies the period. */
const UNITS = { day: 10, month: 7, year: 4 } as const
