import { type FilterShapes, type MailMessage, mailMessageShape, recordOf } from 'pentad'
import { productMeta } from './catalog/content-types.ts'
import type { StoreTexts } from './pages/default-texts.ts'
import type { Item, Order, PriceChange, StockChange } from './types.ts'

declare module 'pentad' {
  interface AsyncActions {
    /**
     * Fires after the public price of a product or variation changes; not when it is first published.
     * @param change Prices in the smallest currency unit.
     * @since 0.1.0
     */
    store_price_changed: [change: PriceChange]

    /**
     * Fires after the stock of a product or variation changes, by an order or manually.
     * @param change Quantities; `null` if stock is not tracked.
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
     *       if (after !== null && after < 3) log.warn({ itemId, quantity: after }, 'stock low')
     *     })
     *   },
     * })
     * ```
     */
    store_stock_changed: [change: StockChange]

    /**
     * Fires after an order is placed; its email may not have been sent yet.
     * @param order The order with its customer.
     * @since 0.1.0
     */
    store_order_placed: [order: Order]
  }

  interface Filters {
    /**
     * Filters the price of an item wherever it is shown, added to a cart, or ordered. It must be the same for all
     * visitors, because pages are cached. After a change, purge the tag `store` with `purge_pages`.
     * @param price Price in the smallest currency unit; an invalid price is ignored.
     * @param item The item with the price that was entered.
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
     * Filters the strings that customers see, as plain text, in the language of the site. They are the same for all visitors,
     * because pages are cached.
     * @param texts Strings by name, with placeholders in braces. Values that are not strings are ignored.
     * @since 0.1.0
     */
    store_texts: [texts: StoreTexts]
  }

  interface AsyncFilters {
    /**
     * Filters the email that notifies the site owner of an order.
     * @param message The email, with the customer in `replyTo`.
     * @param order The order with its customer.
     * @since 0.1.0
     */
    store_order_mail: [message: MailMessage, order: Order]
  }
}

/** Valid results of these filters, checked at run time. */
export const filterShapes = {
  store_price: productMeta.price,
  store_texts: recordOf('string'),
  store_order_mail: mailMessageShape,
} satisfies FilterShapes
