import type { Kysely } from 'kysely'
import type { Database } from 'pentad'

export type UserTables = {
  pwa_users: PwaUserTable
}

/** Visitors who opened or installed the app, one row a browser. Times are UTC text that sorts. */
export type PwaUserTable = {
  /** UUID that the browser or the host made. */
  pwa_user_id: string
  user_id: number | null
  browser: string
  operating_system: string
  device: string
  country: string
  first_open_gmt: string
  last_open_gmt: string
  installed_gmt: string | null
  /** How the app showed when it was opened last; empty where the browser did not say. */
  display_mode: string
}

/** The site's query builder, which knows the table too. */
export type UserDatabase = Awaited<ReturnType<typeof openUserTables>>

/** Makes the table or brings it up to date. */
export async function openUserTables(database: Database) {
  await database.migrate('pwa_users', { '001_users': { up: create }, '002_display': { up: addDisplay } })
  return database.db.withTables<UserTables>()
}

async function addDisplay(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('pwa_users')
    .addColumn('display_mode', 'text', (c) => c.notNull().defaultTo(''))
    .execute()
}

async function create(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pwa_users')
    .addColumn('pwa_user_id', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'integer')
    .addColumn('browser', 'text', (c) => c.notNull())
    .addColumn('operating_system', 'text', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('first_open_gmt', 'text', (c) => c.notNull())
    .addColumn('last_open_gmt', 'text', (c) => c.notNull())
    .addColumn('installed_gmt', 'text')
    .execute()
  await db.schema.createIndex('pwa_users_last_open').on('pwa_users').column('last_open_gmt').execute()
  await db.schema.createIndex('pwa_users_installed').on('pwa_users').column('installed_gmt').execute()
}
