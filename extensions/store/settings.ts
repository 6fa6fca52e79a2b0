import type { ExtensionHost } from 'pentad'
import { z } from 'zod'

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Settings of the store: `PUT /host/v1/settings/store`. */
export const settingsSchema = ({ __ }: Pick<ExtensionHost, '__'>) =>
  z.object({
    currency: z
      .string()
      .refine((code) => CURRENCIES.has(code), __('It must be an ISO 4217 currency code, such as EUR.', 'store'))
      .default('EUR')
      .meta({
        title: __('Currency', 'store'),
        description: __('Currency of all prices. Prices are not converted when you change it.', 'store'),
      }),
    orderEmail: z
      .union([z.literal(''), z.email().max(254)])
      .default('')
      .meta({
        title: __('Order email recipient', 'store'),
        description: __(
          'Email address that receives orders. Leave empty to use the administration email address.',
          'store',
        ),
      }),
    cartPage: z
      .int()
      .min(0)
      .optional()
      .meta({
        title: __('Cart page', 'store'),
        description: __('ID of the page that shows the cart. Enter 0 to turn off the cart.', 'store'),
      }),
  })

export type StoreSettings = z.output<ReturnType<typeof settingsSchema>>
