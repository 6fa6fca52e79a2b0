import type { ExtensionHost } from 'pentad'
import type { StoreDatabase } from '../tables.ts'
import { PRODUCT, VARIATION } from './content-types.ts'

/** What is kept of a product goes with it. */
export function removeDeleted({ hooks }: Pick<ExtensionHost, 'hooks'>, db: StoreDatabase): void {
  hooks.addAction('deleted_post', async (id, { type }) => {
    if (type !== PRODUCT && type !== VARIATION) return
    await db.deleteFrom('store_stock').where('item_id', '=', id).execute()
    await db.deleteFrom('store_known_prices').where('item_id', '=', id).execute()
    await db.deleteFrom('store_cart_lines').where('item_id', '=', id).execute()
  })
}
