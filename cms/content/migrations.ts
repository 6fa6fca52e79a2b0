import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../../core/database/index.ts'
import type { PartTables } from '../part-tables.ts'
import { REMEMBERED_INDEXED } from './posts/remembered.ts'
import { createSearchTable } from './search/index.ts'
import { indexAllPosts } from './search/index-all.ts'
import { createContentTables } from './tables.ts'

/** Characters of a guid that its index holds; WordPress's own have at most 255. */
export const GUID_INDEXED = 255

/** What a restore has to know of the tables of content. */
export const contentTables: PartTables = { owner: 'content', migrations: contentMigrations, derive: indexAllPosts }

/** The tables of content, for `database.migrate`: posts, terms, comments and the search index. */
export function contentMigrations(kind: DatabaseKind): Record<string, Migration> {
  return {
    // Its name is recorded in every site; the tables of content have come to it since core no longer makes them.
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
        // Without statistics SQLite takes an index of the type alone before one of the guid alone, and an import looks
        // for every post by both. Only the beginning: PostgreSQL refuses index entries of more than 2.7 kB.
        await db.schema.dropIndex('posts_guid').execute()
        await sql`create index posts_guid on posts (type, substr(guid, 1, ${sql.lit(GUID_INDEXED)}))`.execute(db)
        // With all that the order of menus needs, so that no row is read to sort it.
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
        // Each order that a list can be asked for, so that a page of it is read and nothing is sorted.
        for (const [name, columns] of Object.entries(orders))
          await sql`create index ${sql.ref(`posts_${name}`)} on posts (type, status, ${columns})`.execute(db)
        // What the scheduler asks, whatever the type.
        await sql`create index posts_due on posts (status, date_gmt, id)`.execute(db)
      },
    },
    // What is asked of each new comment: who said it before, who said something just now, who was approved once.
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
    // Where links to an address of before arrive.
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
  }
}
