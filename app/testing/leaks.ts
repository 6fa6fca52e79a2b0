import { AsyncLocalStorage, createHook } from 'node:async_hooks'
import type { Site } from '../create-site.ts'

/** Milliseconds that what ends by itself gets to end. */
const SETTLE = 5_000
/** Milliseconds between looks. */
const LOOK_AGAIN = 20

/** The real one: a test may make the clock stand still. */
const { setTimeout: startTimer } = globalThis

/** What of a host and its process an extension could leave behind, as lines of text. */
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

/** A timer, or a handle of libuv: a socket, a server, a process, a watched file. */
interface Handle {
  /** Whether it keeps the process alive; a timer answers for the time before it fired or was cleared. */
  hasRef(): boolean | undefined
}

/** What code has made, noted until disposed of. */
interface HandleWatch extends Disposable {
  /** Runs code and notes the timers and handles that it makes, also after an `await`. */
  run(work: () => Promise<void>): Promise<void>
  /** What of them keeps the process alive now, counted by kind. */
  left(): Map<string, number>
}

/** What others make or end meanwhile is nothing to it: the result does not depend on what else goes on in the process. */
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

/** Files that are read and names that are looked up at the moment, of the whole process: nobody knows who asked. */
function requests(): Map<string, number> {
  return countOf(process.getActiveResourcesInfo().filter((kind) => kind.includes('Req')))
}

function countOf(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/**
 * Switches an extension off, on and off again and compares what is there each time.
 *
 * @throws Error that names everything the second round left behind
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
  // What ends by itself is not left behind: handles that close, and what others do meanwhile.
  for (const end = performance.now() + SETTLE; left.length > 0 && performance.now() < end; ) {
    await new Promise((resolve) => startTimer(resolve, LOOK_AGAIN))
    left = remains()
  }
  if (wasActive) await host.extensions.activate(id)
  if (left.length > 0) throw new Error(`${id} left behind after it was deactivated:\n  ${left.join('\n  ')}`)
}
