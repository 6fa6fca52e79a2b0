import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import type { Site } from '../create-site.ts'

/** Milliseconds in which resources that close by themselves may do so. */
const SETTLE = 5_000
/** Polling interval, in milliseconds. */
const LOOK_AGAIN = 20

/** The real timer: a test may have stopped the clock. */
const { setTimeout: startTimer } = globalThis

/** Resources that an extension may have left behind in a host and its process, as text. */
function traces(host: Site, id: string): string[] {
  const hooks = host.hooks
    .inspect()
    .flatMap((hook) => hook.listeners.filter((listener) => listener.owner === id).map(() => `hook ${hook.name}`))
  const routes = host.rest
    .routes()
    .filter((route) => route.owner === id)
    .map((route) => `route ${route.methods.join(',')} /${route.namespace}${route.path}`)
  const settings = host.settings
    .names()
    .filter((name) => name === id)
    .map((name) => `settings ${name}`)
  const types = [...host.content.postTypes().keys()].map((name) => `post type ${name}`)
  const taxonomies = [...host.content.taxonomies().keys()].map((name) => `taxonomy ${name}`)
  const roles = [...host.auth.roles()].map(([name, role]) => `role ${name} with ${role.capabilities.size} capabilities`)
  const abilities = host.abilities.names().map((name) => `ability ${name}`)
  const pages = host.adminPages.list().map(({ owner, page }) => `page ${page.slug} of ${owner}`)
  const listeners = process
    .eventNames()
    .map((name) => `${process.listenerCount(name)} process listeners of ${String(name)}`)
  return [...hooks, ...routes, ...settings, ...types, ...taxonomies, ...roles, ...abilities, ...pages, ...listeners]
}

/** A timer, or a libuv handle: a socket, a server, a child process, a watched file. */
interface Handle {
  /** Whether it keeps the process alive; `undefined` for timers that fired or were cleared. */
  hasRef(): boolean | undefined
}

/** Records what code creates, until disposed of. */
interface HandleWatch extends Disposable {
  /** Runs code and records the timers and handles that it creates, also after an `await`. */
  run(work: () => Promise<void>): Promise<void>
  /** Resources that keep the process alive, counted by type. */
  left(): Map<string, number>
}

/** Resources of other code are not counted, so the result is independent of concurrent work in the process. */
function watchHandles(): HandleWatch {
  const inside = new AsyncLocalStorage<true>()
  const made = new Map<number, { readonly kind: string; readonly handle: Handle }>()
  const hook = createHook({
    init(id, kind, _trigger, resource) {
      if (kind !== 'Immediate' && inside.getStore() && isHandle(resource)) made.set(id, { kind, handle: resource })
    },
    destroy: (id) => void made.delete(id),
  }).enable()
  return {
    run: (work) => inside.run(true, work),
    left: () => countOf([...made.values()].filter(({ handle }) => handle.hasRef()).map(({ kind }) => kind)),
    [Symbol.dispose]: () => void hook.disable(),
  }
}

function isHandle(resource: object): resource is Handle {
  return 'hasRef' in resource && typeof resource.hasRef === 'function'
}

/** File reads and name lookups in progress in the whole process, which cannot be attributed. */
function requests(): Map<string, number> {
  return countOf(process.getActiveResourcesInfo().filter((kind) => kind.includes('Req')))
}

function countOf(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/**
 * Deactivates, activates and deactivates an extension and compares the resources each time.
 *
 * @throws Error that lists everything left behind by the second round
 */
export async function expectNoLeaks(host: Site, id: string): Promise<void> {
  const wasActive = host.extensions.list().some((extension) => extension.id === id && extension.state === 'active')
  await host.extensions.deactivate(id)
  const before = { traces: traces(host, id), requests: requests() }
  using handles = watchHandles()
  await handles.run(async () => {
    await host.extensions.activate(id)
    await host.extensions.deactivate(id)
  })
  const remains = () => [
    ...traces(host, id).filter((trace) => !before.traces.includes(trace)),
    ...[...handles.left()].map(([kind, count]) => `${count} more ${kind}`),
    ...[...requests()]
      .map(([kind, count]) => ({ kind, more: count - (before.requests.get(kind) ?? 0) }))
      .filter(({ more }) => more > 0)
      .map(({ kind, more }) => `${more} more ${kind}`),
  ]
  let left = remains()
  // Resources that close by themselves, and those of other code, do not count.
  for (const end = performance.now() + SETTLE; left.length > 0 && performance.now() < end; ) {
    await new Promise((resolve) => startTimer(resolve, LOOK_AGAIN))
    left = remains()
  }
  if (wasActive) await host.extensions.activate(id)
  if (left.length > 0) throw new Error(`${id} left behind after it was deactivated:\n  ${left.join('\n  ')}`)
}
