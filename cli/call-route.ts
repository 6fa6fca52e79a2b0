import { RestError } from '../core/errors.ts'
import type { Host } from '../core/host.ts'
import type { InternalRequest } from '../core/rest/types.ts'

/**
 * Calls a route of a service as an administrator; the answer's `data`.
 *
 * @param route - with its namespace: `/backup/v1/backup/create`
 * @throws RestError if the route refuses, or is not there because the service is switched off
 */
export async function callRoute<Data>(
  host: Host,
  method: InternalRequest['method'],
  route: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<Data> {
  const { items } = await host.auth.users.query({ roles: ['administrator'], limit: 1 })
  const identity = {
    user: items[0] ?? null,
    via: 'nobody',
    session: null,
    applicationPassword: null,
    freshNonce: null,
  } as const
  const answer = await host.rest.dispatch({ method, route, body, identity })
  const { code, data, message } = JSON.parse(JSON.stringify(answer.body))
  if (answer.status >= 400) throw new RestError(code, message, data)
  return data
}
