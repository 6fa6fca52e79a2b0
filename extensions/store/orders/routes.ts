import { createRateLimit, type ExtensionHost, fromOwnPages, RestError, successAnswer } from 'pentad'
import { z } from 'zod'
import type { CartCookie } from '../cart/cart-cookie.ts'
import type { Carts } from '../cart/carts.ts'
import { answerForm } from '../form-route.ts'
import { orderSchema } from './order-input.ts'
import type { Orders } from './orders.ts'

const placedShape = z.object({
  number: z.string().describe('As customer and owner call it.'),
  total: z.int().describe('In minor units of the currency.'),
  currency: z.string().describe('ISO 4217.'),
})

/** `POST /store/v1/orders`: the form of the cart page. */
export function registerOrderRoute(
  { rest, site }: Pick<ExtensionHost, 'rest' | 'site'>,
  { orders, carts, cookie }: { orders: Orders; carts: Carts; cookie: CartCookie },
): void {
  const limit = createRateLimit({ points: 20, seconds: 3600, message: 'Too many orders from here. Try again later.' })

  rest.registerRoute('store/v1', {
    method: 'POST',
    path: '/orders',
    ...fromOwnPages(site.url),
    summary: 'Orders what lies in the cart, without paying: the owner gets a mail and answers.',
    input: orderSchema,
    answer: successAnswer(placedShape),
    handler: (request) =>
      answerForm(request, carts, async () => {
        await limit.consume(request.clientAddress)
        if ((await carts.path()) === undefined)
          throw new RestError('store_no_cart', 'There is no cart at the moment.', { status: 503 })
        const { total, ...customer } = request.input
        const { number, currency } = await orders.place(carts.idOf(request) ?? '', customer, total)
        return {
          data: { number, total, currency },
          status: 201,
          cookies: [cookie.write(null)],
          notice: `ordered-${number}`,
        }
      }),
  })
}
