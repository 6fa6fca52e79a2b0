import type { FilterShapes } from 'pentad'
import { payloadShape } from './payload-schema.ts'
import type {
  AnnouncedSubscription,
  Notification,
  NotificationResult,
  OrderUpdate,
  ProductUpdate,
  PushPayload,
} from './types.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * Filters the payload of a push notification before it is truncated to 3 KB and encrypted. Runs once per
     * notification, not per subscriber. An invalid payload is logged and ignored.
     *
     * @param payload Declarative Web Push message, also read by the service worker.
     * @param notification The notification.
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
     * Fires after a browser subscribes to notifications.
     * @param subscription The subscription, without its endpoint and keys.
     * @since 0.1.0
     */
    pwa_subscription_added: [subscription: AnnouncedSubscription]

    /**
     * Fires after a subscription is removed by the browser, by an administrator, or because the push service reported
     * that it has expired.
     * @param subscription The subscription, without its endpoint and keys.
     * @since 0.1.0
     */
    pwa_subscription_removed: [subscription: AnnouncedSubscription]

    /**
     * Fires after a notification is sent to all recipients.
     * @param result Counts of sent messages, failed messages, and removed subscriptions.
     * @param notification The notification.
     * @since 0.1.0
     */
    pwa_notification_sent: [result: NotificationResult, notification: Notification]

    /**
     * Fired by a store when the price of a product drops. Notifies its watchers if price drop notifications are on.
     * @param product The product with its new price.
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
    pwa_price_drop: [product: ProductUpdate]

    /**
     * Fired by a store when a product is back in stock. Notifies its watchers if back-in-stock notifications are on.
     * @param product The product.
     * @since 0.1.0
     */
    pwa_back_in_stock: [product: ProductUpdate]

    /**
     * Fired by a store when the status of an order changes. Notifies the customer if order status notifications are on.
     * @param order The order with its new status.
     * @since 0.1.0
     */
    pwa_order_status: [order: OrderUpdate]
  }
}

/** Valid return values at run time. */
export const filterShapes = {
  pwa_push_payload: payloadShape,
} satisfies FilterShapes
