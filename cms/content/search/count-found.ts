import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../rows.ts'

/** Number of posts that match a search, counted up to `most` + 1. */
export async function countFound(db: Db, found: RawBuilder<{ id: number }>, most: number): Promise<number> {
  const counted = sql<{ total: number }>`
    select count(*) as total from (select 1 from ${found} as found limit ${sql.lit(most + 1)}) as counted`
  const { rows } = await counted.execute(db)
  return Number(rows[0]?.total ?? 0)
}
