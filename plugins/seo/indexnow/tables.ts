import type { Kysely } from 'kysely'
import type { Database } from 'pentad'

export type IndexNowTables = {
  seo_indexnow_pages: PageTable
  seo_indexnow_submissions: SubmissionTable
}

/** Pages that wait to be sent, or were sent lately. Times are milliseconds since 1970. */
export type PageTable = {
  /** SHA-256 of the URL, hex: PostgreSQL indexes no text as long as a URL may be. */
  url_hash: string
  url: string
  post_id: number
  /** When it is to be sent; `null` once it was. */
  due: number | null
  /** Since when it waits. */
  since: number
  sent: number | null
}

/** What was sent, newest last. */
export type SubmissionTable = {
  id: string
  submitted: number
  /** How many URLs. */
  urls: number
  /** HTTP status of the endpoint; `null` where it gave none. */
  status: number | null
  endpoint: string
  /** Who sent it: an administrator, or the site by itself. */
  origin: 'manual' | 'automatic'
}

/** The site's query builder, which knows these tables too. */
export type IndexNowDatabase = Awaited<ReturnType<typeof openIndexNowTables>>

/** Makes the tables or brings them up to date. */
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
