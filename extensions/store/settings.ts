import { z } from 'zod'

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** What an owner can set: `PUT /host/v1/settings/store`. */
export const settingsSchema = z.object({
  currency: z
    .string()
    .refine((code) => CURRENCIES.has(code), 'It must be a code of ISO 4217 such as EUR.')
    .default('EUR')
    .meta({ title: 'Currency', description: 'Of all prices. They are not converted when it changes.' }),
  orderEmail: z
    .union([z.literal(''), z.email().max(254)])
    .default('')
    .meta({ title: 'Orders go to', description: 'An email address; empty for the address of the administrator.' }),
  cartPage: z
    .int()
    .min(0)
    .optional()
    .meta({ title: 'Cart page', description: 'Id of the page that shows the cart; 0 for products without a cart.' }),
})

export type StoreSettings = z.output<typeof settingsSchema>
