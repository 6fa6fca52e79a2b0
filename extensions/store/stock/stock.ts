import { RestError } from 'pentad'
import type { StoreDatabase } from '../tables.ts'

/** Maximum quantity of an item. */
export const MOST_IN_STOCK = 1_000_000

/** In a transaction or outside of one. */
type Rows = Pick<StoreDatabase, 'selectFrom' | 'updateTable'>

/** Stock quantities, safe for concurrent orders: each change is one statement. */
export interface Stock {
  /** Quantities of the items with tracked stock. */
  of(itemIds: readonly number[]): Promise<Map<number, number>>
  /** Sets a quantity; `null` turns off stock tracking. */
  set(itemId: number, quantity: number | null): Promise<StockStep>
  /** Adds or subtracts a quantity. @throws RestError 409 `store_stock_not_counted`, `store_out_of_stock` */
  add(itemId: number, pieces: number): Promise<StockStep>
  /**
   * Subtracts the quantities of an order, for use in a transaction that is rolled back if stock is insufficient. Always
   * ordered by ID, so that two orders never deadlock.
   * @returns `undefined` if stock is insufficient
   */
  take(db: Rows, itemId: number, quantity: number): Promise<StockStep | undefined>
}

/** `null` if stock is not tracked. */
export interface StockStep {
  readonly itemId: number
  readonly before: number | null
  readonly after: number | null
}

export function createStock(db: StoreDatabase): Stock {
  const countOf = async (rows: Rows, itemId: number) =>
    (await rows.selectFrom('store_stock').select('quantity').where('item_id', '=', itemId).executeTakeFirst())?.quantity

  /**
   * A single statement, so that concurrent orders cannot interfere. `undefined` if stock is insufficient or not
   * tracked.
   */
  const change = async (rows: Rows, itemId: number, by: number) =>
    (
      await rows
        .updateTable('store_stock')
        .set((row) => ({ quantity: row('quantity', '+', by) }))
        .where('item_id', '=', itemId)
        .where('quantity', '>=', -by)
        .returning('quantity')
        .executeTakeFirst()
    )?.quantity

  return {
    async of(itemIds) {
      if (itemIds.length === 0) return new Map()
      const rows = await db.selectFrom('store_stock').selectAll().where('item_id', 'in', itemIds).execute()
      return new Map(rows.map((row) => [row.item_id, row.quantity]))
    },

    set(itemId, quantity) {
      return db.transaction().execute(async (transaction) => {
        const before = (await countOf(transaction, itemId)) ?? null
        if (quantity === null) await transaction.deleteFrom('store_stock').where('item_id', '=', itemId).execute()
        else
          await transaction
            .insertInto('store_stock')
            .values({ item_id: itemId, quantity })
            .onConflict((conflict) => conflict.column('item_id').doUpdateSet({ quantity }))
            .execute()
        return { itemId, before, after: quantity }
      })
    },

    async add(itemId, pieces) {
      const after = await change(db, itemId, pieces)
      if (after !== undefined) return { itemId, before: after - pieces, after }
      if ((await countOf(db, itemId)) !== undefined) throw outOfStock()
      throw new RestError('store_stock_not_counted', 'Stock is not tracked. Set a quantity first.', { status: 409 })
    },

    async take(rows, itemId, quantity) {
      const after = await change(rows, itemId, -quantity)
      if (after !== undefined) return { itemId, before: after + quantity, after }
      const isCounted = (await countOf(rows, itemId)) !== undefined
      return isCounted ? undefined : { itemId, before: null, after: null }
    },
  }
}

/** @param name item with insufficient stock */
export function outOfStock(name?: string): RestError {
  const message = name === undefined ? 'There is not enough stock.' : `There is not enough stock of “${name}”.`
  return new RestError('store_out_of_stock', message, { status: 409 })
}
