import { type FilterShapes, finiteNumber, json, listOf, membersOf, oneOf, orNull, type PageContext } from 'pentad'
import type { SchemaProduct, SchemaThing } from './types.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * The structured data of a page, before it is printed. What cannot be written as JSON is logged, and the data goes
     * out as it was.
     * @param graph things in the words of schema.org, each with its `@type`; they refer to one another by `@id`
     * @param page the page shown
     * @since 0.1.0
     */
    seo_schema_graph: [graph: readonly SchemaThing[], page: PageContext]
    /**
     * The product that a page sells, for structured data. A store answers with it; the service writes it as search
     * engines want it.
     * @param product `null` on a page that sells none
     * @param page the page shown
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

/** What these filters may return at run time. */
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
