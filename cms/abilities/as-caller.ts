import { z } from 'zod'
import { ANONYMOUS } from '../../core/auth/identify.ts'
import type { Identity, User } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { currentRequest } from '../../core/http/request-context.ts'
import type { InternalResponse, Method, Rest } from '../../core/rest/types.ts'

type Query = Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>>

/** Calls REST routes on behalf of a user, so that abilities apply their permissions and report their errors. */
export interface AsCaller {
  read(route: string, query?: Query): Promise<unknown>
  /** The items of one page, with the total number on all pages. */
  list(route: string, query: Query): Promise<{ items: readonly unknown[]; total: number }>
  write(method: Exclude<Method, 'GET'>, route: string, body?: Readonly<Record<string, unknown>>): Promise<unknown>
}

const refusal = z.object({
  code: z.string(),
  message: z.string(),
  data: z.looseObject({ status: z.int() }),
})

/**
 * For abilities that do what a route does: calling the route ensures that the same checks apply as for any other caller.
 * The functions return the body of the response, to be parsed with a schema.
 *
 * @throws RestError from the route
 *
 * @example
 * ```ts
 * import { asCaller, type ExtensionHost, type User } from 'pentad'
 * import { z } from 'zod'
 *
 * const posts = z.array(z.object({ id: z.int() }))
 *
 * export async function idsOfDrafts({ rest }: Pick<ExtensionHost, 'rest'>, caller: User | null): Promise<number[]> {
 *   const { items } = await asCaller(rest, caller).list('/wp/v2/posts', { status: 'draft' })
 *   return posts.parse(items).map(({ id }) => id)
 * }
 * ```
 */
export function asCaller({ dispatch }: Pick<Rest, 'dispatch'>, user: User | null): AsCaller {
  const asking = currentRequest()?.identity
  // The original identity is passed on, because routes check application passwords and confirmed sessions.
  const known = user && asking?.user?.id === user.id ? asking : undefined
  const identity: Identity = known ?? (user ? { ...ANONYMOUS, user, via: 'session' } : ANONYMOUS)

  async function ask(
    method: Method,
    route: string,
    body?: Readonly<Record<string, unknown>>,
  ): Promise<InternalResponse> {
    const response = await dispatch({ method, route, identity, body })
    if (response.status < 400) return response
    const { code, message, data } = refusal.parse(response.body)
    throw new RestError(code, message, data)
  }

  return {
    async read(route, query = {}) {
      return (await ask('GET', route + toSearch(query))).body
    },
    async list(route, query) {
      const { body, headers } = await ask('GET', route + toSearch(query))
      return { items: z.array(z.unknown()).parse(body), total: Number(headers['X-WP-Total']) }
    },
    async write(method, route, body = {}) {
      return (await ask(method, route, body)).body
    },
  }
}

function toSearch(query: Query): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return `?${search}`
}
