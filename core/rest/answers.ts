import { z } from 'zod'

/** The answer of `success(data)`, for the `answer` of a route. */
export function successAnswer<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), message: z.string().optional(), data })
}

/** The answer of `paginated(items, …)`: one page of a list. */
export function pageAnswer<Item extends z.ZodType>(item: Item) {
  const { shape } = successAnswer(
    z.looseObject({ items: z.array(item), total: z.int(), pages: z.int(), page: z.int(), perPage: z.int() }),
  )
  return z.object(shape)
}
