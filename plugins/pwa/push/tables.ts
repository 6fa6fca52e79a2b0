import { type Generated, type Kysely, type Selectable, sql } from 'kysely'
import type { Database, Vault } from 'pentad'
import { sealStoredKeys } from './encrypted-keys.ts'

/** Columns ending in `_gmt` are sortable UTC text; other times are milliseconds since 1970. */
export type PushTables = {
  pwa_subscriptions: SubscriptionTable
  pwa_sendings: SendingTable
  pwa_deliveries: DeliveryTable
}

/** Subscribed browsers. */
export type SubscriptionTable = {
  id: Generated<number>
  /** SHA-256 of the endpoint, hex: PostgreSQL cannot index texts as long as an endpoint. */
  endpoint_hash: string
  /** Encrypted, like `auth`; see `openKeys`. */
  endpoint: string
  /** Origin of the push service. */
  origin: string
  /** Public key of the browser, base64url, 65 bytes (RFC 8291). */
  p256dh: string
  /** Secret of the browser, base64url, 16 bytes. Proves ownership of the subscription. */
  auth: string
  encoding: 'aes128gcm' | 'aesgcm'
  expires: number | null
  user_id: number | null
  /** 1 if it was linked to the user with `auth`, so that the user can change it without. */
  user_proven: number
  country: string
  operating_system: string
  browser: string
  device: string
  created_gmt: string
}

/** Recent notifications. */
export type SendingTable = {
  /** Id of the job. */
  id: string
  /** Unique deduplication key such as `post:7`. */
  reason: string | null
  title: string
  body: string
  /** Type of the audience. */
  audience: string
  total: number
  sent: number
  failed: number
  removed: number
  created: number
}

/** A pending message to one browser. */
export type DeliveryTable = {
  sending_id: string
  subscription_id: number
  origin: string
  /** `claimed` from before it is sent until its outcome is known. */
  state: 'waiting' | 'claimed'
  /** Attempts so far. */
  attempts: number
  /** `waiting`: earliest time to send it. `claimed`: time after which it is considered lost. */
  due: number
}

export type Subscription = Selectable<SubscriptionTable>
export type SendingRow = Selectable<SendingTable>

/** Query builder that includes these tables. */
export type PushDatabase = Awaited<ReturnType<typeof openPushTables>>

/** Creates or migrates the tables. */
export async function openPushTables(database: Database, vault: Vault) {
  await database.migrate('pwa_push', {
    '001_push': { up: (db) => create(db, database.kind) },
    '002_told': { up: addTold },
    '003_sealed_keys': { up: (db) => sealStoredKeys(db, vault) },
  })
  return database.db.withTables<PushTables>()
}

/** Adds the content of notifications; unknown for older sendings. */
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
