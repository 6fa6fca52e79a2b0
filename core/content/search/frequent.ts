import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../rows.ts'

/** Posts that a search may find before it counts as one for common words, and they are not weighed one by one. */
export const FREQUENT = 1000

/** How many posts a search finds, counted no further than to know that it is one for common words. */
export async function countFound(db: Db, found: RawBuilder<{ id: number }>): Promise<number> {
  const counted = sql<{ total: number }>`
    select count(*) as total from (select 1 from ${found} as found limit ${sql.lit(FREQUENT + 1)}) as counted`
  const { rows } = await counted.execute(db)
  return Number(rows[0]?.total ?? 0)
}
