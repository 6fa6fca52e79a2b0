import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import type { PushTables } from './tables.ts'

const name = z.string().max(100).optional()

/** Filter for subscribers. An empty string matches unknown values. */
export const subscriberFilter = z.object({
  browser: name.describe('Name of the browser, such as Firefox.'),
  operatingSystem: name.describe('Name of the operating system, such as Android.'),
  device: name.describe('Device type: Phone, Tablet, or Desktop.'),
  country: name.describe('Country code, such as DE.'),
  signedIn: z.boolean().optional().describe('Whether the subscriber is linked to a user.'),
})

export type SubscriberFilter = z.output<typeof subscriberFilter>

type Builder = ExpressionBuilder<Pick<PushTables, 'pwa_subscriptions'>, 'pwa_subscriptions'>

/** The filter as a query condition. */
export function matchesFilter({ browser, operatingSystem, device, country, signedIn }: SubscriberFilter) {
  const names = { browser, operating_system: operatingSystem, device, country }
  return (row: Builder) =>
    row.and([
      row.and(Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined))),
      ...(signedIn === undefined ? [] : [row('user_id', signedIn ? 'is not' : 'is', null)]),
    ])
}
