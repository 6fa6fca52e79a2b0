import type { Generated, Kysely } from 'kysely'
import type { Database } from 'pentad'

export type RedirectTables = {
  seo_redirects: RedirectTable
  seo_redirects_version: { id: number; version: number }
}

export type RedirectTable = {
  id: Generated<number>
  /** SHA-256 of the unique key in hex: PostgreSQL cannot index text as long as a source may be. */
  identity: string
  source: string
  target: string
  match: string
  status: number
  query: string
  /** Flags are 0 or 1. */
  case_sensitive: number
  enabled: number
  /** 1: created automatically because a URL changed; deleted when its source is in use again. */
  automatic: number
  hits: number
  last_hit_gmt: string | null
  created_gmt: string
  note: string
}

export type RedirectDatabase = Awaited<ReturnType<typeof openRedirectTables>>

/** Creates or migrates the tables. */
export async function openRedirectTables(database: Database) {
  await database.migrate('seo_redirects', { '001_redirects': { up: (db) => create(db, database.kind) } })
  return database.db.withTables<RedirectTables>()
}

async function create(db: Kysely<unknown>, kind: Database['kind']): Promise<void> {
  await db.schema
    .createTable('seo_redirects')
    .addColumn('id', 'integer', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('identity', 'text', (c) => c.notNull().unique())
    .addColumn('source', 'text', (c) => c.notNull())
    .addColumn('target', 'text', (c) => c.notNull())
    .addColumn('match', 'text', (c) => c.notNull())
    .addColumn('status', 'integer', (c) => c.notNull())
    .addColumn('query', 'text', (c) => c.notNull())
    .addColumn('case_sensitive', 'integer', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('automatic', 'integer', (c) => c.notNull())
    .addColumn('hits', 'bigint', (c) => c.notNull())
    .addColumn('last_hit_gmt', 'text')
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('seo_redirects_hits').on('seo_redirects').columns(['hits', 'id']).execute()

  // Signals other processes of the site to reload the rules.
  await db.schema
    .createTable('seo_redirects_version')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('version', 'integer', (c) => c.notNull())
    .execute()
  await db.withTables<RedirectTables>().insertInto('seo_redirects_version').values({ id: 1, version: 0 }).execute()
}
