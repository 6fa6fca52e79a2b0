import { fractionDigits, type PageContext } from 'pentad'
import { z } from 'zod'
import type { SchemaProduct, SchemaThing } from './types.ts'

const AVAILABILITY = {
  'in-stock': 'https://schema.org/InStock',
  'out-of-stock': 'https://schema.org/OutOfStock',
  'back-order': 'https://schema.org/BackOrder',
}

const schema: z.ZodType<SchemaProduct> = z.object({
  name: z.string().min(1),
  description: z.string().optional(),
  images: z.array(z.string()).optional(),
  sku: z.string().optional(),
  brand: z.string().optional(),
  price: z.number().min(0),
  currency: z.string().regex(/^[A-Z]{3}$/),
  availability: z.enum(['in-stock', 'out-of-stock', 'back-order']),
})

/** The product of a page with its price; `undefined` if it has no price, because Google requires one. */
export function productThing(page: PageContext, product: SchemaProduct): SchemaThing | undefined {
  const { data } = schema.safeParse(product)
  if (!data) return undefined
  const { name, description, images = [], sku, brand, price, currency, availability } = data
  return {
    '@type': 'Product',
    '@id': `${page.url}#product`,
    name,
    url: page.url,
    description,
    image: images.length > 0 ? images : undefined,
    sku,
    brand: brand === undefined ? undefined : { '@type': 'Brand', name: brand },
    offers: {
      '@type': 'Offer',
      url: page.url,
      price: inUnits(price, currency),
      priceCurrency: currency,
      availability: AVAILABILITY[availability],
    },
  }
}

/** 1999 in EUR is `19.99`, in JPY `1999`. */
function inUnits(price: number, currency: string): string {
  const digits = fractionDigits(currency)
  return (price / 10 ** digits).toFixed(digits)
}
