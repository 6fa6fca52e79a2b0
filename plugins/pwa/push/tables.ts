import { type Generated, type Kysely, type Selectable, sql } from 'kysely'
import type { Database, Vault } from 'pentad'
import { sealStoredKeys } from './sealed-keys.ts'

/** Times are milliseconds since 1970 where a column does not end in `_gmt`, which is UTC text that sorts. */
export type PushTables = {
  pwa_subscriptions: SubscriptionTable
  pwa_sendings: SendingTable
  pwa_deliveries: DeliveryTable
}

/** Browsers that take notifications. */
export type SubscriptionTable = {
  id: Generated<number>
  /** SHA-256 of the endpoint, hex: PostgreSQL indexes no text as long as an endpoint may be. */
  endpoint_hash: string
  /** Encrypted, as `auth`: `openKeys`. */
  endpoint: string
  /** Push service: scheme, host and port of the endpoint. */
  origin: string
  /** Public key of the browser, base64url, 65 bytes (RFC 8291). */
  p256dh: string
  /** Secret of the browser, base64url, 16 bytes; who knows it owns the subscription. */
  auth: string
  encoding: 'aes128gcm' | 'aesgcm'
  expires: number | null
  user_id: number | null
  /** 1: whoever bound it to the user knew `auth`, so that the user may change it without. */
  user_proven: number
  country: string
  operating_system: string
  browser: string
  device: string
  created_gmt: string
}

/** Notifications that are being sent, or were sent lately. */
export type SendingTable = {
  /** Id of the job. */
  id: string
  /** What must not be told twice, `post:7`; unique. */
  reason: string | null
  title: string
  body: string
  /** Whom it went to: kind of the audience. */
  audience: string
  total: number
  sent: number
  failed: number
  removed: number
  created: number
}

/** One message to one browser that has not come to its end yet. */
export type DeliveryTable = {
  sending_id: string
  subscription_id: number
  origin: string
  /** `claimed` from the moment before it is sent until its outcome is known. */
  state: 'waiting' | 'claimed'
  /** Tries so far. */
  attempts: number
  /** `waiting`: not to be sent before. `claimed`: whoever sends it has given up by then. */
  due: number
}

export type Subscription = Selectable<SubscriptionTable>
export type SendingRow = Selectable<SendingTable>

/** The site's query builder, which knows these tables too. */
export type PushDatabase = Awaited<ReturnType<typeof openPushTables>>

/** Makes the tables or brings them up to date. */
export async function openPushTables(database: Database, vault: Vault) {
  await database.migrate('pwa_push', {
    '001_push': { up: (db) => create(db, database.kind) },
    '002_told': { up: addTold },
    '003_sealed_keys': { up: (db) => sealStoredKeys(db, vault) },
  })
  return database.db.withTables<PushTables>()
}

/** What was told; of sendings from before nobody knows. */
async function addTold(db: Kysely<unknown>): Promise<void> {
  for (const column of ['title', 'body', 'audience'])
    await db.schema
      .alterTable('pwa_sendings')
      .addColumn(column, 'text', (c) => c.notNull().defaultTo(''))
      .execute()
}

async function create(db: Kysely<unknown>, kind: Database['kind']): Promise<void> {
  await db.schema
    .createTable('pwa_subscriptions')
    .addColumn('id', 'integer', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('endpoint_hash', 'text', (c) => c.notNull().unique())
    .addColumn('endpoint', 'text', (c) => c.notNull())
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('p256dh', 'text', (c) => c.notNull())
    .addColumn('auth', 'text', (c) => c.notNull())
    .addColumn('encoding', 'text', (c) => c.notNull())
    .addColumn('expires', 'bigint')
    .addColumn('user_id', 'integer')
    .addColumn('user_proven', 'integer', (c) => c.notNull())
    .addColumn('country', 'text', (c) => c.notNull())
    .addColumn('operating_system', 'text', (c) => c.notNull())
    .addColumn('browser', 'text', (c) => c.notNull())
    .addColumn('device', 'text', (c) => c.notNull())
    .addColumn('created_gmt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('pwa_subscriptions_origin').on('pwa_subscriptions').column('origin').execute()
  await db.schema.createIndex('pwa_subscriptions_user').on('pwa_subscriptions').column('user_id').execute()

  await db.schema
    .createTable('pwa_sendings')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('reason', 'text', (c) => c.unique())
    .addColumn('total', 'integer', (c) => c.notNull())
    .addColumn('sent', 'integer', (c) => c.notNull())
    .addColumn('failed', 'integer', (c) => c.notNull())
    .addColumn('removed', 'integer', (c) => c.notNull())
    .addColumn('created', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('pwa_deliveries')
    .addColumn('sending_id', 'text', (c) => c.notNull())
    .addColumn('subscription_id', 'integer', (c) => c.notNull())
    .addColumn('origin', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('pwa_deliveries_key', ['sending_id', 'subscription_id'])
    .execute()
  await sql`create index pwa_deliveries_waiting on pwa_deliveries (sending_id, origin, state, subscription_id)`.execute(
    db,
  )
}
