import { type AccessRequest, type ExtensionHost, RestError, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { Products } from '../catalog/products.ts'
import { MOST_IN_STOCK, type Stock } from './stock.ts'
import type { EmitStockChanges } from './stock-events.ts'

const id = z.int().describe('ID of a product or variation.')
const quantity = z.int().min(0).max(MOST_IN_STOCK).nullable().describe('Stock quantity; null if stock is not tracked.')

const response = successSchema(z.object({ id, quantity }))

const stockSchema = z.object({
  id,
  quantity: quantity.optional(),
  change: z
    .int()
    .min(-MOST_IN_STOCK)
    .max(MOST_IN_STOCK)
    .optional()
    .describe('Amount to add, or to subtract if negative. Concurrent orders are taken into account.'),
})

/**
 * `GET` and `PUT /store/v1/stock/{id}`. Stock is not meta in `wp/v2`: an editor that saves old values would overwrite
 * sales.
 */
export function registerStockRoutes(
  { rest }: Pick<ExtensionHost, 'rest'>,
  { stock, emitStockChanges, products }: { stock: Stock; emitStockChanges: EmitStockChanges; products: Products },
): void {
  const access = ({ can, params }: AccessRequest) => can('edit_post', Number(params.id))

  async function assertProduct(id: number): Promise<void> {
    if ((await products.productOf(id)) === undefined)
      throw new RestError('product_not_found', 'Product or variation not found.', { status: 404 })
  }

  rest.registerRoute('store/v1', {
    method: 'GET',
    path: '/stock/{id:\\d+}',
    access,
    summary: 'Returns the stock of a product or variation.',
    input: stockSchema.pick({ id: true }),
    response,
    async handler({ input: { id } }) {
      await assertProduct(id)
      return success({ id, quantity: (await stock.of([id])).get(id) ?? null })
    },
  })

  rest.registerRoute('store/v1', {
    method: 'PUT',
    path: '/stock/{id:\\d+}',
    access,
    summary: 'Sets or adjusts the stock of a product or variation.',
    input: stockSchema,
    response,
    async handler({ input: { id, quantity, change } }) {
      await assertProduct(id)
      if ((quantity === undefined) === (change === undefined))
        throw new RestError('store_invalid_stock', 'Provide either quantity or change.', { status: 400 })
      const step = change === undefined ? await stock.set(id, quantity ?? null) : await stock.add(id, change)
      await emitStockChanges([step])
      return success({ id, quantity: step.after })
    },
  })
}
