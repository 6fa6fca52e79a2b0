import { type FilterShapes, type MailMessage, mailMessageShape, recordOf } from 'pentad'
import { productMeta } from './catalogue/content-types.ts'
import type { StoreTexts } from './pages/default-texts.ts'
import type { Item, Order, PriceChange, StockChange } from './types.ts'

declare module 'pentad' {
  interface AsyncActions {
    /**
     * Fires when visitors see another price of a product or variation; not when it is first published.
     * @param change prices in minor units of the currency
     * @since 0.1.0
     */
    store_price_changed: [change: PriceChange]

    /**
     * Fires when the stock of a product or variation has changed: by an order, or by hand.
     * @param change pieces, `null` where they are not counted
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'reorder',
     *   name: 'Reorder',
     *   version: '1.0.0',
     *   setup({ hooks, log }) {
     *     hooks.addAction('store_stock_changed', ({ itemId, after }) => {
     *       if (after !== null && after < 3) log.warn({ itemId, pieces: after }, 'order new ones')
     *     })
     *   },
     * })
     * ```
     */
    store_stock_changed: [change: StockChange]

    /**
     * Fires when an order was taken; its mail may not be sent yet.
     * @param order what was ordered by whom
     * @since 0.1.0
     */
    store_order_placed: [order: Order]
  }

  interface Filters {
    /**
     * The price of something that is sold, wherever it is shown, put into a cart or ordered. The same for all visitors,
     * because pages are cached: whoever changes their mind about it asks for their tag `store` to be purged
     * (`speed_purge`).
     * @param price in minor units; what is no price is passed over
     * @param item what is sold, at the price that was entered
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'clearance',
     *   name: 'Clearance',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('store_price', (price, { sku }) => (sku.startsWith('OLD-') ? Math.round(price / 2) : price))
     *   },
     * })
     * ```
     */
    store_price: [price: number, item: Item]

    /**
     * What the shop says to customers, for a site in another language; plain text. The same for all visitors, because
     * pages are cached.
     * @param texts by their names; words in braces are filled in. Those of another type than text are passed over
     * @since 0.1.0
     */
    store_texts: [texts: StoreTexts]
  }

  interface AsyncFilters {
    /**
     * The mail that tells the owner of an order.
     * @param message to the owner, with the customer in `replyTo`
     * @param order what was ordered by whom
     * @since 0.1.0
     */
    store_order_mail: [message: MailMessage, order: Order]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  store_price: productMeta.price,
  store_texts: recordOf('string'),
  store_order_mail: mailMessageShape,
} satisfies FilterShapes
