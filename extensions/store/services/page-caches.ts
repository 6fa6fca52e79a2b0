import type { ExtensionHost } from 'pentad'
import { VARIATION } from '../catalog/content-types.ts'
import { STORE_TAG } from '../pages/style.ts'
import type { StoreSettings } from '../settings.ts'

/** Purges cached pages with outdated prices or stock. Saves of products are handled by the page cache. */
export function purgeShopPages({ hooks }: Pick<ExtensionHost, 'hooks'>, settings: () => StoreSettings): void {
  const purge = (tag: string, reason: string) => hooks.doAction('purge_pages', { tags: [tag], reason })
  const purgeProduct = (id: number) => purge(`post-${id}`, 'A product changed.')

  hooks.addAction('store_stock_changed', ({ productId, before, after }) => {
    // Pages show whether an item is in stock, not how many.
    if ((before === 0) !== (after === 0)) purgeProduct(productId)
  })
  hooks.addAction('store_price_changed', ({ productId }) => purgeProduct(productId))
  hooks.addAction('wp_after_insert_post', (_id, post) => {
    if (post.type === VARIATION) purgeProduct(post.parentId)
    // Without a cart, products have no form.
    if (post.id === settings().cartPage) purge(STORE_TAG, 'The cart page changed.')
  })
  hooks.addAction('deleted_post', (_id, post) => {
    if (post.type === VARIATION) purgeProduct(post.parentId)
  })
  hooks.addAction('store_settings_update:after', () => purge(STORE_TAG, 'The settings of the store changed.'))
}
