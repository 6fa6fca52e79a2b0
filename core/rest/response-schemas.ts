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
 * import { type ResponseOf, type Route, success, successSchema } from 'pentad'
 * import { z } from 'zod'
 *
 * const greetingShape = z.object({ text: z.string() })
 * type Greeting = ResponseOf<typeof greetingShape>
 *
 * export const route: Route = {
 *   method: 'GET',
 *   path: '/greeting',
 *   access: 'public',
 *   response: successSchema(greetingShape),
 *   handler: () => success<Greeting>({ text: 'Hello' }),
 * }
 * ```
 */
export type ResponseOf<Schema extends z.ZodType> = Immutable<z.output<Schema>>

/** Shared by hundreds of schemas, each of which would take about 1 KB. */
const [status, message, whole] = [z.literal('success'), z.string().optional(), z.int()]

/** Schema of the response that `success(data)` creates, for a route's `response`. */
export function successSchema<Data extends z.ZodType>(data: Data) {
  return z.object({ status, message, data })
}

/**
 * Schema of the response that `paginated(items, …)` creates, for a route's `response`.
 * @param beside other members of `data`
 */
export function paginatedSchema<Item extends z.ZodType, Beside extends z.ZodRawShape = Record<never, never>>(
  item: Item,
  beside?: Beside,
) {
  const page = { items: z.array(item), total: whole, pages: whole, page: whole, perPage: whole }
  // `Object.assign` is typed as both shapes; a spread would make the members optional.
  return successSchema(z.object(Object.assign(page, beside)))
}
