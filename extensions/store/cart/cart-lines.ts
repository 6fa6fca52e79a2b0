import { toGmt } from 'pentad'
import type { StoreDatabase } from '../tables.ts'
import { CART_LIFETIME } from './cart-cookie.ts'

/** Maximum number of lines of all carts, because anyone can create one: the oldest are deleted first. */
const MOST_LINES = 100_000

export interface StoredLine {
  readonly itemId: number
  readonly quantity: number
}

/** The lines of carts. */
export interface CartLines {
  /** Ordered by ID. */
  of(cartId: string): Promise<StoredLine[]>
  /** Adds a quantity, if the result does not exceed `most`; atomic. */
  add(cartId: string, itemId: number, quantity: number, most: number): Promise<boolean>
  /** Sets a quantity; 0 removes the line. No effect if there is no such line. */
  set(cartId: string, itemId: number, quantity: number): Promise<void>
  /** Empties a cart and returns its lines, to one caller only; for use in a transaction. */
  take(db: Pick<StoreDatabase, 'deleteFrom'>, cartId: string): Promise<StoredLine[]>
  /** Deletes expired and excess carts. */
  tidy(): Promise<void>
}

export function createCartLines(db: StoreDatabase): CartLines {
  const lineOf = ({ item_id: itemId, quantity }: { item_id: number; quantity: number }) => ({ itemId, quantity })

  return {
    async of(cartId) {
      const lines = db.selectFrom('store_cart_lines').selectAll().where('cart_id', '=', cartId).orderBy('item_id')
      return (await lines.execute()).map(lineOf)
    },

    async add(cartId, itemId, quantity, most) {
      if (quantity > most) return false
      const line = { cart_id: cartId, item_id: itemId, quantity, changed_gmt: toGmt(Date.now()) }
      const added = await db
        .insertInto('store_cart_lines')
        .values(line)
        .onConflict((conflict) =>
          conflict
            .columns(['cart_id', 'item_id'])
            .doUpdateSet((row) => ({
              quantity: row('store_cart_lines.quantity', '+', quantity),
              changed_gmt: line.changed_gmt,
            }))
            .where('store_cart_lines.quantity', '<=', most - quantity),
        )
        .returning('quantity')
        .executeTakeFirst()
      return added !== undefined
    },

    async set(cartId, itemId, quantity) {
      const isLine = { cart_id: cartId, item_id: itemId }
      await (quantity === 0
        ? db.deleteFrom('store_cart_lines').where((row) => row.and(isLine))
        : db
            .updateTable('store_cart_lines')
            .set({ quantity, changed_gmt: toGmt(Date.now()) })
            .where((row) => row.and(isLine))
      ).execute()
    },

    async take(rows, cartId) {
      const taken = await rows.deleteFrom('store_cart_lines').where('cart_id', '=', cartId).returningAll().execute()
      return taken.map(lineOf).sort((a, b) => a.itemId - b.itemId)
    },

    async tidy() {
      const oldest = toGmt(Date.now() - CART_LIFETIME * 1000)
      await db.deleteFrom('store_cart_lines').where('changed_gmt', '<', oldest).execute()
      const lines = db.selectFrom('store_cart_lines').select('changed_gmt').orderBy('changed_gmt', 'desc')
      const tooMany = await lines.offset(MOST_LINES).limit(1).executeTakeFirst()
      if (tooMany) await db.deleteFrom('store_cart_lines').where('changed_gmt', '<=', tooMany.changed_gmt).execute()
    },
  }
}
