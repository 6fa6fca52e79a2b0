import { type ColumnDefinitionBuilder, type Generated, type Kysely, sql } from 'kysely'
import type { Database } from 'pentad'
import type { OrderEventKind, OrderState } from './types.ts'

/** Times are sortable UTC text. An item is a product or variation, identified by its post ID. */
export type StoreTables = {
  /** Quantity in stock; an item without a row is not tracked. */
  store_stock: { item_id: number; quantity: number }
  /** The last public price, to detect changes. */
  store_known_prices: { item_id: number; price: number }
  store_cart_lines: { cart_id: string; item_id: number; quantity: number; changed_gmt: string }
  store_orders: OrderTable
  store_order_events: OrderEventTable
}

export type OrderTable = {
  /** Order number. */
  id: Generated<number>
  placed_gmt: string
  /** Data of the email as JSON; `null` once it was sent. */
  unsent: string | null
  state: Generated<OrderState>
  /** Lines, total, and currency as JSON; `null` for orders of versions before 1.0.0. */
  details: string | null
  /** The customer; `null` if their data was erased. */
  name: string | null
  email: string | null
  message: string | null
}

export type OrderEventTable = {
  id: Generated<number>
  order_id: number
  happened_gmt: string
  kind: OrderEventKind
  /** An internal note; `null` also if the customer's data was erased. */
  note: string | null
  /** Name of the user; `null` for what the site did. */
  author: string | null
}

/** The query builder of the site, with these tables. */
export type StoreDatabase = Awaited<ReturnType<typeof openStoreTables>>

/** Creates or migrates the tables. */
export async function openStoreTables(database: Database) {
  await database.migrate('store', {
    '001_store': { up: (db) => create(db, database.kind) },
    '002_order_records': { up: keepOrders },
    '003_order_events': { up: (db) => logOrders(db, database.kind) },
  })
  return database.db.withTables<StoreTables>()
}

async function keepOrders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('store_orders')
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('open'))
    .execute()
  for (const column of ['details', 'name', 'email', 'message'])
    await db.schema.alterTable('store_orders').addColumn(column, 'text').execute()
}

async function logOrders(db: Kysely<unknown>, kind: Database['kind']): Promise<void> {
  await db.schema
    .createTable('store_order_events')
    .addColumn('id', 'integer', numbered(kind))
    .addColumn('order_id', 'integer', (c) => c.notNull())
    .addColumn('happened_gmt', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('note', 'text')
    .addColumn('author', 'text')
    .execute()
  await db.schema.createIndex('store_order_events_order').on('store_order_events').columns(['order_id', 'id']).execute()
}

/** A primary key that the database counts up. */
const numbered = (kind: Database['kind']) => (column: ColumnDefinitionBuilder) =>
  kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity()

async function create(db: Kysely<unknown>, kind: Database['kind']): Promise<void> {
  await db.schema
    .createTable('store_stock')
    .addColumn('item_id', 'integer', (c) => c.primaryKey())
    .addColumn('quantity', 'integer', (c) => c.notNull())
    // The database also enforces that stock never becomes negative.
    .addCheckConstraint('store_stock_quantity', sql`quantity >= 0`)
    .execute()

  await db.schema
    .createTable('store_known_prices')
    .addColumn('item_id', 'integer', (c) => c.primaryKey())
    .addColumn('price', 'bigint', (c) => c.notNull())
    .execute()

  await db.schema
    .createTable('store_cart_lines')
    .addColumn('cart_id', 'text', (c) => c.notNull())
    .addColumn('item_id', 'integer', (c) => c.notNull())
    .addColumn('quantity', 'integer', (c) => c.notNull())
    .addColumn('changed_gmt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('store_cart_lines_key', ['cart_id', 'item_id'])
    .execute()
  await db.schema.createIndex('store_cart_lines_changed').on('store_cart_lines').column('changed_gmt').execute()

  await db.schema
    .createTable('store_orders')
    .addColumn('id', 'integer', numbered(kind))
    .addColumn('placed_gmt', 'text', (c) => c.notNull())
    .addColumn('unsent', 'text')
    .execute()
  // Pending orders are few among all orders.
  await sql`create index store_orders_unsent on store_orders (id) where unsent is not null`.execute(db)
}
