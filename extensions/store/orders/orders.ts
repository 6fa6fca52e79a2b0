import { isDeepStrictEqual } from 'node:util'
import { type ExtensionHost, fromGmt, RestError, toGmt } from 'pentad'
import type { CartLines, StoredLine } from '../cart/cart-lines.ts'
import type { Carts } from '../cart/carts.ts'
import '../hooks.ts'
import { outOfStock, type Stock, type StockStep } from '../stock/stock.ts'
import type { EmitStockChanges } from '../stock/stock-events.ts'
import type { StoreDatabase } from '../tables.ts'
import type { Customer, Order } from '../types.ts'

/** An order without a number. */
type Wanted = Pick<Order, 'lines' | 'total' | 'currency'>

export interface Orders {
  /**
   * Creates an order from a cart. Order, stock and cart change in one transaction: nothing is sold twice, and a form
   * submitted twice creates one order.
   * @param total the total that the customer saw
   * @throws RestError 409 `store_cart_empty`, `store_cart_changed`, `store_out_of_stock`
   */
  place(cartId: string, customer: Customer, total: number): Promise<Order>
}

export function createOrders(
  { hooks }: Pick<ExtensionHost, 'hooks'>,
  parts: {
    db: StoreDatabase
    carts: Pick<Carts, 'priced'>
    lines: CartLines
    stock: Stock
    emitStockChanges: EmitStockChanges
  },
): Orders {
  const { db, carts, lines, stock, emitStockChanges } = parts

  /** The order, if the cart total equals the total that the customer saw. */
  async function agree(stored: readonly StoredLine[], total: number): Promise<Wanted> {
    const cart = await carts.priced(stored)
    if (cart.lines.length === 0) throw cartEmpty()
    if (cart.total !== total) throw cartChanged()
    const ordered = cart.lines.map(({ item: { id: itemId, name, sku, price }, quantity }) => {
      return { itemId, name, sku, quantity, price }
    })
    return { lines: ordered, total, currency: cart.currency }
  }

  return {
    async place(cartId, customer, total) {
      const stored = await lines.of(cartId)
      const wanted = await agree(stored, total)
      const placedGmt = toGmt(Date.now())
      const { order, steps } = await db.transaction().execute(async (transaction) => {
        const taken = await lines.take(transaction, cartId)
        if (taken.length === 0) throw cartEmpty()
        if (!isDeepStrictEqual(taken, stored)) throw cartChanged()
        const steps: StockStep[] = []
        for (const { itemId, quantity, name } of wanted.lines) {
          const step = await stock.take(transaction, itemId, quantity)
          if (!step) throw outOfStock(name)
          steps.push(step)
        }
        const { id } = await transaction
          .insertInto('store_orders')
          .values({
            placed_gmt: placedGmt,
            unsent: JSON.stringify({ ...wanted, customer }),
            details: JSON.stringify(wanted),
            ...customer,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        const order: Order = { ...wanted, number: String(id), placed: fromGmt(placedGmt), customer }
        return { order, steps }
      })
      await emitStockChanges(steps)
      await hooks.limited({ cancelable: false }).doActionAsync('store_order_placed', order)
      return order
    },
  }
}

const cartEmpty = () => new RestError('store_cart_empty', 'The cart is empty.', { status: 409 })

const cartChanged = () =>
  new RestError('store_cart_changed', 'The cart or its prices have changed. Review the cart and try again.', {
    status: 409,
  })
