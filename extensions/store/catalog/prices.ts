import type { ExtensionHost } from 'pentad'
import '../hooks.ts'
import type { StoreDatabase } from '../tables.ts'
import type { PriceChange } from '../types.ts'
import type { Products } from './products.ts'

/** Tells extensions when visitors see another price. What they saw is remembered, as a save does not say what was before. */
export function watchPrices(
  { hooks }: Pick<ExtensionHost, 'hooks'>,
  { db, products }: { db: StoreDatabase; products: Products },
): void {
  const { doActionAsync } = hooks.limited({ cancelable: false })

  /** The price of a published item as it is now; a first one is no news. */
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
    // Of two saves at once one tells.
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
