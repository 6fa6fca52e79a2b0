import type { ExtensionHost } from 'pentad'
import type { Products } from '../catalog/products.ts'
import '../hooks.ts'
import type { FormatPrice } from '../money.ts'
import type { StoreSettings } from '../settings.ts'

/** Emits price drops and back-in-stock events for push notifications of the PWA service. */
export function notifySubscribers(
  { hooks }: Pick<ExtensionHost, 'hooks'>,
  parts: { products: Products; settings: () => StoreSettings; formatPrice: FormatPrice },
): void {
  const { products, settings, formatPrice } = parts

  async function newsOf(itemId: number, productId: number) {
    const product = await products.get(productId)
    const item = product?.items.find(({ id }) => id === itemId)
    if (!product || !item) return undefined
    const price = formatPrice(item.price, settings().currency)
    return { productId, name: item.name, url: product.url, price, image: product.imageId || undefined }
  }

  hooks.addAction('store_price_changed', async ({ itemId, productId, before, after }) => {
    const news = after < before ? await newsOf(itemId, productId) : undefined
    if (news) await hooks.doActionAsync('pwa_price_drop', news)
  })
  hooks.addAction('store_stock_changed', async ({ itemId, productId, before, after }) => {
    const news = before === 0 && after !== 0 ? await newsOf(itemId, productId) : undefined
    if (news) await hooks.doActionAsync('pwa_back_in_stock', news)
  })
}
