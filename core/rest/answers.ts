import { z } from 'zod'

type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
    : Value

/**
 * The type described by a schema, for the code that creates the response: the two cannot differ without a compile error.
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

/** Schema of the response that `success(data)` creates, for a route's `answer`. */
export function successAnswer<Data extends z.ZodType>(data: Data) {
  return z.object({ status: z.literal('success'), message: z.string().optional(), data })
}

/**
 * Schema of the response that `paginated(items, …)` creates, for a route's `answer`.
 * @param beside other members of `data`
 */
export function pageAnswer<Item extends z.ZodType, Beside extends z.ZodRawShape = Record<never, never>>(
  item: Item,
  beside?: Beside,
) {
  const page = { items: z.array(item), total: z.int(), pages: z.int(), page: z.int(), perPage: z.int() }
  // `Object.assign` is typed as both shapes; a spread would make the members optional.
  return successAnswer(z.object(Object.assign(page, beside)))
}
