import type { z } from 'zod'
import { withOrigin } from '../errors.ts'
import type { Undo } from '../hooks/types.ts'
import { isThenable } from '../hooks/value-kind.ts'
import type { Owner, Staged } from '../owner.ts'
import { createParameters, type Parameters } from '../schema/parameters.ts'
import { withCurrentOptions } from './former-options.ts'
import { type PathPattern, parsePathPattern } from './path-pattern.ts'
import { type Found, RouteTree } from './route-tree.ts'
import type { Method, Route, RouteReport, RouteSet } from './types.ts'

/** In WordPress's order. */
export const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** One registration: a handler for one or more methods of a path. */
export interface Endpoint {
  readonly namespace: string
  readonly route: Route
  readonly pattern: PathPattern
  readonly methods: readonly Method[]
  /** The methods as an `Allow` header. */
  readonly allow: string
  readonly parameters: Parameters
  readonly owner: Owner
  /** Created at registration: its stack locates the route in errors that occur while no code of the owner is running. */
  readonly added: Error
  /** Whether batches may contain it. */
  readonly batch: boolean
}

/** One path with all its methods: one route in the index. */
export interface PathEntry {
  readonly namespace: string
  readonly pattern: PathPattern
  readonly byMethod: ReadonlyMap<Method, Endpoint>
  /** In registration order. */
  readonly endpoints: readonly Endpoint[]
}

interface MutableEntry extends PathEntry {
  readonly byMethod: Map<Method, Endpoint>
  endpoints: readonly Endpoint[]
}

export interface Registry {
  add(namespace: string, route: Route, owner: Owner): Undo
  stage(owner: Owner): RouteSet
  /** Finds the path by its decoded segments; with the `null` method, for any method. */
  find(method: Method | null, segments: readonly string[]): Found<PathEntry> | null
  /** Without routes that are currently unavailable. */
  entries(namespace?: string): PathEntry[]
  namespaces(): string[]
  /** Whether the endpoint is available: a Pro route requires a license, and a route may have its own condition. */
  exists(endpoint: Endpoint): boolean
  /** Changes whenever a route is added or removed, or the license or a route's condition changes. */
  readonly version: string
  report(): RouteReport[]
}

/**
 * All routes of a site. Routes can be added and removed at run time; a reader sees either all routes of a staged set or none.
 *
 * @param indexOf creates the index route of a namespace, which exists while the namespace has other routes.
 */
export function createRegistry(parts: {
  licensed: () => boolean
  indexOf: (namespace: string) => Route
  core: Owner
}): Registry {
  const tree = new RouteTree<MutableEntry>()
  const entries = new Set<MutableEntry>()
  /** Number of endpoints per namespace, without its index, and that index. */
  const namespaces = new Map<string, { count: number; index: Endpoint | null }>()
  const indexes = new WeakSet<Endpoint>()
  const conditional = new Set<Endpoint>()
  const endpointsOf = new WeakMap<Staged, Set<Endpoint>>()
  let version = 0

  /** A namespace has an index while it has other routes. */
  function exists(endpoint: Endpoint): boolean {
    if (endpoint.route.pro === true && !parts.licensed()) return false
    if (!holds(endpoint)) return false
    return !indexes.has(endpoint) || hasRoutes(endpoint.namespace)
  }

  function hasRoutes(namespace: string): boolean {
    for (const entry of entries) {
      if (entry.namespace !== namespace) continue
      if (entry.endpoints.some((endpoint) => !indexes.has(endpoint) && exists(endpoint))) return true
    }
    return false
  }

  function insert(endpoint: Endpoint): void {
    if (endpoint.route.when) conditional.add(endpoint)
    let entry = tree.get(endpoint.pattern.segments)
    if (!entry) {
      entry = { namespace: endpoint.namespace, pattern: endpoint.pattern, byMethod: new Map(), endpoints: [] }
      tree.set(endpoint.pattern.segments, entry)
      entries.add(entry)
    }
    for (const method of endpoint.methods) entry.byMethod.set(method, endpoint)
    entry.endpoints = [...entry.endpoints, endpoint]
    version++
  }

  function removeEntry(endpoint: Endpoint): void {
    const entry = tree.get(endpoint.pattern.segments)
    if (!entry?.endpoints.includes(endpoint)) return
    conditional.delete(endpoint)
    entry.endpoints = entry.endpoints.filter((other) => other !== endpoint)
    for (const method of endpoint.methods) {
      if (entry.byMethod.get(method) === endpoint) entry.byMethod.delete(method)
    }
    if (entry.endpoints.length === 0) {
      tree.delete(endpoint.pattern.segments)
      entries.delete(entry)
    }
    version++
  }

  function add(endpoint: Endpoint): void {
    assertFree(endpoint, new Set())
    if (endpoint.namespace !== '') {
      const namespace = namespaces.get(endpoint.namespace) ?? { count: 0, index: null }
      namespaces.set(endpoint.namespace, namespace)
      if (namespace.count++ === 0) {
        const index = createEndpoint(endpoint.namespace, parts.indexOf(endpoint.namespace), parts.core)
        if (!tree.get(index.pattern.segments)?.byMethod.has('GET')) {
          namespace.index = index
          indexes.add(index)
          insert(index)
        }
      }
    }
    insert(endpoint)
  }

  function remove(endpoint: Endpoint): void {
    const entry = tree.get(endpoint.pattern.segments)
    if (!entry?.endpoints.includes(endpoint)) return
    removeEntry(endpoint)
    const namespace = namespaces.get(endpoint.namespace)
    if (!namespace || --namespace.count > 0) return
    namespaces.delete(endpoint.namespace)
    if (namespace.index) removeEntry(namespace.index)
  }

  /** @throws Error if an endpoint other than those in `replaced` already has one of the methods. */
  function assertFree(endpoint: Endpoint, replaced: ReadonlySet<Endpoint>): void {
    const entry = tree.get(endpoint.pattern.segments)
    for (const method of endpoint.methods) {
      const taken = entry?.byMethod.get(method)
      if (taken && !replaced.has(taken) && !indexes.has(taken)) {
        throw new Error(`${method} ${endpoint.pattern.template} is already registered by ${taken.owner.id}.`)
      }
    }
  }

  function stage(owner: Owner): RouteSet {
    const own = new Set<Endpoint>()
    /** Methods and paths of the staged routes. */
    const staged = new Set<string>()
    let state: 'staged' | 'live' | 'gone' = 'staged'
    const set: RouteSet = {
      registerRoute(namespace, route) {
        if (state === 'gone') throw new Error(`Extension ${owner.id} was unloaded; it can no longer register a route.`)
        const endpoint = createEndpoint(namespace, route, owner)
        const named = endpoint.methods.map(
          (method) => `${method} ${endpoint.pattern.segments.map(({ key }) => key).join('/')}`,
        )
        if (state === 'live') add(endpoint)
        else if (named.some((name) => staged.has(name)))
          throw new Error(`${owner.id} registers ${endpoint.pattern.template} twice.`)
        own.add(endpoint)
        for (const name of named) staged.add(name)
        return () => {
          own.delete(endpoint)
          for (const name of named) staged.delete(name)
          remove(endpoint)
        }
      },
      commit(replacing) {
        if (state !== 'staged') throw new Error(`The routes of ${owner.id} were already committed or disposed of.`)
        const going = (replacing && endpointsOf.get(replacing)) ?? new Set<Endpoint>()
        for (const endpoint of own) assertFree(endpoint, going)
        replacing?.[Symbol.dispose]()
        for (const endpoint of own) add(endpoint)
        state = 'live'
      },
      list: () =>
        [...own].flatMap((endpoint) => endpoint.methods.map((method) => `${method} ${endpoint.pattern.template}`)),
      [Symbol.dispose]() {
        state = 'gone'
        for (const endpoint of own) remove(endpoint)
        own.clear()
      },
    }
    endpointsOf.set(set, own)
    return set
  }

  return {
    add(namespace, route, owner) {
      const endpoint = createEndpoint(namespace, route, owner)
      add(endpoint)
      return () => remove(endpoint)
    },
    stage,
    find: (method, segments) =>
      tree.find(segments, (entry) => {
        if (method === null) return entry.endpoints.some(exists)
        const endpoint = entry.byMethod.get(method)
        return endpoint !== undefined && exists(endpoint)
      }),
    entries: (namespace) =>
      [...entries].filter(
        (entry) => (namespace === undefined || entry.namespace === namespace) && entry.endpoints.some(exists),
      ),
    namespaces: () => [...namespaces.keys()].filter(hasRoutes),
    exists,
    get version() {
      return [version, parts.licensed(), ...[...conditional].map(holds)].join(' ')
    },
    report: () =>
      [...entries].flatMap((entry) =>
        entry.endpoints.filter(exists).map((endpoint) => ({
          namespace: endpoint.namespace,
          path: endpoint.pattern.template,
          methods: endpoint.methods,
          owner: endpoint.owner.id,
        })),
      ),
  }
}

/** Whether its condition holds. An error in the condition counts as `false` and is reported to the owner. */
function holds({ route, owner, pattern, added }: Endpoint): boolean {
  try {
    const result = route.when?.() ?? true
    if (isThenable(result)) throw new TypeError(`The condition of ${pattern.template} returned a promise.`)
    return result
  } catch (error) {
    owner.onError(withOrigin(error, added), pattern.template, '')
    return false
  }
}

function createEndpoint<Schema extends z.ZodObject>(namespace: string, route: Route<Schema>, owner: Owner): Endpoint {
  if (!/^([a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*)?$/i.test(namespace)) {
    throw new Error(`"${namespace}" is not a valid namespace; use the format "hello/v1".`)
  }
  const asked = typeof route.method === 'string' ? [route.method] : route.method
  const methods = METHODS.filter((method) => asked.includes(method))
  if (methods.length === 0) throw new Error(`The route ${namespace}${route.path} has no method.`)
  const pattern = parsePathPattern(`${namespace}/${route.path}`)
  return {
    namespace,
    route: withCurrentOptions(route),
    pattern,
    methods,
    allow: methods.join(', '),
    parameters: createParameters(route.input),
    owner,
    added: new Error('Registered here.'),
    batch: route.batch ?? (route.body !== 'stream' && !route.upload && !methods.includes('GET')),
  }
}
