import type { ExtensionHost } from 'pentad'
import type { StoreDatabase } from '../tables.ts'
import { PRODUCT, VARIATION } from './content-types.ts'

/** Deletes the stock and prices of deleted products. */
export function removeDeleted({ hooks }: Pick<ExtensionHost, 'hooks'>, db: StoreDatabase): void {
  hooks.addAction('deleted_post', async (id, { type }) => {
    if (type !== PRODUCT && type !== VARIATION) return
    await db.deleteFrom('store_stock').where('item_id', '=', id).execute()
    await db.deleteFrom('store_known_prices').where('item_id', '=', id).execute()
    await db.deleteFrom('store_cart_lines').where('item_id', '=', id).execute()
  })
}
