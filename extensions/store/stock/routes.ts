import { type AccessRequest, type ExtensionHost, RestError, success, successAnswer } from 'pentad'
import { z } from 'zod'
import type { Products } from '../catalogue/products.ts'
import type { StockNews } from './news.ts'
import { MOST_IN_STOCK, type Stock } from './stock.ts'

const id = z.int().describe('Id of a product or variation.')
const quantity = z
  .int()
  .min(0)
  .max(MOST_IN_STOCK)
  .nullable()
  .describe('How many there are; null: they are not counted.')

const answer = successAnswer(z.object({ id, quantity }))

const stockSchema = z.object({
  id,
  quantity: quantity.optional(),
  change: z
    .int()
    .min(-MOST_IN_STOCK)
    .max(MOST_IN_STOCK)
    .optional()
    .describe('How many more there are, or fewer; orders that come at the same moment count too.'),
})

/**
 * `GET` and `PUT /store/v1/stock/{id}`. Stock is no meta of `wp/v2`: an editor that saves what it read an hour ago would
 * put back what was sold since.
 */
export function registerStockRoutes(
  { rest }: Pick<ExtensionHost, 'rest'>,
  { stock, tellOfStock, products }: { stock: Stock; tellOfStock: StockNews; products: Products },
): void {
  const access = ({ can, params }: AccessRequest) => can('edit_post', Number(params.id))

  async function refuseOthers(id: number): Promise<void> {
    if ((await products.productOf(id)) === undefined)
      throw new RestError('product_not_found', 'There is no product or variation of that id.', { status: 404 })
  }

  rest.registerRoute('store/v1', {
    method: 'GET',
    path: '/stock/{id:\\d+}',
    access,
    summary: 'How many pieces there are of a product or variation.',
    input: stockSchema.pick({ id: true }),
    answer,
    async handler({ input: { id } }) {
      await refuseOthers(id)
      return success({ id, quantity: (await stock.of([id])).get(id) ?? null })
    },
  })

  rest.registerRoute('store/v1', {
    method: 'PUT',
    path: '/stock/{id:\\d+}',
    access,
    summary: 'Says how many pieces there are, or how many came and went.',
    input: stockSchema,
    answer,
    async handler({ input: { id, quantity, change } }) {
      await refuseOthers(id)
      if ((quantity === undefined) === (change === undefined))
        throw new RestError('store_invalid_stock', 'Give either quantity or change.', { status: 400 })
      const step = change === undefined ? await stock.set(id, quantity ?? null) : await stock.add(id, change)
      await tellOfStock([step])
      return success({ id, quantity: step.after })
    },
  })
}
