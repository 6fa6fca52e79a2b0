import { type ExtensionHost, type Filters, RestError } from 'pentad'
import type { Carts } from '../cart/carts.ts'
import { describeCart } from '../cart/routes.ts'
import { isAvailable, type Products, priceOf } from '../catalog/products.ts'
import type { StoreSettings } from '../settings.ts'
import type { Cart, Product } from '../types.ts'

type AgentStore = NonNullable<Filters['ai_webmcp_store'][0]>
type AgentProduct = NonNullable<Awaited<ReturnType<AgentStore['product']>>>
type AgentCart = NonNullable<Awaited<ReturnType<AgentStore['cart']>>>
type AddError = Extract<Awaited<ReturnType<AgentStore['add']>>, { error: unknown }>['error']

/** Maximum length of a description; agents can read the full page. */
const LONGEST_DESCRIPTION = 10_000

/** Error codes of the AI service by error codes of the store. */
const ADD_ERRORS: ReadonlyMap<string, AddError> = new Map([
  ['store_no_cart', 'no_cart'],
  ['product_not_found', 'not_found'],
  ['store_not_purchasable', 'not_purchasable'],
  ['store_out_of_stock', 'out_of_stock'],
])

/** Lets browser agents view products and fill the cart through the AI service (`/ai/v1/webmcp/…`). */
export function serveBrowserAgents(
  { content, hooks }: Pick<ExtensionHost, 'content' | 'hooks'>,
  { products, carts, settings }: { products: Products; carts: Carts; settings: () => StoreSettings },
): void {
  const store: AgentStore = {
    async search(query, limit) {
      return Promise.all((await products.search(query, limit)).map(describe))
    },
    async product(id) {
      const post = await content.posts.get(id)
      const product = post && (await content.canRead(post, null)) ? await products.get(id) : undefined
      return product && describe(product)
    },
    async cart(visitor) {
      return (await carts.path()) === undefined ? null : cartOf(await carts.read(visitor))
    },
    async add(visitor, { id, quantity }) {
      try {
        // Variations are not products of their own: visitors choose them on the product page.
        const item = (await products.productOf(id)) === id ? id : 0
        const { cart, cookies } = await carts.add(visitor, { itemId: item, quantity })
        return { cart: cartOf(cart), cookies }
      } catch (error) {
        const reason = error instanceof RestError ? ADD_ERRORS.get(error.code) : undefined
        if (reason === undefined) throw error
        return { error: reason }
      }
    },
  }
  hooks.addFilter('ai_webmcp_store', () => store)

  async function describe(product: Product): Promise<AgentProduct> {
    const { id, name, url, type, items } = product
    const isSoldOut = items.length > 0 && !items.some((item) => isAvailable(item))
    const description = await products.describe(id)
    return {
      ...{ id, name, url, type, price: priceOf(product), currency: settings().currency },
      stockStatus: isSoldOut ? 'outofstock' : 'instock',
      // Without splitting a character.
      description: description.slice(0, LONGEST_DESCRIPTION).replace(/[\uD800-\uDBFF]$/, ''),
      purchasable: items.length > 0 && (await carts.path()) !== undefined,
    }
  }

  function cartOf(cart: Cart): AgentCart {
    const { items, total, currency, itemCount } = describeCart(cart)
    const rows = items.map(({ id, productId, name, quantity, price, lineTotal }) => {
      return { key: String(id), id: productId, name, quantity, price, lineTotal }
    })
    return { items: rows, subtotal: total, total, currency, itemCount }
  }
}
