import type { Site } from '../app/create-site.ts'
import { ANONYMOUS } from '../core/auth/index.ts'
import { RestError } from '../core/errors.ts'
import type { InternalRequest } from '../core/rest/types.ts'
import { findAdministrator } from './find-user.ts'

/** Calls a route of a service as an administrator and returns the `data` of the response. */
export async function callRoute<Data>(
  host: Site,
  method: InternalRequest['method'],
  route: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<Data> {
  const { data } = await callWordPressRoute<{ data: Data }>(host, method, route, body)
  return data
}

/** Like `callRoute`, for a route of `wp/v2`, whose response has no envelope. */
export async function callWordPressRoute<Body>(
  host: Site,
  method: InternalRequest['method'],
  route: string,
  body?: Readonly<Record<string, unknown>>,
): Promise<Body> {
  const identity = { ...ANONYMOUS, user: (await findAdministrator(host)) ?? null }
  const { status, body: response } = await host.rest.dispatch({ method, route, body, identity })
  const read = JSON.parse(JSON.stringify(response))
  if (status >= 400) throw new RestError(read.code, [read.message, ...reasons(read.data?.params)].join('\n'), read.data)
  return read
}

/** The problem of each parameter, if the response contains them. */
function reasons(params: unknown): string[] {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return []
  return Object.entries(params).map(([name, reason]) => `  ${name}: ${reason}`)
}
