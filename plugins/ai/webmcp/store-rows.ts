import { deprecate } from 'node:util'
import { formatPrice } from 'pentad'
import { z } from 'zod'
import { MOST_ROWS } from './tool.ts'

/** Maximum length of a product description. */
const LONGEST = 50_000

const text = z.string().max(LONGEST)
const id = z.int().min(1)
const amount = z.int().min(0)
const currency = z.string().regex(/^[A-Z]{3}$/)

const productSchema = z.object({
  id,
  name: text,
  url: z.url({ protocol: /^https?$/ }),
  price: amount.nullable(),
  currency,
  stockStatus: z.enum(['instock', 'outofstock', 'onbackorder']),
  description: text,
  type: z.enum(['simple', 'variable']),
  purchasable: z.boolean(),
})

const cartItem = z.object({ key: text, id, name: text, quantity: id, price: amount, lineTotal: amount })
const cartSchema = z.object({
  items: z.array(cartItem),
  subtotal: amount,
  total: amount,
  currency,
  itemCount: amount,
})

const addError = z.enum(['no_cart', 'not_found', 'not_purchasable', 'out_of_stock'])

const warnOfFormerName = deprecate(
  () => {},
  'The `refused` property in the result of `add` of `ai_webmcp_store` was renamed to `error`.',
  'PENTAD_WEBMCP_REFUSED',
)

/** Schemas of store responses. */
export const responseShapes = {
  /** Invalid products are skipped. */
  products: z.array(z.unknown()).transform((list) => list.flatMap((one) => productSchema.safeParse(one).data ?? [])),
  product: productSchema.optional(),
  cart: cartSchema.nullable(),
  added: z.union([
    z.object({ error: addError }),
    z.object({ refused: addError }).transform(({ refused }) => {
      warnOfFormerName()
      return { error: refused }
    }),
    z.object({ cart: cartSchema, cookies: z.array(z.string().regex(/^[\x20-\x7e]{1,4096}$/)).max(10) }),
  ]),
}

/** A product for agents. */
export const productRow = productSchema.extend({
  formattedPrice: z.string().optional().describe('Formatted price; omitted if there is no price.'),
})

/** A cart for agents. */
export const cartRow = cartSchema.extend({
  items: z.array(cartItem.extend({ formattedPrice: z.string(), formattedLineTotal: z.string() })),
  ...{ formattedSubtotal: z.string(), formattedTotal: z.string() },
})

/** Rows with formatted prices, in the language of the site. */
export function createStoreRows(language: () => string) {
  const formatted = (price: number, code: string) => formatPrice(price, code, language())
  return {
    product: (product: z.output<typeof productSchema>) => ({
      ...product,
      ...(product.price !== null && { formattedPrice: formatted(product.price, product.currency) }),
    }),
    cart: ({ items, ...cart }: z.output<typeof cartSchema>) => ({
      items: items.slice(0, MOST_ROWS).map((item) => ({
        ...item,
        formattedPrice: formatted(item.price, cart.currency),
        formattedLineTotal: formatted(item.lineTotal, cart.currency),
      })),
      ...cart,
      formattedSubtotal: formatted(cart.subtotal, cart.currency),
      formattedTotal: formatted(cart.total, cart.currency),
    }),
  }
}
