import type { ExtensionHost } from 'pentad'
import '../hooks.ts'
import type { StoreDatabase } from '../tables.ts'
import type { PriceChange } from '../types.ts'
import type { Products } from './products.ts'

/**
 * Fires `store_price_changed` when a public price changes. The last public price is stored, because a save does not
 * contain it.
 */
export function watchPrices(
  { hooks }: Pick<ExtensionHost, 'hooks'>,
  { db, products }: { db: StoreDatabase; products: Products },
): void {
  const { doActionAsync } = hooks.limited({ cancelable: false })

  /** The price of a published item; the first one is not a change. */
  async function note(itemId: number): Promise<void> {
    const item = (await products.items([itemId])).get(itemId)
    if (!item) return
    const known = db.selectFrom('store_known_prices').select('price').where('item_id', '=', itemId)
    const before = (await known.executeTakeFirst())?.price
    if (before === undefined) {
      const first = db.insertInto('store_known_prices').values({ item_id: itemId, price: item.price })
      await first.onConflict((conflict) => conflict.doNothing()).execute()
      return
    }
    const changed = await db
      .updateTable('store_known_prices')
      .set({ price: item.price })
      .where('item_id', '=', itemId)
      .where('price', '=', before)
      .where('price', '<>', item.price)
      .returning('item_id')
      .executeTakeFirst()
    // Only one of two concurrent saves fires the action.
    if (!changed) return
    const change: PriceChange = { itemId, productId: item.productId, before, after: item.price }
    await doActionAsync('store_price_changed', change)
  }

  async function noteMeta(_metaId: number, postId: number, key: string): Promise<void> {
    if (key === 'price') await note(postId)
  }
  hooks.addAction('added_post_meta', noteMeta)
  hooks.addAction('updated_post_meta', noteMeta)

  hooks.addAction('transition_post_status', async (now, before, post) => {
    if (now !== 'publish' || before === 'publish') return
    const productId = await products.productOf(post.id)
    const product = productId === undefined ? undefined : await products.get(productId)
    for (const item of product?.items ?? []) await note(item.id)
  })
}
