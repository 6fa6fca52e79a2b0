import type { Kysely } from 'kysely'
import type { Database } from 'pentad'

export type IndexNowTables = {
  seo_indexnow_pages: PageTable
  seo_indexnow_submissions: SubmissionTable
}

/** Pages that are pending or were submitted recently. Times are Unix times in ms. */
export type PageTable = {
  /** SHA-256 of the URL in hex: PostgreSQL cannot index text as long as a URL may be. */
  url_hash: string
  url: string
  post_id: number
  /** Time of the next submission; `null` when submitted. */
  due: number | null
  /** Time when it was queued. */
  since: number
  sent: number | null
}

/** Submissions, oldest first. */
export type SubmissionTable = {
  id: string
  submitted: number
  /** Number of URLs. */
  urls: number
  /** HTTP status of the response; `null` if there was none. */
  status: number | null
  endpoint: string
  /** Source of the submission: an administrator or automatic. */
  origin: 'manual' | 'automatic'
}

/** The query builder of the site, with these tables. */
export type IndexNowDatabase = Awaited<ReturnType<typeof openIndexNowTables>>

/** Creates or migrates the tables. */
export async function openIndexNowTables(database: Database) {
  await database.migrate('seo_indexnow', { '001_indexnow': { up: create } })
  return database.db.withTables<IndexNowTables>()
}

async function create(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('seo_indexnow_pages')
    .addColumn('url_hash', 'text', (c) => c.primaryKey())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('post_id', 'integer', (c) => c.notNull())
    .addColumn('due', 'bigint')
    .addColumn('since', 'bigint', (c) => c.notNull())
    .addColumn('sent', 'bigint')
    .execute()
  await db.schema.createIndex('seo_indexnow_pages_due').on('seo_indexnow_pages').column('due').execute()
  await db.schema
    .createTable('seo_indexnow_submissions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('submitted', 'bigint', (c) => c.notNull())
    .addColumn('urls', 'integer', (c) => c.notNull())
    .addColumn('status', 'integer')
    .addColumn('endpoint', 'text', (c) => c.notNull())
    .addColumn('origin', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('seo_indexnow_submissions_submitted')
    .on('seo_indexnow_submissions')
    .column('submitted')
    .execute()
}
