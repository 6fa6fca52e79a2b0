import { type ExtensionHost, line, type PostTypeCapabilities } from 'pentad'
import { z } from 'zod'
import type { StoreSettings } from '../settings.ts'
import { productLabels, variationLabels } from './labels.ts'

declare module 'pentad' {
  interface Capabilities extends PostTypeCapabilities<'product', 'products'> {}
}

export const PRODUCT = 'product'
export const VARIATION = 'product_variation'

/** Minor units: a cart of 50 lines with 999 items each at this price is still an exact number. */
const HIGHEST_PRICE = 9_999_999_999

/** Meta of products and variations; `meta` in `wp/v2`. */
export const productMeta = {
  product_type: z.enum(['simple', 'variable']),
  price: z.int().min(0).max(HIGHEST_PRICE),
  sku: line(64),
}

const CAPABILITIES = [
  ...['edit_products', 'edit_others_products', 'edit_published_products', 'edit_private_products'],
  ...['delete_products', 'delete_others_products', 'delete_published_products', 'delete_private_products'],
  ...['publish_products', 'read_private_products'],
] as const

/**
 * Products are a custom post type, with pages at `/product/<slug>/`, an archive at `/product/` and `wp/v2/products`.
 * Variations are child posts of a product without pages.
 */
export function registerContentTypes(
  { __, auth, content, hooks }: Pick<ExtensionHost, '__' | 'auth' | 'content' | 'hooks'>,
  settings: () => Pick<StoreSettings, 'currency'>,
): void {
  const capabilityType: [string, string] = ['product', 'products']
  content.registerPostType({
    ...{ name: PRODUCT, ...productLabels({ __ }), restBase: 'products', capabilityType },
    hasArchive: true,
    supports: ['title', 'editor', 'author', 'thumbnail', 'excerpt', 'revisions', 'custom-fields', 'page-attributes'],
  })
  content.registerPostType({
    ...{ name: VARIATION, ...variationLabels({ __ }), restBase: 'product-variations' },
    // Hierarchical, so that `wp/v2` accepts `parent`.
    ...{ public: false, hierarchical: true, capabilityType },
    supports: ['title', 'author', 'custom-fields', 'page-attributes'],
  })
  const { product_type: type, price, sku } = productMeta
  const inRest = { single: true, showInRest: true }
  const description = __('Whether the product itself or its variations are for sale.', 'store')
  content.registerMeta('post', 'product_type', {
    ...{ ...inRest, objectSubtype: PRODUCT, schema: type, default: 'simple', description },
  })
  const minor = __(
    'Without a price, the product is not for sale. In the REST API, the price is in the smallest currency unit: 1290 is 12.90.',
    'store',
  )
  /** The editor shows the price as money, so it is registered again with another currency. */
  const registerPrice = (currency: string) => {
    const schema = price.nullable().meta({ title: __('Price', 'store'), currency })
    const undo = [PRODUCT, VARIATION].map((objectSubtype) =>
      content.registerMeta('post', 'price', { ...inRest, objectSubtype, schema, description: minor }),
    )
    return {
      currency,
      undo() {
        for (const one of undo) one()
      },
    }
  }
  let registered = registerPrice(settings().currency)
  hooks.addAction('store_settings_update:after', function showCurrency() {
    const { currency } = settings()
    if (currency === registered.currency) return
    registered.undo()
    registered = registerPrice(currency)
  })
  for (const objectSubtype of [PRODUCT, VARIATION]) {
    const schema = sku.meta({ title: __('SKU', 'store') })
    content.registerMeta('post', 'sku', {
      ...inRest,
      objectSubtype,
      schema,
      description: __('Stock keeping unit.', 'store'),
    })
  }
  for (const role of ['administrator', 'editor']) auth.addCapabilities(role, CAPABILITIES)
}
