import type { IncomingRequest } from 'pentad'

/**
 * The store interface for browser tools, provided by the `ai_webmcp_store` filter. Only public data is requested, and
 * responses are validated: invalid rows are skipped or returned as an error of the store.
 */
export interface WebMcpStore {
  /** Published products that match a query, best first; without a query all products, newest first. */
  search(query: string, limit: number): Promise<readonly StoreProduct[]>
  /** A published product; `undefined` if it does not exist. */
  product(id: number): Promise<StoreProduct | undefined>
  /** The cart of the visitor; `null` if it is not available. */
  cart(visitor: StoreVisitor): Promise<StoreCart | null>
  /**
   * Adds a product to the cart, all of the quantity or nothing. Checks run in the order of `AddError`; items already
   * in the cart count against the stock.
   */
  add(visitor: StoreVisitor, line: { readonly id: number; readonly quantity: number }): Promise<AddedToCart>
}

/** The visitor: never a logged-in user, only the headers of the browser. */
export type StoreVisitor = Pick<IncomingRequest, 'headers' | 'clientAddress'>

export interface StoreProduct {
  readonly id: number
  /** Plain text. */
  readonly name: string
  /** Absolute URL of its page. */
  readonly url: string
  /** Minor units of the currency, the lowest price of a variable product; `null` if it has none. */
  readonly price: number | null
  /** ISO 4217 code: `EUR`. */
  readonly currency: string
  /** Names as in WooCommerce. */
  readonly stockStatus: 'instock' | 'outofstock' | 'onbackorder'
  /** Plain text. */
  readonly description: string
  /** Only `simple` products can be added by a tool. */
  readonly type: 'simple' | 'variable'
  readonly purchasable: boolean
}

/** Prices in the smallest currency unit. */
export interface StoreCart {
  readonly items: readonly StoreCartItem[]
  readonly subtotal: number
  readonly total: number
  /** ISO 4217. */
  readonly currency: string
  /** Quantity. */
  readonly itemCount: number
}

export interface StoreCartItem {
  /** ID of the cart line. */
  readonly key: string
  /** ID of the product. */
  readonly id: number
  /** Plain text. */
  readonly name: string
  readonly quantity: number
  /** Unit price. */
  readonly price: number
  readonly lineTotal: number
}

/** Why a product was not added, in the order of checks: 503, 404, 400, 409. */
export type AddError = 'no_cart' | 'not_found' | 'not_purchasable' | 'out_of_stock'

export type AddedToCart =
  | {
      readonly cart: StoreCart
      /** Values of `Set-Cookie`, for carts stored in a cookie. */
      readonly cookies: readonly string[]
    }
  | { readonly error: AddError }
  | {
      /** @deprecated Use `error`. */
      readonly refused: AddError
    }
