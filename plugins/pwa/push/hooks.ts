import type { FilterShapes } from 'pentad'
import { payloadShape } from './payload-schema.ts'
import type {
  AnnouncedSubscription,
  Notification,
  OrderNews,
  ProductNews,
  PushPayload,
  SendingResult,
} from './types.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * What browsers get, before it is cut to 3 KB and encrypted: once for a notification, not for each subscriber.
     * Something that is no payload is logged, and the notification goes out as it was.
     *
     * @param payload Declarative Web Push, which the service worker reads too
     * @param notification what the site tells
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'tagged-links',
     *   name: 'Tagged links',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('pwa_push_payload', (payload) => {
     *       const address = new URL(payload.notification.navigate)
     *       address.searchParams.set('utm_source', 'push')
     *       return { ...payload, notification: { ...payload.notification, navigate: address.href } }
     *     })
     *   },
     * })
     * ```
     */
    pwa_push_payload: [payload: PushPayload, notification: Notification]
  }

  interface AsyncActions {
    /**
     * Fires when a browser has subscribed.
     * @param subscription without endpoint and keys
     * @since 0.1.0
     */
    pwa_subscription_added: [subscription: AnnouncedSubscription]

    /**
     * Fires when a subscription was removed: by its browser, by an administrator, or because the push service said that
     * it is no more.
     * @param subscription without endpoint and keys
     * @since 0.1.0
     */
    pwa_subscription_removed: [subscription: AnnouncedSubscription]

    /**
     * Fires when a notification was sent to all who were to get it.
     * @param result how many were sent, failed, and turned out to be no more
     * @param notification what they were told
     * @since 0.1.0
     */
    pwa_notification_sent: [result: SendingResult, notification: Notification]

    /**
     * Fired by a store when a product got cheaper; those who watch it are told, if that is switched on.
     * @param product the product with its new price
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'sale',
     *   name: 'Sale',
     *   version: '1.0.0',
     *   async setup({ hooks }) {
     *     const lamp = { productId: 7, name: 'Lamp', url: '/product/lamp/', price: '€ 12.90' }
     *     await hooks.doActionAsync('pwa_price_drop', lamp)
     *   },
     * })
     * ```
     */
    pwa_price_drop: [product: ProductNews]

    /**
     * Fired by a store when a product can be bought again; those who watch it are told, if that is switched on.
     * @param product the product
     * @since 0.1.0
     */
    pwa_back_in_stock: [product: ProductNews]

    /**
     * Fired by a store when an order went on; its customer is told, if that is switched on.
     * @param order the order with its new status
     * @since 0.1.0
     */
    pwa_order_status: [order: OrderNews]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  pwa_push_payload: payloadShape,
} satisfies FilterShapes
