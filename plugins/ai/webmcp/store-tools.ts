import { type ExtensionHost, RestError, RestResponse, sameOriginOnly, success, successSchema, toLanguage } from 'pentad'
import { z } from 'zod'
import './hooks.ts'
import type { AddError, WebMcpStore } from './store.ts'
import { cartRow, createStoreRows, productRow, responseShapes } from './store-rows.ts'
import { defineTool, limitSchema, querySchema, type WebMcpTool } from './tool.ts'

/** Maximum quantity of one product. */
const MOST_PIECES = 1_000_000

/** Errors by the reason why a product was not added. */
const ADD_ERRORS: Readonly<Record<AddError, () => RestError>> = {
  no_cart: () => new RestError('ai_no_cart', 'The cart is not available right now.', { status: 503 }),
  not_found: () => new RestError('ai_not_found', 'No published product has that ID.', { status: 404 }),
  not_purchasable: () =>
    new RestError('ai_not_purchasable', 'The product cannot be purchased, or requires a variation.', { status: 400 }),
  out_of_stock: () => new RestError('ai_out_of_stock', 'There is not enough stock of the product.', { status: 409 }),
}

function noCatalog(): RestError {
  return new RestError('ai_store_failed', 'The store is not available right now.', { status: 503 })
}

/** Tools for the store from the `ai_webmcp_store` filter, available while there is one. */
export function storeTools({
  content,
  hooks,
  log,
  site,
}: Pick<ExtensionHost, 'content' | 'hooks' | 'log' | 'site'>): WebMcpTool[] {
  const rows = createStoreRows(() => toLanguage(content.siteSettings().language))
  const store = () => hooks.applyFilters('ai_webmcp_store', null)
  const when = () => store() !== null

  /**
   * Calls the store and validates its response, which comes from another extension.
   * @throws RestError from `failure`, and the reason if the store rejects the call
   */
  async function ask<Result>(
    schema: z.ZodType<Result>,
    question: (store: WebMcpStore) => Promise<unknown>,
    failure: () => RestError,
  ): Promise<Result> {
    const asked = store()
    if (!asked) throw failure()
    try {
      return schema.parse(await question(asked))
    } catch (error) {
      if (error instanceof RestError) throw error
      log.error({ err: error }, 'invalid store response to browser agent')
      throw failure()
    }
  }

  const searchProducts = defineTool({
    name: 'search_products',
    title: 'Search products',
    description:
      'Searches products. Returns prices in the smallest currency unit, such as cents, and as formatted text.',
    route: {
      method: 'GET',
      path: '/webmcp/products',
      response: successSchema(z.object({ items: z.array(productRow) })),
      access: 'public',
      summary: 'Searches products, for browser agents.',
      when,
      input: z.object({
        query: querySchema.describe('Search terms. If omitted, all products are returned.'),
        limit: limitSchema(),
      }),
      async handler({ input: { query, limit } }) {
        const found = await ask(responseShapes.products, (shop) => shop.search(query, limit), noCatalog)
        return success({ items: found.slice(0, limit).map(rows.product) })
      },
    },
  })

  const getProduct = defineTool({
    name: 'get_product',
    title: 'View a product',
    description: 'Returns the price, stock, and description of a product.',
    route: {
      method: 'GET',
      path: '/webmcp/product/{id}',
      response: successSchema(productRow),
      access: 'public',
      summary: 'Returns the price, stock, and description of a product, for browser agents.',
      when,
      input: z.object({ id: z.int().min(1).describe('ID of the product, as returned by search_products.') }),
      async handler({ input: { id } }) {
        const product = await ask(responseShapes.product, (shop) => shop.product(id), noCatalog)
        if (!product) throw ADD_ERRORS.not_found()
        return success(rows.product(product))
      },
    },
  })

  const viewCart = defineTool({
    name: 'view_cart',
    title: 'View the cart',
    description: 'Returns the items and totals of the cart of this browser.',
    route: {
      method: 'GET',
      path: '/webmcp/cart',
      response: successSchema(cartRow),
      access: 'public',
      summary: 'Returns the items and totals of the visitor’s cart, for browser agents.',
      when,
      async handler({ headers, clientAddress }) {
        const cart = await ask(responseShapes.cart, (shop) => shop.cart({ headers, clientAddress }), ADD_ERRORS.no_cart)
        if (!cart) throw ADD_ERRORS.no_cart()
        return success(rows.cart(cart))
      },
    },
  })

  const addToCart = defineTool({
    name: 'add_to_cart',
    title: 'Add to cart',
    description: 'Adds a simple product to the cart of this browser and returns the cart. Does not place an order.',
    route: {
      method: 'POST',
      path: '/webmcp/cart/add',
      response: successSchema(cartRow),
      // The only route that changes data for anonymous visitors: requests from other sites are rejected.
      ...sameOriginOnly(site.url),
      summary: 'Adds a product to the visitor’s cart, for browser agents.',
      when,
      input: z.object({
        id: z.int().min(1).describe('ID of the product.'),
        quantity: z.int().min(1).max(MOST_PIECES).default(1).describe('Quantity.'),
      }),
      async handler({ input: line, headers, clientAddress }) {
        const added = await ask(
          responseShapes.added,
          (shop) => shop.add({ headers, clientAddress }, line),
          ADD_ERRORS.no_cart,
        )
        if ('error' in added) throw ADD_ERRORS[added.error]()
        const cookies = added.cookies.length > 0 ? { 'Set-Cookie': added.cookies } : {}
        return new RestResponse(success(rows.cart(added.cart)), { headers: cookies })
      },
    },
  })

  return [searchProducts, getProduct, viewCart, addToCart]
}
