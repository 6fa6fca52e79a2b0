import { z } from 'zod'

type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
    : Value

/**
 * The type of what a schema describes, for the code that makes the answer: it does not compile when the two differ.
 *
 * @example
 * ```ts
 * import { type AnswerOf, type Route, success, successAnswer } from 'pentad'
 * import { z } from 'zod'
 *
 * const greetingShape = z.object({ text: z.string() })
 * type Greeting = AnswerOf<typeof greetingShape>
 *
 * export const route: Route = {
 *   method: 'GET',
 *   path: '/greeting',
 *   access: 'public',
 *   answer: successAnswer(greetingShape),
 *   handler: () => success<Greeting>({ text: 'Hello' }),
 * }
 * ```
 */
export type AnswerOf<Schema extends z.ZodType> = Immutable<z.output<Schema>>

/** The answer of `success(data)`, for the `answer` of a route. */
export function successAnswer<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), message: z.string().optional(), data })
}

/**
 * The answer of `paginated(items, …)`: one page of a list.
 * @param beside what else stands in `data`
 */
export function pageAnswer<Item extends z.ZodType, Beside extends z.ZodRawShape = Record<never, never>>(
  item: Item,
  beside?: Beside,
) {
  const page = { items: z.array(item), total: z.int(), pages: z.int(), page: z.int(), perPage: z.int() }
  // Its type is that of both; that of a spread would be optional.
  return successAnswer(z.object(Object.assign(page, beside)))
}
