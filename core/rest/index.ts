import { randomUUID } from 'node:crypto'
import type Koa from 'koa'
import type { Auth } from '../auth/types.ts'
import type { RestError } from '../errors.ts'
import type { Hooks } from '../hooks/types.ts'
import { asReader } from '../http/request-context.ts'
import { CALL_LIMITS, type CallLimits } from '../http/time-limit.ts'
import type { Logger } from '../log.ts'
import { coreOwner } from '../owner.ts'
import { createAddresses } from './addresses.ts'
import { internalArrival } from './arrival.ts'
import { batchRoute } from './batch.ts'
import { createDescriptions, type SiteDescription } from './describe.ts'
import { createDispatcher, type Dispatcher } from './dispatch.ts'
import { filterShapes } from './hooks.ts'
import { createMiddleware } from './middleware.ts'
import { describeOpenApi } from './openapi.ts'
import { createOwnedCode } from './owned-code.ts'
import { createRegistry, type Registry } from './registry.ts'
import type { InternalAnswer, InternalRequest, Rest } from './types.ts'

/**
 * The REST API of a site: a registry of routes that come and go at run time, and the Koa middleware that answers
 * everything below `/wp-json` as WordPress does (contract 1).
 */
export function createRest(parts: {
  hooks: Hooks
  auth: Auth
  config: { readonly url: string }
  log: Logger
  /** What the index tells of the site. */
  site: () => SiteDescription
  /** Origins, besides the site's own, whose scripts may send cookies. */
  corsOrigins: () => readonly string[]
  /** Why nobody is answered over HTTP now; `null`: everybody is. */
  closed?: () => RestError | null
  /** How long code of extensions is waited for; default 5 s for checks, 60 s for handlers. */
  limits?: () => CallLimits
}): Rest & { middleware: Koa.Middleware } {
  const { hooks, auth, config, log, corsOrigins, closed = () => null, limits = () => CALL_LIMITS } = parts
  hooks.declareFilters(filterShapes)
  const root = `${config.url}/wp-json`
  const addresses = createAddresses()
  const url = (route: string) => `${root}${route.startsWith('/') ? '' : '/'}${route}`
  const core = coreOwner((error, route, requestId) =>
    log.error({ err: error, route, requestId }, 'a REST request failed'),
  )

  const descriptions = createDescriptions({
    registry: () => registry,
    siteUrl: config.url,
    url,
    site: parts.site,
    hooks,
  })
  const registry: Registry = createRegistry({
    licensed: () => auth.licence.active,
    indexOf: descriptions.namespaceIndex,
    core,
  })
  const dispatcher: Dispatcher = createDispatcher({
    registry,
    hooks,
    auth,
    log,
    code: createOwnedCode(core, limits, hooks.currentSignal),
    root,
    describe: descriptions.entry,
    dispatchInside: dispatch,
  })
  registry.add('', descriptions.index, core)
  registry.add('', batchRoute(registry, dispatcher), core)

  async function dispatch(request: InternalRequest): Promise<InternalAnswer> {
    const arrival = internalArrival(request, randomUUID())
    const { response, allow } = await asReader(request.identity, () => dispatcher.answer(arrival))
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value)
    if (allow !== '') headers.Allow = allow
    return { status: response.status, headers, body: response.body }
  }

  return {
    registerRoute: (namespace, route, owner = core) => registry.add(namespace, route, owner),
    stage: registry.stage,
    serveAt: addresses.add,
    url,
    dispatch,
    routes: registry.report,
    openApi: () => describeOpenApi({ registry, title: parts.site().title, root }),
    middleware: createMiddleware({ dispatcher, auth, siteUrl: config.url, corsOrigins, addresses, closed }),
  }
}
