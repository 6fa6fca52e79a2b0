import { type ExtensionHost, type ResponseOf, type RestRequest, sameOriginOnly, success, successSchema } from 'pentad'
import { z } from 'zod'
import { handleForm } from '../form-route.ts'
import type { Cart } from '../types.ts'
import { type CartResponse, type Carts, MOST_PIECES } from './carts.ts'

const item = z.int().min(1).describe('ID of a simple product or of a variation.')

const cartShape = z.object({
  items: z.array(
    z.object({
      ...{ id: item, productId: z.int(), name: z.string(), url: z.string(), quantity: z.int() },
      price: z.int().describe('Unit price in the smallest currency unit.'),
      lineTotal: z.int(),
    }),
  ),
  total: z.int(),
  currency: z.string().describe('ISO 4217 currency code.'),
  itemCount: z.int().describe('Quantity.'),
})

/** `GET /store/v1/cart`, and the form targets of product and cart pages. */
export function registerCartRoutes({ rest, site }: Pick<ExtensionHost, 'rest' | 'site'>, carts: Carts): void {
  const change = (request: Pick<RestRequest, 'headers'>, work: () => Promise<CartResponse>) =>
    handleForm(request, carts, async () => {
      const { cart, cookies } = await work()
      return { data: describeCart(cart), cookies }
    })

  rest.registerRoute('store/v1', {
    method: 'GET',
    path: '/cart',
    access: 'public',
    summary: 'Returns the visitor’s cart.',
    response: successSchema(cartShape),
    handler: async (request) => success(describeCart(await carts.read(request))),
  })

  rest.registerRoute('store/v1', {
    method: 'POST',
    path: '/cart/add',
    ...sameOriginOnly(site.url),
    summary: 'Adds an item to the cart.',
    input: z.object({ id: item, quantity: z.int().min(1).max(MOST_PIECES).default(1) }),
    response: successSchema(cartShape),
    handler: (request) => {
      const { id: itemId, quantity } = request.input
      return change(request, () => carts.add(request, { itemId, quantity }))
    },
  })

  rest.registerRoute('store/v1', {
    method: 'POST',
    path: '/cart/update',
    ...sameOriginOnly(site.url),
    summary: 'Sets the quantity of an item in the cart; 0 removes it.',
    input: z.object({ id: item, quantity: z.int().min(0).max(MOST_PIECES) }),
    response: successSchema(cartShape),
    handler: (request) => {
      const { id: itemId, quantity } = request.input
      return change(request, () => carts.set(request, { itemId, quantity }))
    },
  })
}

/** A cart in API format. */
export function describeCart({ lines, total, currency, count }: Cart): ResponseOf<typeof cartShape> {
  const items = lines.map(({ item, quantity, total: lineTotal }) => ({
    ...{ id: item.id, productId: item.productId, name: item.name, url: item.url, quantity },
    ...{ price: item.price, lineTotal },
  }))
  return { items, total, currency, itemCount: count }
}
