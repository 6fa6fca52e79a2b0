import type { IncomingRequest } from 'pentad'

/**
 * A shop as the browser tools see it: what the filter `ai_webmcp_store` answers. Only what every visitor may see is asked
 * for, and nothing of what is answered is trusted: rows that are not as described here are left out or answered as an
 * error of the store.
 */
export interface WebMcpStore {
  /** Published products that a visitor's words find, the best first; all of the catalogue, newest first, for no words. */
  search(query: string, limit: number): Promise<readonly StoreProduct[]>
  /** A published product; `undefined` where there is none. */
  product(id: number): Promise<StoreProduct | undefined>
  /** What lies in the visitor's cart; `null` where there can be no cart now. */
  cart(visitor: StoreVisitor): Promise<StoreCart | null>
  /**
   * Puts a product into the visitor's cart, all of the quantity or nothing. What speaks against it is looked for in the
   * order of `AddRefusal`; what lies in the cart already counts against the stock.
   */
  add(visitor: StoreVisitor, line: { readonly id: number; readonly quantity: number }): Promise<AddedToCart>
}

/** Who asks: never a signed-in user, only what the browser sent along. */
export type StoreVisitor = Pick<IncomingRequest, 'headers' | 'clientAddress'>

export interface StoreProduct {
  readonly id: number
  /** Plain text. */
  readonly name: string
  /** Absolute address of its page. */
  readonly url: string
  /** Minor units of the currency, of a variable product the lowest; `null` where it has none. */
  readonly price: number | null
  /** ISO 4217: `EUR`. */
  readonly currency: string
  /** WooCommerce's names. */
  readonly stockStatus: 'instock' | 'outofstock' | 'onbackorder'
  /** Plain text. */
  readonly description: string
  /** Only `simple` ones can be added by a tool. */
  readonly type: 'simple' | 'variable'
  readonly purchasable: boolean
}

/** Prices in minor units of the currency. */
export interface StoreCart {
  readonly items: readonly StoreCartItem[]
  readonly subtotal: number
  readonly total: number
  /** ISO 4217. */
  readonly currency: string
  /** How many pieces. */
  readonly itemCount: number
}

export interface StoreCartItem {
  /** Names the line of the cart. */
  readonly key: string
  /** Of the product. */
  readonly id: number
  /** Plain text. */
  readonly name: string
  readonly quantity: number
  /** Of one piece. */
  readonly price: number
  readonly lineTotal: number
}

/** Why a product was not added, in the order in which it is looked for: 503, 404, 400, 409. */
export type AddRefusal = 'no_cart' | 'not_found' | 'not_purchasable' | 'out_of_stock'

export type AddedToCart =
  | {
      readonly cart: StoreCart
      /** Values of `Set-Cookie`: the cart may be in a cookie. */
      readonly cookies: readonly string[]
    }
  | { readonly refused: AddRefusal }
