import { type ExtensionHost, fromGmt, type MailMessage } from 'pentad'
import { z } from 'zod'
import '../hooks.ts'
import type { FormatPrice } from '../money.ts'
import type { StoreSettings } from '../settings.ts'
import type { StoreDatabase } from '../tables.ts'
import type { Order } from '../types.ts'
import { logEvent } from './order-records.ts'

/** Maximum time that one process has to send all pending emails, in ms. */
const LEASE = 60_000

const unsentSchema = z.object({
  customer: z.object({ name: z.string(), email: z.string(), message: z.string() }),
  lines: z.array(z.object({ itemId: z.int(), name: z.string(), sku: z.string(), quantity: z.int(), price: z.int() })),
  total: z.int(),
  currency: z.string(),
})

/**
 * Emails orders to the site owner in the background. An order stays pending until its email is sent, even across
 * restarts and mail server failures.
 */
export interface OrderMails {
  /** Sends pending emails soon. */
  send(): void
}

export function createOrderMails(
  { __, content, hooks, jobs, mail }: Pick<ExtensionHost, '__' | 'content' | 'hooks' | 'jobs' | 'mail'>,
  { db, settings, formatPrice }: { db: StoreDatabase; settings: () => StoreSettings; formatPrice: FormatPrice },
): OrderMails {
  const { queue } = jobs.createQueue<null>({
    name: 'store-orders',
    merge: () => null,
    ...{ timeout: LEASE, retries: 300, longestWait: 300_000 },
    async work() {
      // Two processes must not send the same email.
      const isDone = await jobs.withLease('store-orders', LEASE, sendAll)
      if (!isDone) throw new Error('Another process is sending orders.')
    },
  })

  /** A failed email does not stop the others. @throws Error if one failed */
  async function sendAll(signal: AbortSignal): Promise<true> {
    const waiting = db.selectFrom('store_orders').selectAll().where('unsent', 'is not', null).orderBy('id')
    let failure: unknown
    for (const { id, placed_gmt: placed, unsent } of await waiting.execute()) {
      signal.throwIfAborted()
      try {
        const order = { ...unsentSchema.parse(JSON.parse(unsent ?? '')), number: String(id), placed: fromGmt(placed) }
        await mail.send(await hooks.applyFiltersAsync('store_order_mail', describe(order), order))
        await db.transaction().execute(async (transaction) => {
          // Not if it was requested again meanwhile.
          const sent = transaction.updateTable('store_orders').set({ unsent: null }).where('id', '=', id)
          await sent.where('unsent', '=', unsent).execute()
          await logEvent(transaction, id, { kind: 'emailed', note: null, author: null })
        })
      } catch (error) {
        failure = error
      }
    }
    if (failure !== undefined) throw failure
    return true
  }

  function describe({ number, customer, lines, total, currency }: Order): MailMessage {
    const { adminEmail, title } = content.siteSettings()
    const money = (price: number) => formatPrice(price, currency)
    const goods = lines.map(({ name, sku, quantity, price }) => {
      return `${quantity} × ${name}${sku === '' ? '' : ` (${sku})`}: ${money(price * quantity)}`
    })
    const order = __('Order {number}', 'store').replace('{number}', number)
    return {
      to: settings().orderEmail || adminEmail,
      replyTo: customer.email,
      subject: `${order}: ${money(total)}`,
      text: [
        `${order}, ${title}`,
        goods.join('\n'),
        `${__('Total', 'store')}: ${money(total)}`,
        `${__('Name', 'store')}: ${customer.name}\n${__('Email', 'store')}: ${customer.email}`,
        customer.message,
      ].join('\n\n'),
    }
  }

  const send = () => {
    queue.push(null)
  }
  return { send }
}
