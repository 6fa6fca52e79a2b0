import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../rows.ts'

type Found = RawBuilder<{ id: number }>

/** Number of posts that match a search, counted up to `most` + 1. */
export async function countFound(db: Db, found: Found, most: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`select ${countOf(found, most)} as total`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/** Index of the first of some searches that more than `most` posts match; -1 without one. */
export async function firstFrequent(db: Db, searches: readonly Found[], most: number): Promise<number> {
  const cases = searches.map((found, at) => sql`when ${countOf(found, most)} > ${sql.lit(most)} then ${sql.lit(at)}`)
  const { rows } = await sql<{ place: number }>`select case ${sql.join(cases, sql` `)} else -1 end as place`.execute(db)
  return Number(rows[0]?.place ?? -1)
}

function countOf(found: Found, most: number) {
  return sql`(select count(*) from (select 1 from ${found} as found limit ${sql.lit(most + 1)}) as counted)`
}
