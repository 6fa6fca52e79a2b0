import type { IncomingRequest } from 'pentad'

/** What of a request tells whose cart it is about. */
export type Visitor = Pick<IncomingRequest, 'headers' | 'clientAddress'>

/** A published product. Prices are integers in minor units of the currency: 1290 is € 12.90. */
export interface Product {
  readonly id: number
  /** Plain text. */
  readonly name: string
  /** Absolute address of its page. */
  readonly url: string
  readonly type: 'simple' | 'variable'
  readonly sku: string
  /** Id of its featured image; 0 without one. */
  readonly imageId: number
  /** What of it can be sold: a simple product itself, a variable one's variations. Without a price nothing is. */
  readonly items: readonly Item[]
}

/** What can be put into a cart: a simple product, or one variation of a variable one. */
export interface Item {
  /** Id of the product or the variation. */
  readonly id: number
  readonly productId: number
  /** Plain text: `Mug`, `T-shirt – Large`. */
  readonly name: string
  /** What tells it from the other variations: `Large`. */
  readonly label: string
  readonly url: string
  readonly sku: string
  readonly price: number
  /** Pieces that are there; `null` where they are not counted. */
  readonly stock: number | null
}

/** What a visitor has chosen, at today's prices. */
export interface Cart {
  readonly lines: readonly CartLine[]
  readonly total: number
  /** ISO 4217: `EUR`. */
  readonly currency: string
  /** How many pieces. */
  readonly count: number
}

export interface CartLine {
  readonly item: Item
  readonly quantity: number
  readonly total: number
}

/** Who orders, in their own words. */
export interface Customer {
  /** One line. */
  readonly name: string
  readonly email: string
  /** Where to deliver, and whatever else there is to say. */
  readonly message: string
}

/** An order that was taken: its pieces are out of stock, its price is agreed. */
export interface Order {
  /** As customer and owner call it. */
  readonly number: string
  /** ISO 8601, UTC. */
  readonly placed: string
  readonly customer: Customer
  readonly lines: readonly OrderLine[]
  readonly total: number
  readonly currency: string
}

export interface OrderLine {
  readonly itemId: number
  readonly name: string
  readonly sku: string
  readonly quantity: number
  /** Of one piece. */
  readonly price: number
}

/** A price or a stock that changed. */
export interface Change<Value> {
  readonly itemId: number
  readonly productId: number
  readonly before: Value
  readonly after: Value
}

/** `null`: the pieces are not counted. */
export type StockChange = Change<number | null>
export type PriceChange = Change<number>
