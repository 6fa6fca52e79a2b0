import { type Generated, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type DatabaseKind, tableWithId } from '../../core/database/new-tables.ts'
import type { PartTables } from '../part-tables.ts'

declare module '../../core/database/schema.ts' {
  interface Schema {
    change_log: ChangeLogTable
    change_webhooks: WebhookTable
    change_deliveries: WebhookDeliveryTable
    change_readers: ReaderTable
  }
}

export interface ChangeLogTable {
  /** Increases in the order in which entries become visible; never reused. */
  seq: Generated<number>
  id: string
  time_gmt: string
  /** `purge`, or `content`: content changed, and the purge is not recorded yet. */
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
  /** ID of the request that caused it; of several, of the last one. */
  request_id: string | null
}

export interface WebhookTable {
  id: string
  url: string
  /** Encrypted JSON: a `KeyRing`. */
  keys: string
  /** ID of the last change that the receiver accepted; `null` before the first one of the site. */
  position: string | null
  /** 0 or 1. */
  is_enabled: number
  disabled_reason: string
  /** Consecutive failed attempts of the next event. */
  failures: number
  next_attempt_gmt: string | null
  created_gmt: string
}

export interface WebhookDeliveryTable {
  id: Generated<number>
  webhook_id: string
  event_id: string
  kind: string
  status: number | null
  error: string
  duration_ms: number
  time_gmt: string
}

/** Position of a reader of the log: a cache of an extension, or a program that reads the feed. */
export interface ReaderTable {
  /** `<extension>:<cache>`, or `feed <UUID of the application password>` */
  id: string
  /** Name of the product: `Varnish`; empty for the feed. */
  name: string
  /** ID of the last processed entry; `null` if the log was empty then, empty if nothing is known about the cache. */
  position: string | null
  /** Consecutive failed attempts. */
  failures: number
  /** Why the last purge failed or was rejected; otherwise empty. */
  error: string
  failing_since_gmt: string | null
  next_attempt_gmt: string | null
  updated_gmt: string
}

/**
 * Description of the change log and its webhooks for a restore. Archives do not include the log: in a restored site it is empty, so that
 * readers recognize that their position is gone, and purge all pages.
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
    '002_webhooks': {
      async up(db) {
        await db.schema
          .createTable('change_webhooks')
          .addColumn('id', 'text', (c) => c.primaryKey())
          .addColumn('url', 'text', (c) => c.notNull())
          .addColumn('keys', 'text', (c) => c.notNull())
          .addColumn('position', 'text')
          .addColumn('is_enabled', 'integer', (c) => c.notNull())
          .addColumn('disabled_reason', 'text', (c) => c.notNull())
          .addColumn('failures', 'integer', (c) => c.notNull())
          .addColumn('next_attempt_gmt', 'text')
          .addColumn('created_gmt', 'text', (c) => c.notNull())
          .execute()
        await tableWithId(db, kind, 'change_deliveries')
          .addColumn('webhook_id', 'text', (c) => c.notNull().references('change_webhooks.id').onDelete('cascade'))
          .addColumn('event_id', 'text', (c) => c.notNull())
          .addColumn('kind', 'text', (c) => c.notNull())
          .addColumn('status', 'integer')
          .addColumn('error', 'text', (c) => c.notNull())
          .addColumn('duration_ms', 'integer', (c) => c.notNull())
          .addColumn('time_gmt', 'text', (c) => c.notNull())
          .execute()
        await db.schema
          .createIndex('change_deliveries_list')
          .on('change_deliveries')
          .columns(['webhook_id', 'id'])
          .execute()
      },
    },
    '003_readers': {
      async up(db) {
        await db.schema
          .createTable('change_readers')
          .addColumn('id', 'text', (c) => c.primaryKey())
          .addColumn('name', 'text', (c) => c.notNull())
          .addColumn('position', 'text')
          .addColumn('failures', 'integer', (c) => c.notNull())
          .addColumn('error', 'text', (c) => c.notNull())
          .addColumn('failing_since_gmt', 'text')
          .addColumn('next_attempt_gmt', 'text')
          .addColumn('updated_gmt', 'text', (c) => c.notNull())
          .execute()
      },
    },
    '004_requests': { up: (db) => db.schema.alterTable('change_log').addColumn('request_id', 'text').execute() },
    '005_unrecorded': {
      async up(db) {
        await sql`create index change_log_unrecorded on change_log (id) where type = 'content'`.execute(db)
      },
    },
  }
}
