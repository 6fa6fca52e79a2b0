import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../../core/database/index.ts'
import type { PartTables } from '../part-tables.ts'
import { REMEMBERED_INDEXED } from './posts/remembered.ts'
import { createSearchTable } from './search/index.ts'
import { indexAllPosts } from './search/index-all.ts'
import { createContentTables } from './tables.ts'

/** Length of the guid prefix in the index; WordPress's own guids have at most 255 characters. */
export const GUID_INDEXED = 255

/** Description of the content tables for a restore. */
export const contentTables: PartTables = { owner: 'content', migrations: contentMigrations, derive: indexAllPosts }

/** The tables of content, for `database.migrate`: posts, terms, comments and the search index. */
export function contentMigrations(kind: DatabaseKind): Record<string, Migration> {
  return {
    // Existing sites have recorded it under this name; the content tables moved here from core.
    '001_search': {
      async up(db) {
        await createContentTables(db, kind)
        await createSearchTable(db, kind)
      },
    },
    '002_lists': {
      async up(db) {
        const index = (name: string, columns: string[]) =>
          db.schema
            .createIndex(name)
            .on('posts')
            .columns(['type', 'status', ...columns])
            .execute()
        await index('posts_sticky', ['sticky', 'date_gmt', 'id'])
        await index('posts_month', ['date'])
        await index('posts_modified', ['modified_gmt', 'id'])
        await index('posts_menu', ['menu_order'])
      },
    },
    '003_guid_and_menu': {
      async up(db) {
        // Without statistics, SQLite would prefer an index on the type to one on the guid, and an import looks up every post by both. Only
        // a prefix, because PostgreSQL rejects index entries of more than 2.7 kB.
        await db.schema.dropIndex('posts_guid').execute()
        await sql`create index posts_guid on posts (type, substr(guid, 1, ${sql.lit(GUID_INDEXED)}))`.execute(db)
        // Contains all columns for the order of menus, so that sorting reads no rows.
        await db.schema.dropIndex('posts_menu').execute()
        await db.schema
          .createIndex('posts_menu')
          .on('posts')
          .columns(['type', 'status', 'menu_order', 'date_gmt', 'id'])
          .execute()
      },
    },
    '004_orders': {
      async up(db) {
        // By site time, as WordPress lists and filters.
        for (const name of ['list', 'sticky', 'month', 'modified', 'menu'])
          await db.schema.dropIndex(`posts_${name}`).execute()
        const title = sql`substr(lower(title), 1, 200)`
        const orders = {
          list: sql`date, id`,
          sticky: sql`sticky, date, id`,
          modified: sql`modified, id`,
          menu: sql`menu_order, date, id`,
          id: sql`id`,
          title: sql`${title}, id`,
          by_slug: sql`slug, id`,
          by_author: sql`author_id, date, id`,
        }
        // One index per sort order, so that a page of a list is read without sorting.
        for (const [name, columns] of Object.entries(orders))
          await sql`create index ${sql.ref(`posts_${name}`)} on posts (type, status, ${columns})`.execute(db)
        // For the query of the scheduler, across all types.
        await sql`create index posts_due on posts (status, date_gmt, id)`.execute(db)
      },
    },
    // For the checks of each new comment: duplicates, flooding, and previously approved authors.
    '005_commenters': {
      async up(db) {
        const index = (name: string, column: string) =>
          db.schema.createIndex(name).on('comments').columns([column, 'date_gmt']).execute()
        await index('comments_email', 'author_email')
        await index('comments_user', 'user_id')
        await index('comments_address', 'author_address')
        await index('comments_parent', 'parent_id')
      },
    },
    // For the lookup of former URLs.
    '006_old_slugs': {
      async up(db) {
        const value = sql`substr(meta_value, 1, ${sql.lit(REMEMBERED_INDEXED)})`
        await sql`create index postmeta_old_slug on postmeta (${value}) where meta_key = '_wp_old_slug'`.execute(db)
      },
    },
    '007_old_paths': {
      async up(db) {
        const value = sql`substr(meta_value, 1, ${sql.lit(REMEMBERED_INDEXED)})`
        await sql`create index postmeta_old_path on postmeta (${value}) where meta_key = '_pentad_old_path'`.execute(db)
      },
    },
    '008_versions': {
      async up(db) {
        await db.schema
          .createTable('content_versions')
          .addColumn('kind', 'text', (c) => c.primaryKey())
          .addColumn('version', 'integer', (c) => c.notNull())
          .execute()
        // Contains all columns for a total, so that counting comments reads no rows.
        await db.schema.dropIndex('comments_list').execute()
        await db.schema
          .createIndex('comments_list')
          .on('comments')
          .columns(['status', 'date_gmt', 'id', 'type', 'post_id'])
          .execute()
      },
    },
    '009_previews': {
      async up(db) {
        await db.schema
          .createTable('previews')
          .addColumn('key', 'text', (c) => c.primaryKey())
          .addColumn('kind', 'text', (c) => c.notNull())
          .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
          .addColumn('value', 'text', (c) => c.notNull())
          .addColumn('expires', 'bigint', (c) => c.notNull())
          .execute()
        await db.schema.createIndex('previews_user').on('previews').columns(['user_id', 'kind', 'expires']).execute()
      },
    },
    '010_rate_limits': {
      async up(db) {
        await db.schema
          .createTable('rate_limits')
          .addColumn('key', 'text', (c) => c.primaryKey())
          .addColumn('points', 'integer', (c) => c.notNull())
          .addColumn('expire', 'bigint')
          .execute()
      },
    },
    // Without revisions, which are only read by post: an insert updates every index. Queries must contain the same condition (`NOT_REVISION`).
    '011_without_revisions': {
      async up(db) {
        const indexes = {
          path: sql`path`,
          guid: sql`type, substr(guid, 1, ${sql.lit(GUID_INDEXED)})`,
          sticky: sql`type, status, sticky, date, id`,
          modified: sql`type, status, modified, id`,
          menu: sql`type, status, menu_order, date, id`,
          id: sql`type, status, id`,
          title: sql`type, status, substr(lower(title), 1, 200), id`,
          by_slug: sql`type, status, slug, id`,
          by_author: sql`type, status, author_id, date, id`,
          due: sql`status, date_gmt, id`,
        }
        for (const [name, columns] of Object.entries(indexes)) {
          await db.schema.dropIndex(`posts_${name}`).execute()
          await sql`create index ${sql.ref(`posts_${name}`)} on posts (${columns}) where type <> 'revision'`.execute(db)
        }
      },
    },
  }
}
