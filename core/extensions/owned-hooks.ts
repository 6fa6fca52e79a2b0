import type { Hooks, OwnedHooks } from '../hooks/types.ts'
import type { UnderWay } from './under-way.ts'

type Callback = (...args: unknown[]) => unknown
type Method = (...args: never[]) => unknown

/**
 * The hooks an extension gets: its owned view, with a count of its callbacks that are under way. The registry knows each
 * callback by one stand-in, so removing it and asking for it work as with the callback itself.
 */
export function trackCallbacks({ commit: _, ...hooks }: OwnedHooks, underWay: UnderWay): Hooks {
  const standIns = new WeakMap<Callback, Callback>()

  function standIn(callback: unknown): unknown {
    // What is not a function the registry refuses.
    if (!isCallback(callback)) return callback
    const known = standIns.get(callback)
    if (known) return known
    const tracked: Callback = (...args) => underWay.track(() => callback(...args))
    Object.defineProperty(tracked, 'name', { value: callback.name })
    standIns.set(callback, tracked)
    return tracked
  }
  const adding =
    (method: Method) =>
    (name: string, callback: unknown, ...rest: unknown[]) =>
      Reflect.apply(method, undefined, [name, standIn(callback), ...rest])
  // A callback that was not added here is somebody else's, known to the registry as itself.
  const asking =
    (method: Method) =>
    (name: string, callback?: unknown, ...rest: unknown[]) =>
      Reflect.apply(method, undefined, [name, (isCallback(callback) && standIns.get(callback)) || callback, ...rest])

  return Object.assign({}, hooks, {
    addAction: adding(hooks.addAction),
    addFilter: adding(hooks.addFilter),
    removeAction: asking(hooks.removeAction),
    removeFilter: asking(hooks.removeFilter),
    hasAction: asking(hooks.hasAction),
    hasFilter: asking(hooks.hasFilter),
  })
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}
