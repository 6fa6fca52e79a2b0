import type { IncomingRequest } from 'pentad'

export const ORDER_STATES = ['open', 'completed', 'canceled', 'refunded'] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** What happened to an order: a new status, an email to the owner, or a note. */
export type OrderEventKind = OrderState | 'emailed' | 'note'

/** The parts of a request that identify a cart. */
export type Visitor = Pick<IncomingRequest, 'headers' | 'clientAddress'>

/** A published product. Prices are integers in the smallest currency unit: 1290 is €12.90. */
export interface Product {
  readonly id: number
  /** Plain text. */
  readonly name: string
  /** Absolute URL of its page. */
  readonly url: string
  readonly type: 'simple' | 'variable'
  readonly sku: string
  /** ID of the featured image; 0 if there is none. */
  readonly imageId: number
  /** Purchasable items: the product itself or its variations. Without a price an item is not for sale. */
  readonly items: readonly Item[]
}

/** A purchasable item: a simple product, or a variation of a variable product. */
export interface Item {
  /** ID of the product or variation. */
  readonly id: number
  readonly productId: number
  /** Plain text: `Mug`, `T-shirt – Large`. */
  readonly name: string
  /** Name of the variation: `Large`. */
  readonly label: string
  readonly url: string
  readonly sku: string
  readonly price: number
  /** Quantity in stock; `null` if stock is not tracked. */
  readonly stock: number | null
}

/** The cart of a visitor with current prices. */
export interface Cart {
  readonly lines: readonly CartLine[]
  readonly total: number
  /** ISO 4217 code: `EUR`. */
  readonly currency: string
  /** Quantity. */
  readonly count: number
}

export interface CartLine {
  readonly item: Item
  readonly quantity: number
  readonly total: number
}

/** The customer as entered. */
export interface Customer {
  /** A single line. */
  readonly name: string
  readonly email: string
  /** Delivery address and notes. */
  readonly message: string
}

/** A placed order: its stock is subtracted, its prices are final. */
export interface Order {
  /** Order number. */
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
  /** Unit price. */
  readonly price: number
}

/** A change of price or stock. */
export interface Change<Value> {
  readonly itemId: number
  readonly productId: number
  readonly before: Value
  readonly after: Value
}

/** `null` if stock is not tracked. */
export type StockChange = Change<number | null>
export type PriceChange = Change<number>
