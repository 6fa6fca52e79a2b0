import { callable, type FilterShapes, membersOf, orNull } from 'pentad'
import type { WebMcpStore } from './store.ts'

declare module 'pentad' {
  interface Filters {
    /**
     * The shop that browser agents may look at and put things into the cart of. While nobody answers one, the tools for
     * products and the cart do not exist.
     * @param store `null`, or what another extension answered
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
     *   description: 'Holds a third of a litre.',
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
     *       add: async () => ({ refused: 'no_cart' as const }),
     *     }))
     *   },
     * })
     * ```
     */
    ai_webmcp_store: [store: WebMcpStore | null]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  ai_webmcp_store: orNull(
    membersOf<WebMcpStore>({}, { search: callable, product: callable, cart: callable, add: callable }),
  ),
} satisfies FilterShapes
