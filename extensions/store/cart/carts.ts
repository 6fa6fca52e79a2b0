import { createRateLimit, type ExtensionHost, RestError } from 'pentad'
import { isAvailable, type Products } from '../catalog/products.ts'
import type { StoreSettings } from '../settings.ts'
import { outOfStock } from '../stock/stock.ts'
import type { Cart, Visitor } from '../types.ts'
import type { CartCookie } from './cart-cookie.ts'
import type { CartLines, StoredLine } from './cart-lines.ts'

/** Maximum quantity of an item. */
export const MOST_PIECES = 999
/** Maximum number of different items. */
const MOST_LINES = 50

/** A cart with its cookies. */
export interface CartResponse {
  readonly cart: Cart
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[]
}

/**
 * Carts of visitors. Adding an item does not reserve stock: orders are served first come, first served, so nobody can
 * block the stock by filling carts.
 */
export interface Carts {
  /** Path of the cart page; `undefined` if the cart is turned off (setting `cartPage`). */
  path(): Promise<string | undefined>
  idOf(visitor: Pick<Visitor, 'headers'>): string | undefined
  /** @throws RestError 503 `store_no_cart` */
  read(visitor: Pick<Visitor, 'headers'>): Promise<Cart>
  /** With current prices; items that are no longer for sale are omitted. */
  priced(lines: readonly StoredLine[]): Promise<Cart>
  /**
   * Adds a quantity, up to the stock.
   * @throws RestError 429 `rest_too_many_requests`, 503 `store_no_cart`, 404 `product_not_found`, 400
   * `store_not_purchasable`, 409 `store_out_of_stock`, `store_cart_full`; checked in this order
   */
  add(visitor: Visitor, line: StoredLine): Promise<CartResponse>
  /** Sets a quantity; 0 removes the line. @throws RestError 503 `store_no_cart`, 409 `store_out_of_stock` */
  set(visitor: Visitor, line: StoredLine): Promise<CartResponse>
}

export function createCarts(
  { content, rateLimitStore }: Pick<ExtensionHost, 'content' | 'rateLimitStore'>,
  parts: { settings: () => StoreSettings; products: Products; lines: CartLines; cookie: CartCookie },
): Carts {
  const { settings, products, lines, cookie } = parts
  /** Enough for many visitors behind one address; each request may write a row. */
  const limit = createRateLimit({
    points: 300,
    seconds: 60,
    message: 'Too many changes to the cart. Try again in a moment.',
    shared: { name: 'store-carts', store: rateLimitStore },
  })

  async function path(): Promise<string | undefined> {
    const page = await content.posts.get(settings().cartPage ?? 0)
    return page?.status === 'publish' ? page.path : undefined
  }

  async function assertCart(): Promise<void> {
    if ((await path()) === undefined)
      throw new RestError('store_no_cart', 'The cart is not available right now.', { status: 503 })
  }

  async function priced(stored: readonly StoredLine[]): Promise<Cart> {
    const items = await products.items(stored.map(({ itemId }) => itemId))
    const shown = stored.flatMap(({ itemId, quantity }) => {
      const item = items.get(itemId)
      return item ? [{ item, quantity, total: item.price * quantity }] : []
    })
    const total = shown.reduce((sum, line) => sum + line.total, 0)
    const count = shown.reduce((sum, { quantity }) => sum + quantity, 0)
    return { lines: shown, total, currency: settings().currency, count }
  }

  const idOf: Carts['idOf'] = ({ headers }) => cookie.read(headers.cookie)

  async function toResponse(cartId: string): Promise<CartResponse> {
    const stored = await lines.of(cartId)
    // Without a cart, the browser gets cached pages again.
    return { cart: await priced(stored), cookies: [cookie.write(stored.length === 0 ? null : cartId)] }
  }

  async function itemOf(id: number) {
    const item = (await products.items([id])).get(id)
    if (item) return item
    const message = 'This product cannot be purchased as is. Choose one of its variations.'
    if (await products.get(id)) throw new RestError('store_not_purchasable', message, { status: 400 })
    throw new RestError('product_not_found', 'Product not found.', { status: 404 })
  }

  return {
    path,
    idOf,
    priced,

    async read(visitor) {
      await assertCart()
      const cartId = idOf(visitor)
      return priced(cartId === undefined ? [] : await lines.of(cartId))
    },

    async add(visitor, { itemId, quantity }) {
      await limit.consume(visitor.clientAddress)
      await assertCart()
      const item = await itemOf(itemId)
      if (!isAvailable(item, quantity)) throw outOfStock(item.name)
      const cartId = idOf(visitor) ?? cookie.create()
      const known = await lines.of(cartId)
      if (known.length >= MOST_LINES && !known.some((line) => line.itemId === itemId))
        throw new RestError('store_cart_full', `A cart can contain at most ${MOST_LINES} different items.`, {
          status: 409,
        })
      const most = Math.min(item.stock ?? MOST_PIECES, MOST_PIECES)
      if (!(await lines.add(cartId, itemId, quantity, most))) throw outOfStock(item.name)
      return toResponse(cartId)
    },

    async set(visitor, { itemId, quantity }) {
      await limit.consume(visitor.clientAddress)
      await assertCart()
      const cartId = idOf(visitor)
      if (cartId === undefined) return { cart: await priced([]), cookies: [] }
      const item = (await products.items([itemId])).get(itemId)
      if (item && !isAvailable(item, quantity)) throw outOfStock(item.name)
      await lines.set(cartId, itemId, quantity)
      return toResponse(cartId)
    },
  }
}
