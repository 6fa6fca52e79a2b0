import { callable, type FilterShapes, membersOf, orNull } from 'pentad'
import type { WebMcpStore } from './store.ts'

declare module 'pentad' {
  interface Filters {
    /**
     * Filters the store that browser agents can search and whose cart they can fill. Without a store, the tools for
     * products and the cart are not available.
     * @param store `null`, or a store that a different extension provided.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * const mug = {
     *   id: 7,
     *   name: 'Mug',
     *   url: 'https://example.org/mug/',
     *   price: 1290,
     *   currency: 'EUR',
     *   stockStatus: 'instock' as const,
     *   description: 'Holds a third of a liter.',
     *   type: 'simple' as const,
     *   purchasable: false,
     * }
     *
     * export default defineExtension({
     *   id: 'mugs',
     *   name: 'Mugs',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('ai_webmcp_store', () => ({
     *       search: async () => [mug],
     *       product: async (id) => (id === mug.id ? mug : undefined),
     *       cart: async () => null,
     *       add: async () => ({ error: 'no_cart' as const }),
     *     }))
     *   },
     * })
     * ```
     */
    ai_webmcp_store: [store: WebMcpStore | null]
  }
}

/** Valid results of these filters, checked at run time. */
export const filterShapes = {
  ai_webmcp_store: orNull(
    membersOf<WebMcpStore>({}, { search: callable, product: callable, cart: callable, add: callable }),
  ),
} satisfies FilterShapes
