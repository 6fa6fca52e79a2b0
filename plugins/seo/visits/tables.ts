import type { Generated, Kysely, Selectable } from 'kysely'
import type { Database, DatabaseKind } from 'pentad'

export type VisitTables = {
  seo_404s: MissingPageTable
  seo_daily_visits: DailyVisitTable
  seo_crawler_addresses: CrawlerAddressTable
}

/** URLs of this site that returned 404. */
export type MissingPageTable = {
  id: Generated<number>
  /** Path and query, percent-encoded. */
  url: string
  hits: number
  first_gmt: string
  last_gmt: string
  /** Referrer of the last hit; empty if there was none. */
  referrer: string
  user_agent: string
}

export type MissingPage = Selectable<MissingPageTable>

/** Number of visits of one crawler, or from one assistant, to one page on one day. No IP addresses. */
export type DailyVisitTable = {
  day: string
  kind: 'crawl' | 'referral'
  /** Name of the crawler or assistant. */
  name: string
  /** Verification of the crawler: `verified`, `unverified` or `spoofed`; empty for referrals. */
  identity: string
  /** Path of the page; empty for other files, and beyond the maximum number of pages per day. */
  path: string
  hits: number
  last_gmt: string
}

/** IP lists of operators as last fetched. */
export type CrawlerAddressTable = {
  url: string
  /** JSON: an array of ranges. */
  ranges: string
  fetched_gmt: string
}

/** The query builder of the site, with these tables. */
export type VisitDatabase = Awaited<ReturnType<typeof openVisitTables>>

/** Creates or migrates the tables. */
export async function openVisitTables(database: Database) {
  await database.migrate('seo_visits', { '001_visits': { up: (db) => create(db, database.kind) } })
  return database.db.withTables<VisitTables>()
}

async function create(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  await db.schema
    .createTable('seo_404s')
    .addColumn('id', 'integer', (c) =>
      kind === 'sqlite' ? c.primaryKey().autoIncrement() : c.primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('url', 'text', (c) => c.notNull().unique())
    .addColumn('hits', 'integer', (c) => c.notNull())
    .addColumn('first_gmt', 'text', (c) => c.notNull())
    .addColumn('last_gmt', 'text', (c) => c.notNull())
    .addColumn('referrer', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('seo_404s_rank').on('seo_404s').columns(['hits', 'last_gmt', 'id']).execute()
  await db.schema
    .createTable('seo_daily_visits')
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('identity', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('hits', 'integer', (c) => c.notNull())
    .addColumn('last_gmt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('seo_daily_visits_key', ['day', 'kind', 'name', 'identity', 'path'])
    .execute()
  await db.schema
    .createTable('seo_crawler_addresses')
    .addColumn('url', 'text', (c) => c.primaryKey())
    .addColumn('ranges', 'text', (c) => c.notNull())
    .addColumn('fetched_gmt', 'text', (c) => c.notNull())
    .execute()
}
