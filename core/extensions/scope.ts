import type { HookRegistry, Undo } from '../hooks/types.ts'
import { onAbandoned } from '../http/time-limit.ts'
import type { Logger } from '../log.ts'
import type { Description, Owner, Staged } from '../owner.ts'
import type { Rest } from '../rest/types.ts'
import type { ExtensionContext, ExtensionView, NamedKind } from './context.ts'
import { createDeclarations } from './declarations.ts'
import { type Decorations, trackMembers } from './decorations.ts'
import { createInFlight } from './in-flight.ts'
import type { OwnContext } from './origin.ts'
import { createOwnedFetch } from './owned-fetch.ts'
import { trackCallbacks } from './owned-hooks.ts'
import { createOwnedTimers } from './owned-timers.ts'
import { createNames, type Names } from './registered-names.ts'
import { joinedView } from './service-view.ts'
import type { ExtensionHost, ExtensionReport } from './types.ts'
import { assertOwnZod } from './zod-version.ts'

/** Maximum milliseconds that teardown waits for calls in progress. */
const DRAIN_TIME = 10_000
/** Milliseconds after which calls still in progress are logged. */
const SLOW_CALL_TIME = 1_500
/** Milliseconds for all `onDispose` callbacks of an extension together, and their minimum while the site closes. */
const CLEAN_UP_TIME = 10_000
const MIN_CLEAN_UP_TIME = 300

/** The parts of the host that extensions see through their scope. */
export interface HostParts {
  readonly hooks: HookRegistry
  readonly rest: Rest
  /** Views of the parts of the product. */
  readonly views: readonly ExtensionView[]
  readonly decorations: Decorations
  readonly log: Logger
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
}

/** @param requestId - Set if the error failed a REST request. */
export type ErrorListener = (error: unknown, where: string, requestId?: string) => void

/** Everything that one version of an extension has registered. */
export interface Scope {
  /** The argument of `setup`. */
  readonly host: ExtensionHost
  /** Calls its callbacks for `init` and `rest_api_init` if these have already fired. @throws what a callback throws. */
  replay(): Promise<void>
  /** Its registrations, for the report. */
  registered(): Pick<ExtensionReport, 'routes' | 'abilities' | 'jobs' | 'pages' | 'hasSettings'>
  /**
   * Makes all registrations visible at once, replacing the running version without a gap or an overlap.
   * @throws Error if there is a conflict; in that case nothing changes
   */
  goLive(): void
  /** Hides everything at once; calls in progress continue. */
  withdraw(): void
  /**
   * Withdraws, waits for calls in progress, then undoes the rest in reverse order. Never rejects.
   *
   * @param wasLive - `false` if it never went live: only its setup can be in progress then, and teardown does not wait for it.
   * @param left - Milliseconds until the site is closed.
   */
  dispose(wasLive?: boolean, left?: () => number): Promise<void>
  /** Calls of its code in progress, and its streams being sent. */
  inProgress(): string[]
  /** Its staged registrations, for the scope that replaces this one. */
  readonly staged: Readonly<Record<'declarations' | 'routes' | 'hooks', Staged>> & Readonly<Record<string, Staged>>
}

/**
 * Creates the view of the host that records everything one version of an extension registers. Registrations are invisible until `goLive`
 * and rejected after `dispose`.
 *
 * @param onError - Receives the errors of the extension's callbacks and where they occurred.
 * @param onProtect - Called when it registers a callback that protects content after `goLive`.
 * @param context - The async context in which its callbacks run.
 * @param isService - Whether it is one of the services.
 * @param placeOf - Where in the extension's files an error was created: `cart/index.ts:12`.
 * @param running - The version that this one replaces.
 */
export function createScope(
  id: string,
  parts: HostParts,
  {
    onError,
    onProtect,
    placeOf,
    context,
    isService = false,
  }: {
    onError: ErrorListener
    onProtect: () => void
    context: OwnContext
    placeOf: (error: Error) => string | undefined
    isService?: boolean
  },
  running?: Scope,
): Scope {
  const log = parts.log.child({ extension: id })
  const unload = new AbortController()
  const stack = new AsyncDisposableStack()
  const inFlight = createInFlight(context)
  /** Hooks already warned about; a filter may run many times per page. */
  const returnedUndefined = new Set<string>()
  const owner: Owner = {
    id,
    signal: unload.signal,
    onError,
    onUndefined(hook) {
      if (!returnedUndefined.has(hook)) log.warn({ hook }, 'filter callback returned undefined, value unchanged')
      returnedUndefined.add(hook)
    },
    onAbandoned: inFlight.abandon,
    run: context.run,
    onStream: inFlight.watch,
    onProtect,
  }
  const named: Record<NamedKind, Names> = {
    abilities: createNames(),
    jobs: createNames(),
    pages: createNames(),
    settings: createNames(),
  }
  let disposing: Promise<void> | undefined

  function assertNotDisposed(): void {
    if (disposing) throw new Error(`Extension ${id} was unloaded; it can no longer register anything.`)
  }
  function declare(apply: () => Undo): Undo {
    assertNotDisposed()
    return declarations.add(apply)
  }

  const hooks = parts.hooks.forOwner(owner, { staged: true })
  const routes = parts.rest.stage(owner)
  const declarations = createDeclarations()
  const timers = createOwnedTimers((error) => onError(error, 'timer'), assertNotDisposed, context)
  // Last in, first out: the extension's own cleanup runs before these.
  stack.defer(() => unload.abort(new Error(`Extension ${id} was unloaded.`)))
  stack.use(timers)

  const rest: ExtensionHost['rest'] = {
    registerRoute(namespace, route) {
      assertOwnZod(route, `the route ${namespace}${route.path}`)
      const added = new Error('Added here.')
      return routes.registerRoute(namespace, {
        ...route,
        handler: (request) => inFlight.track(() => route.handler(request), routeOf(request, added), onAbandoned),
      })
    },
    alias: (path, route) => declare(() => parts.rest.alias(path, route)),
    serveAt: (path, route) => declare(() => parts.rest.serveAt(path, route)),
    url: (route) => parts.rest.url(route),
    dispatch: (request) => parts.rest.dispatch(request),
  }
  const ownHooks = trackCallbacks(hooks, inFlight, { shared: parts.rest, own: rest }, placeOf)
  const withdrawals: Undo[] = []
  /** Registries staged by parts of the product, by name. */
  const added = new Map<string, Staged>()
  const extension: ExtensionContext = {
    ...{ id, isService, owner, hooks: ownHooks, inFlight, run: context.run, declare },
    list: (kind, name, undo) => named[kind].add(name, undo),
    onWithdraw: (undo) => void withdrawals.push(undo),
    stage: (name, registry) => void added.set(name, registry),
  }
  const own: Partial<ExtensionHost> = {
    ...{ id, hooks: ownHooks, rest, log, signal: unload.signal },
    fetch: createOwnedFetch(parts.fetch ?? fetch, unload.signal),
    setTimeout: timers.setTimeout,
    setInterval: timers.setInterval,
    onDispose(cleanUp) {
      assertNotDisposed()
      stack.defer(cleanUp)
    },
    decorate(name, service) {
      if (Object.hasOwn(host, name)) throw new Error(`host.${name} is reserved by the host.`)
      const tracked = trackMembers(service, `host.${name}`, owner, inFlight)
      return declare(() => parts.decorations.add(id, name, tracked))
    },
  }

  function withdraw(): void {
    for (const part of [hooks, routes, ...added.values(), declarations]) part[Symbol.dispose]()
    for (const undo of withdrawals.splice(0)) undo()
  }

  async function drain(longest: number): Promise<void> {
    if (await inFlight.idle(Math.min(longest, SLOW_CALL_TIME))) return
    log.warn({ calls: inFlight.list() }, 'extension being unloaded still has calls in progress')
    if (longest > SLOW_CALL_TIME) await inFlight.idle(longest - SLOW_CALL_TIME)
  }

  async function tearDown(wasLive: boolean, left: () => number): Promise<void> {
    withdraw()
    if (wasLive) await drain(Math.min(DRAIN_TIME, left()))
    const timer = Promise.withResolvers<void>()
    const longest = Math.min(CLEAN_UP_TIME, Math.max(MIN_CLEAN_UP_TIME, Math.round(left())))
    const overdue = setTimeout(() => timer.reject(new Error(`Its cleanup took longer than ${longest} ms.`)), longest)
    try {
      await Promise.race([stack.disposeAsync(), timer.promise])
    } catch (error) {
      log.error({ err: error }, 'extension cleanup failed')
      unload.abort(error)
    } finally {
      clearTimeout(overdue)
    }
  }

  const given = parts.views.map((view) => view(extension))
  const shared = {
    auth: joinedView(given.map(({ auth }) => auth)),
    site: joinedView(given.map(({ site }) => site)),
  }

  const host: ExtensionHost = Object.assign(Object.create(parts.decorations.members), own, ...given, shared)

  return {
    host,
    get staged() {
      return { ...Object.fromEntries(added), declarations, routes, hooks }
    },
    async replay() {
      await hooks.replay('init')
      await hooks.replay('rest_api_init', rest)
    },
    registered: () => ({
      routes: routes.list(),
      abilities: named.abilities.list(),
      jobs: named.jobs.list(),
      pages: named.pages.list(),
      hasSettings: named.settings.list().length > 0,
    }),
    goLive() {
      const before = running?.staged
      declarations.commit(before?.declarations)
      try {
        routes.commit(before?.routes)
      } catch (error) {
        declarations[Symbol.dispose]()
        before?.declarations.commit()
        throw error
      }
      hooks.commit(before?.hooks)
      for (const [name, registry] of added) registry.commit(before?.[name])
      running = undefined
    },
    withdraw,
    dispose(wasLive = true, left = () => Number.POSITIVE_INFINITY) {
      disposing ??= tearDown(wasLive, left)
      return disposing
    },
    inProgress: inFlight.list,
  }
}

/** A separate function, so that the closure does not retain the request while work started by the handler runs. */
function routeOf({ method, route }: { readonly method: string; readonly route: string }, added: Error): Description {
  return Object.assign(() => `${method} ${route}`, { added })
}
