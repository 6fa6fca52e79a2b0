import type { JsonValue } from 'pentad'

/** A schema.org object in JSON-LD. `undefined` values are omitted. */
export interface SchemaThing {
  readonly '@type': string
  /** Identifier for references: `{ '@id': … }`. */
  readonly '@id'?: string | undefined
  readonly [property: string]: SchemaValue
}

export type SchemaValue = JsonValue | undefined | SchemaThing | readonly SchemaThing[]

/** A product on a page, provided by a store. */
export interface SchemaProduct {
  readonly name: string
  /** Plain text. */
  readonly description?: string | undefined
  /** Absolute URLs. */
  readonly images?: readonly string[] | undefined
  readonly sku?: string | undefined
  readonly brand?: string | undefined
  /** Price in the smallest unit of the currency: 1999 is 19.99 EUR. The lowest price if there are variations. */
  readonly price: number
  /** ISO 4217 code: `EUR`. */
  readonly currency: string
  readonly availability: 'in-stock' | 'out-of-stock' | 'back-order'
}
