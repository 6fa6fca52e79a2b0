import type { Abilities, AbilitiesRegistry } from '../../cms/abilities/index.ts'
import { type AdminPages, checkPage, pathOfPage } from '../../cms/admin/pages.ts'
import { registerBlockType } from '../../cms/content/blocks/register.ts'
import { addShortcode } from '../../cms/content/render/shortcodes.ts'
import type { Content } from '../../cms/content/types.ts'
import { conditionals } from '../../cms/site/conditionals.ts'
import { addOembedProvider } from '../../cms/site/embeds/providers.ts'
import { createCurrentUser } from '../auth/current-user.ts'
import type { Auth } from '../auth/types.ts'
import type { Config } from '../config.ts'
import type { SiteDatabase } from '../database/index.ts'
import type { HookRegistry, OwnedHooks, Undo } from '../hooks/types.ts'
import type { Front, FrontSlot } from '../http/front.ts'
import { currentCall, onGivenUp } from '../http/time-limit.ts'
import type { JobsHost } from '../jobs/index.ts'
import type { Jobs } from '../jobs/types.ts'
import type { Logger } from '../log.ts'
import type { Mail } from '../mail/types.ts'
import type { SiteKey } from '../options/site-key.ts'
import type { Options, SettingsRegistry, Vault } from '../options/types.ts'
import type { Rest, RouteSet } from '../rest/types.ts'
import { createDeclarations, type Declarations } from './declarations.ts'
import type { Description, OwnContext } from './origin.ts'
import { trackAbility } from './owned-abilities.ts'
import { createOwnedFetch } from './owned-fetch.ts'
import { trackCallbacks } from './owned-hooks.ts'
import { createOwnedTimers } from './owned-timers.ts'
import { createNames } from './registered-names.ts'
import { serviceView } from './service-view.ts'
import type { ExtensionHost, ExtensionReport, SiteReplacement } from './types.ts'
import { createUnderWay } from './under-way.ts'
import { refuseForeignZod } from './zod-version.ts'

/** Milliseconds that calls into an extension get to end before it is torn down. */
const DRAIN = 10_000
/** Milliseconds after which calls that have not ended are logged. */
const SLOW = 1_500
/** Milliseconds that all the `onDispose` callbacks of an extension get, and at least, where the site closes. */
const CLEAN_UP = 10_000
const LEAST_CLEAN_UP = 300

/** The registries of the host that extensions see through their scope. */
export interface HostParts {
  readonly hooks: HookRegistry
  readonly rest: Rest
  readonly settings: SettingsRegistry
  readonly abilities: AbilitiesRegistry
  readonly adminPages: AdminPages
  readonly options: Options
  readonly auth: Auth
  readonly content: Content
  readonly database: SiteDatabase
  readonly jobs: JobsHost
  readonly mail: Mail
  readonly config: Pick<Config, 'url' | 'siteDir' | 'environment' | 'pageCache' | 'disallowFileMods' | 'extensionsDir'>
  readonly siteKey: SiteKey
  readonly vault: Vault
  /** What runs, as text: names, versions, hashes of code. */
  readonly software: () => readonly string[]
  readonly replacement: SiteReplacement
  readonly front: FrontSlot
  readonly log: Logger
  /** Default: the global one. */
  readonly fetch?: typeof fetch
}

/** @param requestId - Set if a REST request failed of it. */
export type ErrorListener = (error: unknown, where: string, requestId?: string) => void

/** Everything that one version of an extension has registered. */
export interface Scope {
  /** What `setup` gets. */
  readonly host: ExtensionHost
  /** Calls what was registered for `init` and `rest_api_init`, if the host is past these. @throws what a callback throws. */
  catchUp(): Promise<void>
  /** What of it stands in registries that do not tell whose their entries are. */
  registered(): Pick<ExtensionReport, 'routes' | 'abilities' | 'jobs' | 'pages' | 'hasSettings'>
  /**
   * Shows all that was registered so far, in the place of the running version, in one stroke: nobody ever sees both or
   * neither. @throws what stands in the way; then everything is as before.
   */
  goLive(): void
  /** Hides everything at once; calls under way go on. */
  withdraw(): void
  /**
   * Withdraws, waits for the calls in progress, then undoes the rest in reverse order. Never rejects.
   *
   * @param wasLive - `false` if it never went live: only its own set-up can be in progress, which nobody waits for.
   * @param left - Milliseconds that are left for it, where the site closes.
   */
  dispose(wasLive?: boolean, left?: () => number): Promise<void>
  /** The calls of its code that are in progress, and the streams of it that are being sent. */
  inProgress(): string[]
  /** For another scope that replaces this one. */
  readonly inner: {
    readonly hooks: OwnedHooks
    readonly routes: RouteSet
    readonly declarations: Declarations
  }
}

/**
 * Makes the view of the host that records what one version of an extension registers. Until `goLive` nothing of it is
 * visible. After `dispose` every registration is refused.
 *
 * @param onError - Takes what the extension's callbacks throw, and where.
 * @param onProtect - Called when it protects content by a callback that it registers after `goLive`.
 * @param context - Where its callbacks run.
 * @param isService - Whether it is a part of the product.
 * @param placeOf - Where in the extension's files an error was made: `cart/index.ts:12`.
 * @param running - The version that this one is to replace.
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
  const underWay = createUnderWay(context)
  /** Hooks that were warned of; a filter may run many times for each page. */
  const returnedUndefined = new Set<string>()
  const owner = {
    id,
    signal: unload.signal,
    onError: (error: unknown, where: string, requestId?: string) => onError(error, where, requestId),
    onUndefined(hook: string) {
      if (!returnedUndefined.has(hook)) log.warn({ hook }, 'a filter callback returned undefined, the value stays')
      returnedUndefined.add(hook)
    },
    onAbandoned: underWay.leave,
    run: context.run,
    onStream: underWay.watch,
    onProtect,
  }
  const abilities = createNames()
  const jobNames = createNames()
  const pages = createNames()
  let undoSettings: Undo | undefined
  let disposing: Promise<void> | undefined

  function refuseDisposed(): void {
    if (disposing) throw new Error(`Extension ${id} was unloaded; it can no longer register anything.`)
  }
  function declare(apply: () => Undo): Undo {
    refuseDisposed()
    return declarations.add(apply)
  }

  const hooks = parts.hooks.forOwner(owner, { staged: true })
  const routes = parts.rest.stage(owner)
  const jobs = parts.jobs.forOwner(owner, { staged: true })
  const ownJobs = serviceView<Jobs>(jobs, {
    schedule(name, when, run) {
      const runOwn = (signal: AbortSignal) =>
        context.run(
          () => run(signal),
          () => `schedule ${name}`,
        )
      return jobNames.add(name, jobs.schedule(name, when, runOwn))
    },
    define(definition) {
      refuseForeignZod(definition, `the job ${definition.type}`)
      const { tick } = viewOf(definition, {})
      const what = () => `job ${definition.type}`
      const { job, undo } = jobs.define(viewOf(definition, { tick: (at) => context.run(() => tick(at), what) }))
      return { job, undo: jobNames.add(definition.type, undo) }
    },
    createQueue(options) {
      const { queue, undo } = jobs.createQueue(options)
      return { queue, undo: jobNames.add(options.name, undo) }
    },
  })
  const declarations = createDeclarations()
  const timers = createOwnedTimers((error) => onError(error, 'timer'), refuseDisposed, context)
  // Last in, first out: what the extension itself wants done comes before these.
  stack.defer(() => unload.abort(new Error(`Extension ${id} was unloaded.`)))
  stack.use(timers)

  const rest: ExtensionHost['rest'] = {
    registerRoute(namespace, route) {
      refuseForeignZod(route, `the route ${namespace}${route.path}`)
      return routes.registerRoute(namespace, {
        ...route,
        handler: (request) => underWay.track(() => route.handler(request), routeOf(request), onGivenUp),
      })
    },
    serveAt: (path, route) => declare(() => parts.rest.serveAt(path, route)),
    url: (route) => parts.rest.url(route),
    dispatch: (request) => parts.rest.dispatch(request),
  }
  const ownHooks = trackCallbacks(hooks, underWay, { shared: parts.rest, own: rest }, placeOf)
  const host: ExtensionHost = {
    id,
    hooks: ownHooks,
    rest,
    settings: {
      register(schema) {
        refuseDisposed()
        if (undoSettings) throw new Error(`Extension ${id} registers its settings twice.`)
        refuseForeignZod(schema, 'the settings')
        // At once, because setup needs them: over those of the running version, which come back if this one fails.
        const { settings, undo } = parts.settings.register(id, schema, id)
        undoSettings = undo
        return settings
      },
    },
    abilities: serviceView<Abilities>(parts.abilities, {
      register(ability) {
        refuseForeignZod(ability, `the ability ${ability.name}`)
        // Now: it is registered when the extension goes live, far from its code.
        const added = new Error('Registered here.')
        return abilities.add(
          ability.name,
          declare(() => parts.abilities.register(trackAbility(ability, underWay), owner, added)),
        )
      },
      registerCategory: (category) => declare(() => parts.abilities.registerCategory(category)),
    }),
    admin: {
      addPage(page) {
        const checked = checkPage(id, page)
        return pages.add(
          checked.slug,
          declare(() => parts.adminPages.add(id, checked)),
        )
      },
    },
    options: serviceView(parts.options),
    ...createCurrentUser(parts.auth),
    ...conditionals,
    auth: serviceView(parts.auth, {
      addRole: (...role) => declare(() => parts.auth.addRole(...role)),
      addCapabilities: (...capabilities) => declare(() => parts.auth.addCapabilities(...capabilities)),
    }),
    content: serviceView(parts.content, {
      registerPostType: (type) => declare(() => parts.content.registerPostType(type)),
      registerTaxonomy: (taxonomy) => declare(() => parts.content.registerTaxonomy(taxonomy)),
      registerMeta: (...meta) => declare(() => parts.content.registerMeta(...meta)),
      addShortcode: (...shortcode) => addShortcode(ownHooks, ...shortcode),
      registerBlockType: (...blockType) => registerBlockType(ownHooks, ...blockType),
      addOembedProvider: (...provider) => addOembedProvider(ownHooks, ...provider),
    }),
    // A service is a part of the product: what it does in one go, such as a restore, may take its time.
    database: isService ? parts.database : parts.database.forOwner({ ...owner, call: currentCall }),
    jobs: ownJobs,
    mail: serviceView(parts.mail),
    vault: {
      seal: (value, place) => parts.vault.seal(value, `extension ${id} ${place}`),
      open: (sealed, place) => parts.vault.open(sealed, `extension ${id} ${place}`),
    },
    site: {
      url: parts.config.url,
      dir: parts.config.siteDir,
      extensionsDir: parts.config.extensionsDir,
      environment: parts.config.environment,
      pageCache: parts.config.pageCache,
      disallowFileMods: parts.config.disallowFileMods,
      software: parts.software,
      key: (purpose) => parts.siteKey.derive(`extension ${id} ${purpose}`),
      ...parts.replacement,
    },
    front: serviceView<Front>(parts.front, {
      install(handler) {
        const added = new Error('Added here.')
        return declare(() => parts.front.install(handler, owner, added))
      },
    }),
    log,
    signal: unload.signal,
    fetch: createOwnedFetch(parts.fetch ?? fetch, unload.signal),
    setTimeout: timers.setTimeout,
    setInterval: timers.setInterval,
    onDispose(cleanUp) {
      refuseDisposed()
      stack.defer(cleanUp)
    },
  }

  function withdraw(): void {
    hooks[Symbol.dispose]()
    routes[Symbol.dispose]()
    jobs.withdraw()
    declarations.withdraw()
    undoSettings?.()
  }

  async function drain(longest: number): Promise<void> {
    if (await underWay.ended(Math.min(longest, SLOW))) return
    log.warn({ calls: underWay.list() }, 'extension is being unloaded, but its code has not ended')
    if (longest > SLOW) await underWay.ended(longest - SLOW)
  }

  async function tearDown(wasLive: boolean, left: () => number): Promise<void> {
    withdraw()
    if (wasLive) await drain(Math.min(DRAIN, left()))
    const timer = Promise.withResolvers<void>()
    const longest = Math.min(CLEAN_UP, Math.max(LEAST_CLEAN_UP, Math.round(left())))
    const overdue = setTimeout(() => timer.reject(new Error(`Its clean-up took longer than ${longest} ms.`)), longest)
    try {
      await Promise.race([stack.disposeAsync(), timer.promise])
    } catch (error) {
      log.error({ err: error }, 'extension did not clean up')
      unload.abort(error)
    } finally {
      clearTimeout(overdue)
    }
  }

  return {
    host,
    inner: { hooks, routes, declarations },
    async catchUp() {
      await hooks.catchUp('init')
      await hooks.catchUp('rest_api_init', rest)
    },
    registered: () => ({
      routes: routes.list(),
      abilities: abilities.list(),
      jobs: jobNames.list(),
      pages: pages.list().map((slug) => pathOfPage(id, slug)),
      hasSettings: undoSettings !== undefined,
    }),
    goLive() {
      const before = running?.inner
      declarations.enforce(before?.declarations)
      try {
        routes.commit(before?.routes)
      } catch (error) {
        declarations.withdraw()
        before?.declarations.enforce()
        throw error
      }
      if (before) parts.hooks.swap(before.hooks, hooks)
      else hooks.commit()
      jobs.commit()
      running = undefined
    },
    withdraw,
    dispose(wasLive = true, left = () => Number.POSITIVE_INFINITY) {
      disposing ??= tearDown(wasLive, left)
      return disposing
    },
    inProgress: underWay.list,
  }
}

/** Holds nothing else of the request: what its handler starts may go on for long. */
function routeOf({ method, route }: { readonly method: string; readonly route: string }): Description {
  return () => `${method} ${route}`
}

/** The same object, with some of its functions replaced. */
function viewOf<Target extends object>(target: Target, replaced: Partial<Target>): Target {
  const bound = new Map<PropertyKey, unknown>(Object.entries(replaced))
  return new Proxy(target, {
    get(_, key) {
      if (bound.has(key)) return bound.get(key)
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      const method = value.bind(target)
      bound.set(key, method)
      return method
    },
  })
}
