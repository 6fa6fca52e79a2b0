import type { JsonValue } from 'pentad'

/** A thing in the words of schema.org, as JSON-LD writes it. What is `undefined` is left out. */
export interface SchemaThing {
  readonly '@type': string
  /** Names it, so that others can refer to it: `{ '@id': … }`. */
  readonly '@id'?: string | undefined
  readonly [property: string]: SchemaValue
}

export type SchemaValue = JsonValue | undefined | SchemaThing | readonly SchemaThing[]

/** A product that a page sells, as a store knows it. */
export interface SchemaProduct {
  readonly name: string
  /** Plain text. */
  readonly description?: string | undefined
  /** Absolute URLs. */
  readonly images?: readonly string[] | undefined
  readonly sku?: string | undefined
  readonly brand?: string | undefined
  /** In the smallest unit of the currency: 1999 is 19.99 EUR. Of a product in several variants the lowest. */
  readonly price: number
  /** ISO 4217: `EUR`. */
  readonly currency: string
  readonly availability: 'in-stock' | 'out-of-stock' | 'back-order'
}
