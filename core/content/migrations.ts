import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../database/index.ts'
import { searchMigrations } from './search/index.ts'

/** What the content adds to the core tables: the search index, and indexes for the orders that pages are listed in. */
export function contentMigrations(kind: DatabaseKind): Record<string, Migration> {
  return {
    ...searchMigrations(kind),
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
  }
}
