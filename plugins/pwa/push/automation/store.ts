import type { ExtensionHost } from 'pentad'
import type { PwaSettings } from '../../settings.ts'
import type { Compose } from '../compose.ts'
import type { Audience } from '../deliveries.ts'
import '../hooks.ts'
import type { Broadcasts } from '../broadcasts.ts'
import type { OrderUpdate, ProductUpdate } from '../types.ts'

/** Sends notifications for the `pwa_price_drop`, `pwa_back_in_stock` and `pwa_order_status` actions. */
export function notifyOfStoreEvents(
  { hooks }: Pick<ExtensionHost, 'hooks'>,
  settings: () => PwaSettings,
  { broadcasts, compose }: { broadcasts: Broadcasts; compose: Compose },
): void {
  const isOn = (automation: 'pushPriceDrop' | 'pushBackInStock' | 'pushOrderStatus') =>
    settings().pushAutomation === 'on' && settings()[automation] === 'on'

  async function notifyOfProduct(product: ProductUpdate, title: string): Promise<void> {
    const { name, price, url, image, userIds } = product
    const body = price === undefined ? name : `${name}: ${price}`
    const audience: Audience = userIds ? { to: 'users', ids: userIds } : { to: 'all' }
    await broadcasts.start(await compose({ title, body, url, imageId: image }), audience)
  }

  hooks.addAction('pwa_price_drop', async function notifyOfPriceDrop(product) {
    if (isOn('pushPriceDrop')) await notifyOfProduct(product, 'Price drop')
  })
  hooks.addAction('pwa_back_in_stock', async function notifyOfStock(product) {
    if (isOn('pushBackInStock')) await notifyOfProduct(product, 'Back in stock')
  })
  hooks.addAction('pwa_order_status', async function notifyOfOrder({ number, status, url, userId }: OrderUpdate) {
    if (!isOn('pushOrderStatus')) return
    const notification = await compose({ title: `Order ${number}`, body: status, url })
    // The same status is not sent twice.
    const reason = `order:${number}:${status}`.slice(0, 200)
    await broadcasts.start(notification, { to: 'users', ids: [userId] }, reason)
  })
}
