import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createMetaTable, type DatabaseKind, tableWithId } from './new-tables.ts'

/** Migrations of the host's tables, by name; run in alphabetical order, each once. */
export function coreMigrations(kind: DatabaseKind): Record<string, Migration> {
  return {
    '001_site': { up: (db) => createSite(db, kind) },
    '002_confirmed_sessions': {
      up: (db) => db.schema.alterTable('sessions').addColumn('confirmed_gmt', 'text').execute(),
    },
    // Empty: the CMS creates the table now, but the name is recorded in existing sites.
    '003_security_log': { up: async () => {} },
    '004_job_requests': { up: (db) => db.schema.alterTable('jobs').addColumn('request_id', 'text').execute() },
  }
}

async function createSite(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const table = (name: string) => db.schema.createTable(name)
  const empty = ''

  await tableWithId(db, kind, 'users')
    .addColumn('login', 'text', (c) => c.notNull())
    .addColumn('login_key', 'text', (c) => c.notNull().unique())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull())
    .addColumn('slug', 'text', (c) => c.notNull().unique())
    .addColumn('display_name', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('description', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('first_name', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('last_name', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('locale', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('roles', 'text', (c) => c.notNull())
    .addColumn('registered_gmt', 'text', (c) => c.notNull())
    .execute()
  await sql`create unique index users_email on users (lower(email)) where email <> ''`.execute(db)
  await createMetaTable(db, kind, { name: 'usermeta', owner: 'user_id', ownerTable: 'users' })

  await table('sessions')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .addColumn('expires_gmt', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute()

  await table('jobs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('percent', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('message', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('error', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('run_after_gmt', 'text', (c) => c.notNull())
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .addColumn('updated_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('jobs_state').on('jobs').columns(['state', 'run_after_gmt']).execute()

  await table('leases')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('expires', 'bigint', (c) => c.notNull())
    .execute()
}
