import { z } from 'zod'

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Settings of the store: `PUT /host/v1/settings/store`. */
export const settingsSchema = z.object({
  currency: z
    .string()
    .refine((code) => CURRENCIES.has(code), 'It must be an ISO 4217 currency code, such as EUR.')
    .default('EUR')
    .meta({ title: 'Currency', description: 'Currency of all prices. Prices are not converted when you change it.' }),
  orderEmail: z
    .union([z.literal(''), z.email().max(254)])
    .default('')
    .meta({
      title: 'Order email recipient',
      description: 'Email address that receives orders. Leave empty to use the administration email address.',
    }),
  cartPage: z
    .int()
    .min(0)
    .optional()
    .meta({ title: 'Cart page', description: 'ID of the page that shows the cart. Enter 0 to turn off the cart.' }),
})

export type StoreSettings = z.output<typeof settingsSchema>
