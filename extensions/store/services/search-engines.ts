import type { ExtensionHost } from 'pentad'
import { isAvailable, type Products, priceOf } from '../catalog/products.ts'
import type { StoreSettings } from '../settings.ts'

/** Provides the product of a page to the SEO service, for structured data. */
export function describeForSearch(
  { hooks, content }: Pick<ExtensionHost, 'hooks' | 'content'>,
  { products, settings }: { products: Products; settings: () => StoreSettings },
): void {
  hooks.addFilter('seo_schema_product', async (sold, { post, locked }) => {
    const product = post && !locked ? (await products.among([post])).get(post.id) : undefined
    const price = product && priceOf(product)
    if (!product || price === null || price === undefined) return sold
    const image = await content.posts.get(product.imageId)
    const images = image ? [...(await content.media.details([image])).values()].map(({ url }) => url) : []
    return {
      ...{ name: product.name, description: await products.describe(product.id), images },
      ...(product.sku !== '' && { sku: product.sku }),
      ...{ price, currency: settings().currency },
      availability: product.items.some((item) => isAvailable(item)) ? 'in-stock' : 'out-of-stock',
    }
  })
}
