import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../core/database/index.ts'
import { cleanText, type Db } from '../rows.ts'
import { countFound } from '../search/count-found.ts'

/** Number of other posts per match up to which excluding them from the matches is faster than reading each match. */
const OTHERS = 4

/**
 * Counts the matches of a search among the posts of some types and statuses in SQLite. The index of words contains neither, and reading the
 * row of each match takes ten times as long as counting the matches without the other posts, which are few on most sites.
 * @returns `undefined` if there are many other posts
 */
export async function countMatches(
  db: Db,
  found: RawBuilder<{ id: number }>,
  kinds: { readonly types: readonly string[]; readonly statuses: readonly string[] },
): Promise<number | undefined> {
  const matches = await countFound(db, found, Number.MAX_SAFE_INTEGER - 1)
  const others = othersThan(kinds)
  const count = await countFound(db, sql`(${others})`, OTHERS * matches)
  if (count === 0) return matches
  // The plus sign keeps SQLite from asking the index of words for each ID.
  return count > OTHERS * matches
    ? undefined
    : countFound(db, sql`(select id from ${found} as found where +id not in (${others}))`, matches)
}

/** IDs of the posts of all other types and statuses, by an index. The index of words contains no revisions and automatic drafts. */
function othersThan({ types, statuses }: Parameters<typeof countMatches>[2]) {
  const [given, shown] = [types, statuses].map((names) => [...new Set(names.map(cleanText))])
  const parts = [
    ...otherThan('type', [...(given ?? []), 'revision']),
    ...(given ?? []).flatMap((type) =>
      otherThan('status', [...(shown ?? []), 'auto-draft']).map((status) => sql`type = ${type} and ${status}`),
    ),
  ]
  return sql.join(
    parts.map((part) => sql`select id from posts where ${part}`),
    sql` union all `,
  )
}

/** The ranges between values, since SQLite uses no index for `not in`. */
function otherThan(column: 'type' | 'status', values: readonly string[]) {
  const sorted = [...new Set(values)].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  const name = sql.ref(column)
  return [undefined, ...sorted].map((from, at) => {
    const to = sorted[at]
    const bounds = [
      ...(from === undefined ? [] : [sql`${name} > ${from}`]),
      ...(to === undefined ? [] : [sql`${name} < ${to}`]),
    ]
    return sql.join(bounds, sql` and `)
  })
}

/**
 * Counts the matches of a search in PostgreSQL. It takes a comparison of words for as cheap as one of numbers, so without the setting, it would
 * compare the words of each post instead of reading the index of words if many posts match.
 */
export function countByIndexes(
  { db }: Pick<Database, 'db'>,
  statement: CompiledQuery<{ total: number }>,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction)
    const { rows } = await transaction.executeQuery(statement)
    return Number(rows[0]?.total)
  })
}
