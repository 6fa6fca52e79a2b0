import { type Generated, type Kysely, sql } from 'kysely'
import type { Database } from 'pentad'

/** Times are UTC text that sorts. An item is a product or a variation, by the id of its post. */
export type StoreTables = {
  /** Pieces that are there; an item without a row is not counted. */
  store_stock: { item_id: number; quantity: number }
  /** The price that visitors know, to see when it changes. */
  store_known_prices: { item_id: number; price: number }
  store_cart_lines: { cart_id: string; item_id: number; quantity: number; changed_gmt: string }
  store_orders: OrderTable
}

export type OrderTable = {
  /** The number of the order. */
  id: Generated<number>
  placed_gmt: string
  /** JSON of what the mail says; `null` once it was sent, as nobody needs the customer's data here any more. */
  unsent: string | null
}

/** The site's query builder, which knows these tables too. */
export type StoreDatabase = Awaited<ReturnType<typeof openStoreTables>>

/** Makes the tables or brings them up to date. */
export async function openStoreTables(database: Database) {
  await database.migrate('store', { '001_store': { up: (db) => create(db, database.kind) } })
  return database.db.withTables<StoreTables>()
}

async function create(db: Kysely<unknown>, kind: Database['kind']): Promise<void> {
  await db.schema
    .createTable('store_stock')
    .addColumn('item_id', 'integer', (c) => c.primaryKey())
    .addColumn('quantity', 'integer', (c) => c.notNull())
    // Whatever the code does: what is not there is not sold.
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
    .addColumn('id', 'integer', (column) =>
      kind === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('placed_gmt', 'text', (c) => c.notNull())
    .addColumn('unsent', 'text')
    .execute()
  // What waits is few among all that were ever placed.
  await sql`create index store_orders_unsent on store_orders (id) where unsent is not null`.execute(db)
}
