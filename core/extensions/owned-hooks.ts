import { type Callback, isCallback } from '../hooks/listeners.ts'
import type { Hooks, OwnedHooks } from '../hooks/types.ts'
import type { UnderWay } from './under-way.ts'

/** A name that is worked out when somebody asks for it: few do, and reading a stack takes its time. */
function namedByPlace(placeOf: (error: Error) => string | undefined): PropertyDescriptor {
  let added: Error | undefined = new Error('Added here.')
  let name = ''
  return {
    get() {
      if (added) name = placeOf(added) ?? ''
      added = undefined
      return name
    },
  }
}

type Method = (...args: never[]) => unknown

/**
 * The hooks an extension gets: its owned view, with a count of its callbacks that are under way. The registry knows each
 * callback by one stand-in, so removing it and asking for it work as with the callback itself.
 *
 * @param rest - Where a hook hands over the host's registry of routes (`rest_api_init`), the callback gets the extension's own
 *   view of it, so that these routes go with the extension too.
 * @param placeOf - Where in the extension's files an error was made, which is what a callback without a name is called by.
 */
export function trackCallbacks(
  owned: OwnedHooks,
  underWay: UnderWay,
  rest: { readonly shared: object; readonly own: object },
  placeOf: (error: Error) => string | undefined,
): Hooks {
  // Not for extensions, and all that is left is `Hooks`.
  const { commit: _, catchUp: __, ...hooks } = owned
  const standIns = new WeakMap<Callback, Callback>()

  function standIn(callback: unknown): unknown {
    // What is not a function the registry refuses.
    if (!isCallback(callback)) return callback
    const known = standIns.get(callback)
    if (known) return known
    const tracked: Callback = (...args) => {
      if (args[0] === rest.shared) args[0] = rest.own
      return underWay.track(() => callback(...args))
    }
    Object.defineProperty(tracked, 'name', callback.name === '' ? namedByPlace(placeOf) : { value: callback.name })
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
