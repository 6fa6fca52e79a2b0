import { type FilterShapes, finiteNumber, json, listOf, membersOf, oneOf, orNull, type PageContext } from 'pentad'
import type { SchemaProduct, SchemaThing } from './types.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * Filters the structured data of a page before it is printed. A result that cannot be serialized as JSON is logged
     * and ignored.
     * @param graph Schema.org objects, each with its `@type`, which reference each other by `@id`.
     * @param page The current page.
     * @since 0.1.0
     */
    seo_schema_graph: [graph: readonly SchemaThing[], page: PageContext]
    /**
     * Filters the product that a page sells, for structured data. A store returns the product; the SEO service formats
     * it for search engines.
     * @param product `null` on a page without a product.
     * @param page The current page.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'tea-shop',
     *   name: 'Tea shop',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('seo_schema_product', (product, { path }) =>
     *       path === '/assam/' ? { name: 'Assam', price: 790, currency: 'EUR', availability: 'in-stock' } : product,
     *     )
     *   },
     * })
     * ```
     */
    seo_schema_product: [product: SchemaProduct | null, page: PageContext]
  }
}

/** Valid results of these filters, checked at run time. */
export const filterShapes = {
  seo_schema_graph: listOf(json('object')),
  seo_schema_product: orNull(
    membersOf<SchemaProduct>(
      { description: 'string', images: listOf('string'), sku: 'string', brand: 'string' },
      {
        name: 'string',
        price: finiteNumber,
        currency: 'string',
        availability: oneOf('in-stock', 'out-of-stock', 'back-order'),
      },
    ),
  ),
} satisfies FilterShapes
