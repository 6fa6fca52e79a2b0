import type { PageContext } from 'pentad'
import type { SchemaProduct, SchemaThing } from './types.ts'

const AVAILABILITY = {
  'in-stock': 'https://schema.org/InStock',
  'out-of-stock': 'https://schema.org/OutOfStock',
  'back-order': 'https://schema.org/BackOrder',
}

/** What a page sells, with its price; `undefined` where that is none, since Google shows no product without one. */
export function productThing(page: PageContext, product: SchemaProduct): SchemaThing | undefined {
  const { name, description, images = [], sku, brand, price, currency, availability } = product
  if (name === '' || !(price >= 0 && Number.isFinite(price)) || !/^[A-Z]{3}$/.test(currency)) return undefined
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
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  return (price / 10 ** maximumFractionDigits).toFixed(maximumFractionDigits)
}
