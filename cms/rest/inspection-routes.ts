import { z } from 'zod'
import type { HookRegistry, HookReport } from '../../core/hooks/types.ts'
import { RestResponse, success } from '../../core/rest/response.ts'
import { type ResponseOf, successSchema } from '../../core/rest/response-schemas.ts'
import type { Rest } from '../../core/rest/types.ts'
import type { OpenApi } from './openapi.ts'

/** Number of callbacks in the inspector's list of the slowest. */
const SLOWEST = 10

const listenerShape = z.object({
  ...{ owner: z.string(), callback: z.string(), priority: z.number(), ownPriority: z.number() },
  acceptedArgs: z.number().nullable(),
  ...{ onError: z.enum(['open', 'closed']), calls: z.int(), time: z.number(), longest: z.number() },
})
const hookShape = z.object({ name: z.string(), count: z.int(), listeners: z.array(listenerShape) })
const slowestShape = z.object({
  ...{ hook: z.string(), owner: z.string(), callback: z.string() },
  ...{ calls: z.int(), longest: z.number(), mean: z.number() },
})
const hooksShape = z.object({ hooks: z.array(hookShape), slowest: z.array(slowestShape) })

/** Routes of `host/v1` for inspecting the host: its hooks and its routes. */
export function registerInspectionRoutes(
  rest: Rest,
  { openApi, inspectHooks }: { openApi: () => OpenApi; inspectHooks: HookRegistry['inspect'] },
): void {
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/hooks',
    access: 'manage_options',
    summary:
      'Lists the hooks that have been used since startup, each with its callbacks in order, and the slowest callbacks.',
    response: successSchema(hooksShape),
    handler() {
      const reports = inspectHooks()
      return success<ResponseOf<typeof hooksShape>>({ hooks: reports, slowest: slowestCallbacks(reports) })
    },
  })
  rest.registerRoute('host/v1', {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    summary: 'Returns the registered routes as an OpenAPI 3.1 document.',
    response: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
    handler: () => new RestResponse(openApi()),
  })
}

/** The callbacks with the longest single calls, slowest first, in milliseconds. */
function slowestCallbacks(reports: readonly HookReport[]) {
  return reports
    .flatMap(({ name, listeners }) => listeners.map((listener) => ({ hook: name, listener })))
    .filter(({ listener }) => listener.calls > 0 && listener.longest > 0)
    .sort((one, other) => other.listener.longest - one.listener.longest)
    .slice(0, SLOWEST)
    .map(({ hook, listener: { owner, callback, calls, time, longest } }) => ({
      ...{ hook, owner, callback, calls, longest },
      mean: Math.round((time / calls) * 1000) / 1000,
    }))
}
