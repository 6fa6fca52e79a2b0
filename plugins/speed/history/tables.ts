import type { Kysely } from 'kysely'
import type { Database } from 'pentad'

export type HistoryTables = {
  speed_days: SpeedDayTable
}

/** One value of one day: a page cache counter, or a metric at the end of the day. */
export type SpeedDayTable = {
  /** UTC: `2026-11-22`. */
  day: string
  /** `hits`, `misses`, `score` or a metric: `LCP`. */
  name: string
  value: number
}

/** The site's query builder with this table. */
export type HistoryDatabase = Awaited<ReturnType<typeof openHistoryTables>>

/** Creates or migrates the table. */
export async function openHistoryTables(database: Database) {
  await database.migrate('speed_history', { '001_days': { up: create } })
  return database.db.withTables<HistoryTables>()
}

async function create(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('speed_days')
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('value', 'double precision', (c) => c.notNull())
    .addPrimaryKeyConstraint('speed_days_key', ['day', 'name'])
    .execute()
}
