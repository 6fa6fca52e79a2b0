import type { Host } from '../host.ts'

/** Milliseconds that what ends by itself gets to end. */
const SETTLE = 5_000

/** What of a host and its process an extension could leave behind, as lines of text. */
export function traces(host: Host, id: string): string[] {
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

/** Timers and handles that keep the process alive, counted by kind. */
export function resources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

function remains(host: Host, id: string, before: { traces: string[]; resources: Map<string, number> }): string[] {
  return [
    ...traces(host, id).filter((trace) => !before.traces.includes(trace)),
    ...[...resources()]
      .filter(([kind, count]) => kind !== 'Immediate' && count > (before.resources.get(kind) ?? 0))
      .map(([kind, count]) => `${count - (before.resources.get(kind) ?? 0)} more ${kind}`),
  ]
}

/**
 * Switches an extension off, on and off again and compares what is there each time.
 *
 * @throws Error that names everything the second round left behind
 */
export async function expectNoLeaks(host: Host, id: string): Promise<void> {
  const wasActive = host.extensions.list().some((extension) => extension.id === id && extension.state === 'active')
  await host.extensions.deactivate(id)
  const before = { traces: traces(host, id), resources: resources() }
  await host.extensions.activate(id)
  await host.extensions.deactivate(id)
  let left = remains(host, id, before)
  // What ends by itself is not left behind: handles that close, and what others do meanwhile. The clock may stand still.
  for (const end = performance.now() + SETTLE; left.length > 0 && performance.now() < end; ) {
    await new Promise((resolve) => setImmediate(resolve))
    left = remains(host, id, before)
  }
  if (wasActive) await host.extensions.activate(id)
  if (left.length > 0) throw new Error(`${id} left behind after it was deactivated:\n  ${left.join('\n  ')}`)
}
