import { withStackOf } from '../errors.ts'
import { type Callback, isCallback } from '../hooks/entry.ts'
import type { Hooks, OwnedHooks } from '../hooks/types.ts'
import { kindOf } from '../hooks/value-kind.ts'
import type { InFlight } from './in-flight.ts'

/** A name computed on demand: it is rarely needed, and reading a stack is slow. */
function namedByLocation(added: Error, placeOf: (error: Error) => string | undefined): PropertyDescriptor {
  let name: string | undefined
  return {
    get() {
      // Of a copy: the search rewrites the stack.
      name ??= placeOf(withStackOf(new Error(), added)) ?? ''
      return name
    },
  }
}

type Method = (...args: never[]) => unknown

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => kindOf(value) === 'object'

/**
 * The hooks of an extension: its owned view, which also tracks callbacks in progress. The registry has one wrapper for each callback, so
 * removing it and looking it up work as with the callback itself.
 *
 * @param rest - Passed to callbacks of hooks that provide the route registry (`rest_api_init`): the extension's own view, so that its
 * routes are removed with it.
 * @param placeOf - Where in the extension's files an error was created, which names anonymous callbacks.
 */
export function trackCallbacks(
  owned: OwnedHooks,
  inFlight: InFlight,
  rest: { readonly shared: object; readonly own: object },
  placeOf: (error: Error) => string | undefined,
): Hooks {
  // These members are not for extensions; the rest is `Hooks`.
  const { commit: _, replay: __, guard, ...hooks } = owned
  const wrappers = new WeakMap<Callback, Callback>()

  const handlers = new WeakMap<Callback, { name: string; guarded: Callback }>()

  /** Wraps the shortcodes that a `shortcode_tags` callback added, so that their errors are attributed to its owner. */
  function guardHandlers(before: unknown, tags: unknown, added: Error): unknown {
    if (!isRecord(tags)) return tags
    const known = isRecord(before) ? before : {}
    return Object.fromEntries(
      Object.entries(tags).map(([name, handler]) => [
        name,
        isCallback(handler) && handler !== known[name] ? guardHandler(name, handler, added) : handler,
      ]),
    )
  }

  function guardHandler(name: string, handler: Callback, added: Error): Callback {
    const wrapped = handlers.get(handler)
    if (wrapped?.name === name) return wrapped.guarded
    const dispatch = guard(
      `render_shortcode_${name}`,
      (_html, ...args) =>
        inFlight.track(
          () => handler(...args),
          () => `shortcode ${name}`,
        ),
      added,
    )
    const guarded: Callback = (...args) => dispatch(null, ...args)
    handlers.set(handler, { name, guarded })
    return guarded
  }

  function wrapperOf(name: string, callback: unknown): unknown {
    // The registry rejects values that are not functions.
    if (!isCallback(callback)) return callback
    const known = wrappers.get(callback)
    if (known) return known
    const added = new Error('Added here.')
    const what = Object.assign(() => `${name} (${tracked.name})`, { added })
    const tracked: Callback = (...args) => {
      if (args[0] === rest.shared) args[0] = rest.own
      const result = inFlight.track(() => callback(...args), what)
      return name === 'shortcode_tags' ? guardHandlers(args[0], result, added) : result
    }
    const named = callback.name === '' ? namedByLocation(added, placeOf) : { value: callback.name }
    Object.defineProperty(tracked, 'name', named)
    wrappers.set(callback, tracked)
    return tracked
  }
  const adding =
    (method: Method) =>
    (name: string, callback: unknown, ...rest: unknown[]) =>
      Reflect.apply(method, undefined, [name, wrapperOf(name, callback), ...rest])
  // A callback without a wrapper belongs to another owner.
  const asking =
    (method: Method) =>
    (name: string, callback?: unknown, ...rest: unknown[]) =>
      Reflect.apply(method, undefined, [name, (isCallback(callback) && wrappers.get(callback)) || callback, ...rest])

  return Object.assign({}, hooks, {
    addAction: adding(hooks.addAction),
    addFilter: adding(hooks.addFilter),
    removeAction: asking(hooks.removeAction),
    removeFilter: asking(hooks.removeFilter),
    hasAction: asking(hooks.hasAction),
    hasFilter: asking(hooks.hasFilter),
  })
}
