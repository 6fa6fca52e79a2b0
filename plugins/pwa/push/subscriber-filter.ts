import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import type { PushTables } from './tables.ts'

const name = z.string().max(100).optional()

/** Which subscribers; what is left out does not matter. Empty stands for those of whom it is not known. */
export const subscriberFilter = z.object({
  browser: name.describe('Its name: Firefox.'),
  operatingSystem: name.describe('Its name: Android.'),
  device: name.describe('Phone, Tablet or Desktop.'),
  country: name.describe('Its code: DE.'),
  signedIn: z.boolean().optional().describe('Whether somebody was signed in there.'),
})

export type SubscriberFilter = z.output<typeof subscriberFilter>

type Builder = ExpressionBuilder<Pick<PushTables, 'pwa_subscriptions'>, 'pwa_subscriptions'>

/** As a condition of a query. */
export function likeThose({ browser, operatingSystem, device, country, signedIn }: SubscriberFilter) {
  const names = { browser, operating_system: operatingSystem, device, country }
  return (row: Builder) =>
    row.and([
      row.and(Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined))),
      ...(signedIn === undefined ? [] : [row('user_id', signedIn ? 'is not' : 'is', null)]),
    ])
}
