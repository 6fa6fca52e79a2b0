import type { ExtensionHost } from 'pentad'
import { z } from 'zod'
import { type Products, priceOf } from './catalog/products.ts'
import type { StoreSettings } from './settings.ts'
import { MOST_IN_STOCK, type Stock } from './stock/stock.ts'
import type { EmitStockChanges } from './stock/stock-events.ts'

/** The abilities of the store: find products, and set stock with the capability to edit the product. */
export function registerAbilities(
  { abilities, auth, content }: Pick<ExtensionHost, 'abilities' | 'auth' | 'content'>,
  parts: { products: Products; stock: Stock; emitStockChanges: EmitStockChanges; settings: () => StoreSettings },
): void {
  const { products, stock, emitStockChanges, settings } = parts
  abilities.registerCategory({ slug: 'store', label: 'Store', description: 'Products and stock of the store.' })

  const item = z.object({
    id: z.int().describe('ID of the product or of one of its variations.'),
    name: z.string(),
    price: z.int().describe('Price in the smallest currency unit: 1290 is 12.90.'),
    stock: z.int().nullable().describe('Stock quantity; null if stock is not tracked.'),
  })

  abilities.register({
    name: 'store/find-products',
    label: 'Find products',
    description: 'Searches published products and returns prices and stock. Without search terms, lists all products.',
    category: 'store',
    input: z.object({
      query: z.string().max(200).default('').describe('Search terms.'),
      limit: z.int().min(1).max(50).default(10),
    }),
    output: z.object({
      currency: z.string().describe('ISO 4217 currency code.'),
      products: z.array(
        z.object({
          ...{ id: z.int(), name: z.string(), url: z.string(), type: z.enum(['simple', 'variable']) },
          price: z.int().nullable().describe('Lowest price; null if the product cannot be purchased.'),
          items: z.array(item).describe('Purchasable items: the product itself, or its variations.'),
        }),
      ),
    }),
    permission: 'edit_products',
    readonly: true,
    async execute({ query, limit }) {
      const found = await products.search(query, limit)
      return {
        currency: settings().currency,
        products: found.map((product) => ({ ...product, price: priceOf(product), items: [...product.items] })),
      }
    },
  })

  abilities.register({
    name: 'store/set-stock',
    label: 'Update stock',
    description: 'Sets the stock quantity of a product or variation.',
    category: 'store',
    input: z.object({
      id: z.int().min(1).describe('ID of the product or variation.'),
      quantity: z.int().min(0).max(MOST_IN_STOCK).nullable().describe('Stock quantity; null turns off stock tracking.'),
    }),
    output: z.object({ id: z.int(), quantity: z.int().nullable() }),
    permission: 'edit_products',
    permits: async ({ id }, caller) =>
      (await products.productOf(id)) !== undefined && (await auth.can(caller, 'edit_post', id)),
    readonly: false,
    idempotent: true,
    async preview({ id, quantity }) {
      const post = await content.posts.get(id)
      // “T-shirt – Large”; items that are not for sale only have a title.
      const title = (await products.items([id])).get(id)?.name ?? post?.title ?? ''
      return {
        target: { type: post?.type ?? '', id, title },
        summary:
          quantity === null ? `Stop tracking the stock of “${title}”.` : `Set the stock of “${title}” to ${quantity}.`,
        before: { quantity: (await stock.of([id])).get(id) ?? null },
        after: { quantity },
      }
    },
    async execute({ id, quantity }) {
      const step = await stock.set(id, quantity)
      await emitStockChanges([step])
      return { id, quantity: step.after }
    },
  })
}
