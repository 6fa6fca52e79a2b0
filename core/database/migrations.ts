import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from './schema.ts'

/** Which SQL the database speaks, for the few places where they differ. */
export type DatabaseKind = 'sqlite' | 'postgres'

/** Migrations of the core tables, by name; run in alphabetical order, each once. */
export function coreMigrations(kind: DatabaseKind): Record<string, Migration> {
  return {
    '001_site': { up: (db) => createSite(db, kind) },
    '002_confirmed_sessions': {
      up: (db) => db.schema.alterTable('sessions').addColumn('confirmed_gmt', 'text').execute(),
    },
    '003_security_log': { up: (db) => createSecurityLog(db, kind) },
  }
}

async function createSecurityLog(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  await db.schema
    .createTable('security_log')
    .addColumn('id', 'integer', (c) =>
      kind === 'sqlite' ? c.primaryKey().autoIncrement() : c.primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('group_key', 'text', (c) => c.notNull().unique())
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('count', 'integer', (c) => c.notNull())
    .addColumn('first_gmt', 'text', (c) => c.notNull())
    .addColumn('last_gmt', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('user_login', 'text', (c) => c.notNull())
    .addColumn('actor_id', 'integer', (c) => c.notNull())
    .addColumn('actor_login', 'text', (c) => c.notNull())
    .addColumn('network', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('detail', 'text', (c) => c.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`security_log_${name}`).on('security_log').columns(columns).execute()
  await index('list', ['last_gmt', 'id'])
  await index('event', ['event', 'last_gmt', 'id'])
  await index('user', ['user_id', 'last_gmt'])
  await index('actor', ['actor_id', 'last_gmt'])
}

async function createSite(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const table = (name: string) => db.schema.createTable(name)
  const withId = (name: string) =>
    table(name).addColumn('id', 'integer', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
    )
  const metaTable = async (name: string, owner: string, ownerTable: string) => {
    await table(name)
      .addColumn('meta_id', 'integer', (column) =>
        kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
      )
      .addColumn(owner, 'integer', (column) => column.notNull().references(`${ownerTable}.id`).onDelete('cascade'))
      .addColumn('meta_key', 'text', (column) => column.notNull())
      .addColumn('meta_value', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex(`${name}_${owner}`).on(name).columns([owner, 'meta_key']).execute()
    await db.schema.createIndex(`${name}_key`).on(name).column('meta_key').execute()
  }
  const empty = ''

  await withId('users')
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
  await metaTable('usermeta', 'user_id', 'users')

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

  await table('application_passwords')
    .addColumn('uuid', 'text', (c) => c.primaryKey())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('app_id', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text', (c) => c.notNull())
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .addColumn('last_used_gmt', 'text')
    .addColumn('last_address', 'text')
    .addUniqueConstraint('application_passwords_name', ['user_id', 'name'])
    .execute()

  await withId('posts')
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('author_id', 'integer', (c) => c.notNull())
    .addColumn('parent_id', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('menu_order', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('excerpt', 'text', (c) => c.notNull())
    .addColumn('password', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('comment_status', 'text', (c) => c.notNull().defaultTo('open'))
    .addColumn('ping_status', 'text', (c) => c.notNull().defaultTo('open'))
    .addColumn('comment_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('sticky', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('template', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('mime_type', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('guid', 'text', (c) => c.notNull())
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('date_gmt', 'text', (c) => c.notNull())
    .addColumn('modified', 'text', (c) => c.notNull())
    .addColumn('modified_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('posts_list').on('posts').columns(['type', 'status', 'date_gmt', 'id']).execute()
  await db.schema.createIndex('posts_slug').on('posts').columns(['slug', 'type']).execute()
  await db.schema.createIndex('posts_path').on('posts').column('path').execute()
  await db.schema.createIndex('posts_parent').on('posts').columns(['parent_id', 'type']).execute()
  await db.schema.createIndex('posts_author').on('posts').columns(['author_id', 'type', 'status', 'date_gmt']).execute()
  await db.schema.createIndex('posts_guid').on('posts').column('guid').execute()
  await metaTable('postmeta', 'post_id', 'posts')

  await withId('terms')
    .addColumn('taxonomy', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('slug', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('parent_id', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('count', 'integer', (c) => c.notNull().defaultTo(0))
    .addUniqueConstraint('terms_slug', ['taxonomy', 'slug'])
    .execute()
  await db.schema.createIndex('terms_name').on('terms').columns(['taxonomy', 'name']).execute()
  await db.schema.createIndex('terms_parent').on('terms').columns(['taxonomy', 'parent_id']).execute()
  await metaTable('termmeta', 'term_id', 'terms')

  await table('term_relationships')
    .addColumn('post_id', 'integer', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addColumn('term_id', 'integer', (c) => c.notNull().references('terms.id').onDelete('cascade'))
    .addColumn('term_order', 'integer', (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('term_relationships_key', ['post_id', 'term_id'])
    .execute()
  await db.schema
    .createIndex('term_relationships_term')
    .on('term_relationships')
    .columns(['term_id', 'post_id'])
    .execute()

  await withId('comments')
    .addColumn('post_id', 'integer', (c) => c.notNull().references('posts.id').onDelete('cascade'))
    .addColumn('parent_id', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('user_id', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('author_name', 'text', (c) => c.notNull())
    .addColumn('author_email', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('author_url', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('author_address', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('user_agent', 'text', (c) => c.notNull().defaultTo(empty))
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull().defaultTo('comment'))
    .addColumn('date', 'text', (c) => c.notNull())
    .addColumn('date_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('comments_post').on('comments').columns(['post_id', 'status', 'date_gmt']).execute()
  await db.schema.createIndex('comments_list').on('comments').columns(['status', 'date_gmt']).execute()
  await metaTable('commentmeta', 'comment_id', 'comments')

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
