import { createRateLimit, type ExtensionHost, RestError, sameOriginOnly, successSchema } from 'pentad'
import { z } from 'zod'
import type { CartCookie } from '../cart/cart-cookie.ts'
import type { Carts } from '../cart/carts.ts'
import { handleForm } from '../form-route.ts'
import { orderSchema } from './order-input.ts'
import type { Orders } from './orders.ts'

const placedShape = z.object({
  number: z.string().describe('Order number.'),
  total: z.int().describe('Total in the smallest currency unit.'),
  currency: z.string().describe('ISO 4217 currency code.'),
})

/** `POST /store/v1/orders`: target of the checkout form. */
export function registerOrderRoute(
  { rateLimitStore, rest, site }: Pick<ExtensionHost, 'rateLimitStore' | 'rest' | 'site'>,
  { orders, carts, cookie }: { orders: Orders; carts: Carts; cookie: CartCookie },
): void {
  const limit = createRateLimit({
    ...{ points: 20, seconds: 3600, message: 'Too many orders. Try again later.' },
    shared: { name: 'store-orders', store: rateLimitStore },
  })

  rest.registerRoute('store/v1', {
    method: 'POST',
    path: '/orders',
    ...sameOriginOnly(site.url),
    summary: 'Places an order for the cart, without payment: the order is emailed to the site owner.',
    input: orderSchema,
    response: successSchema(placedShape),
    handler: (request) =>
      handleForm(request, carts, async () => {
        await limit.consume(request.clientAddress)
        if ((await carts.path()) === undefined)
          throw new RestError('store_no_cart', 'The cart is not available right now.', { status: 503 })
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
