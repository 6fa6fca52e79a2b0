import { randomUUID } from 'node:crypto'
import { deprecate } from 'node:util'
import type { CoreAuth } from '../auth/types.ts'
import type { RestError } from '../errors.ts'
import type { Hooks } from '../hooks/types.ts'
import { asUser } from '../http/request-context.ts'
import { CALL_LIMITS, type CallLimits } from '../http/time-limit.ts'
import type { Logger } from '../log.ts'
import { coreOwner } from '../owner.ts'
import { createAliases } from './aliases.ts'
import { createDescriptions, type SiteDescription } from './describe.ts'
import { createDispatcher, type Dispatcher } from './dispatch.ts'
import type { RestFeatures } from './features.ts'
import { filterShapes } from './hooks.ts'
import { createMiddleware } from './middleware.ts'
import { createOwnedCode } from './owned-code.ts'
import { createRegistry, type Registry } from './registry.ts'
import { internalCall } from './rest-call.ts'
import type { RestHost } from './rest-host.ts'
import type { InternalRequest, InternalResponse } from './types.ts'

/**
 * The REST API of a site: a registry of routes that can change at run time, and the Koa middleware that handles
 * everything under `/wp-json` as WordPress does.
 */
export function createRest(parts: {
  hooks: Hooks
  auth: CoreAuth
  config: { readonly url: string }
  log: Logger
  /** Site information in the index. */
  site: () => SiteDescription
  /** Origins, in addition to the site's own, whose scripts may send cookies. */
  corsOrigins: () => readonly string[]
  /** Whether Pro routes exist now; default: they do not. */
  isLicensed?: () => boolean
  /** The error for every HTTP request while the site is closed; `null` while it is open. */
  closed?: () => RestError | null
  /** Time limits for code of extensions; default 5 s for checks, 60 s for handlers. */
  limits?: () => CallLimits
}): RestHost {
  const { hooks, auth, config, log, corsOrigins, closed = () => null, limits = () => CALL_LIMITS } = parts
  hooks.declareFilters(filterShapes)
  const root = `${config.url}/wp-json`
  const aliases = createAliases()
  const features: Partial<RestFeatures> = {}
  const url = (route: string) => `${root}${route.startsWith('/') ? '' : '/'}${route}`
  const core = coreOwner((error, route, requestId) =>
    log.error({ err: error, route, requestId }, 'REST request failed'),
  )

  const descriptions = createDescriptions({
    registry: () => registry,
    siteUrl: config.url,
    url,
    site: parts.site,
    hooks,
  })
  const registry: Registry = createRegistry({
    licensed: parts.isLicensed ?? (() => false),
    indexOf: descriptions.namespaceIndex,
    core,
  })
  const dispatcher: Dispatcher = createDispatcher({
    registry,
    hooks,
    auth,
    log,
    code: createOwnedCode(core, limits, hooks.currentSignal),
    describe: descriptions.entry,
    features,
  })
  registry.add('', descriptions.index, core)

  async function dispatch(request: InternalRequest): Promise<InternalResponse> {
    const call = internalCall(request, randomUUID())
    const { response, allow } = await asUser(request.identity, () => dispatcher.dispatch(call))
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value)
    if (allow !== '') headers.Allow = allow
    return { status: response.status, headers, body: response.body }
  }

  return {
    registerRoute: (namespace, route, owner = core) => registry.add(namespace, route, owner),
    stage: registry.stage,
    alias: aliases.add,
    serveAt: deprecate(aliases.add, 'rest.serveAt was renamed to rest.alias.', 'PENTAD_SERVE_AT'),
    url,
    dispatch,
    routes: registry.report,
    middleware: createMiddleware({ dispatcher, auth, siteUrl: config.url, corsOrigins, aliases, features, closed }),
    registry,
    dispatcher,
    root,
    addFeatures: (added) => void Object.assign(features, added),
  }
}
