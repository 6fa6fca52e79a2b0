import type { Generated } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { DatabaseKind } from '../../core/database/new-tables.ts'
import type { PartTables } from '../part-tables.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    change_log: ChangeLogTable
  }
}

export interface ChangeLogTable {
  /** Increases in the order in which entries become visible; never reused. */
  seq: Generated<number>
  id: string
  time_gmt: string
  type: string
  scope: string
  /** JSON array. */
  urls: string
  /** JSON array. */
  tags: string
  /** 0 or 1. */
  soft: number
  reason: string
  cause: string
}

/**
 * Description of the change log for a restore. Archives do not include it: in a restored site it is empty, so that readers recognize that
 * their position is gone, and purge all pages.
 */
export const changeTables: PartTables = {
  owner: 'cms-changes',
  migrations: changeMigrations,
  async *derive() {},
}

function changeMigrations(kind: DatabaseKind): Record<string, Migration> {
  return {
    '001_change_log': {
      async up(db) {
        await db.schema
          .createTable('change_log')
          // SQLite reuses the numbers of deleted rows otherwise.
          .addColumn('seq', 'integer', (c) =>
            kind === 'sqlite' ? c.primaryKey().autoIncrement() : c.primaryKey().generatedByDefaultAsIdentity(),
          )
          .addColumn('id', 'text', (c) => c.notNull().unique())
          .addColumn('time_gmt', 'text', (c) => c.notNull())
          .addColumn('type', 'text', (c) => c.notNull())
          .addColumn('scope', 'text', (c) => c.notNull())
          .addColumn('urls', 'text', (c) => c.notNull())
          .addColumn('tags', 'text', (c) => c.notNull())
          .addColumn('soft', 'integer', (c) => c.notNull())
          .addColumn('reason', 'text', (c) => c.notNull())
          .addColumn('cause', 'text', (c) => c.notNull())
          .execute()
        await db.schema.createIndex('change_log_time').on('change_log').column('time_gmt').execute()
      },
    },
  }
}
