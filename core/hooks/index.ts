/**
 * Actions and filters as in WordPress. Nothing is global: each `createHooks()` creates a registry. The files of this folder:
 *
 * - `types.ts`, `names.ts`, `hook-name.ts`: the public types, and how the compiler checks hook names.
 * - `registration.ts` → `owned.ts` (views of one owner, staged or public) → `store.ts` → `listeners.ts`: registration.
 * - `dispatch.ts` and `async.ts`: the two kinds of dispatch; `compile.ts` compiles the calls of a bucket into one function.
 * - `guard.ts`: errors and invalid return values of extensions' callbacks; `shapes.ts`, `value-checks.ts`: which values are invalid;
 * - `call-in-time.ts`, `waiting.ts`, `hanging.ts`: time limits; `recursion.ts`: infinite recursion.
 * - `current.ts`, `frame.ts`: the hooks currently running; `inspect.ts`, `owners.ts`, `sampling.ts`: the hook inspector.
 */
import type { Staged } from '../owner.ts'
import { createAsyncDispatch, type RequestLimits } from './async.ts'
import { Current } from './current.ts'
import { createDispatch } from './dispatch.ts'
import { createEntry } from './entry.ts'
import { inspect } from './inspect.ts'
import { Listeners } from './listeners.ts'
import { Ownership } from './owned.ts'
import { createOwners } from './owners.ts'
import { createRegistration } from './registration.ts'
import { Store } from './store.ts'
import type { DispatchLimits, HookRegistry, Hooks, OwnedHooks, Undo } from './types.ts'

export * from './names.ts'
export type * from './types.ts'

/** For hooks that report stored changes: an error of an extension cancels nothing. */
export const AFTER_COMMIT: DispatchLimits = { cancelable: false }

/**
 * Creates a bare registry, in which errors of callbacks propagate to the caller of the dispatch.
 * @param parts.request Limits for async dispatches that requests wait for; default: none.
 */
export function createHooks(parts: { readonly request?: RequestLimits } = {}): HookRegistry {
  const current = new Current(parts.request?.waiting)
  const store = new Store(current)
  const limited = createAsyncDispatch(store, current, parts.request)
  const { applyOnlyAsync, ...unlimited } = limited({})

  const shared: Omit<Hooks, keyof ReturnType<typeof createRegistration> | 'declareFilters' | 'currentSignal'> = {
    ...createDispatch(store, current),
    ...unlimited,
    limited,
    didAction: (name) => store.records.get(name)?.actionCount ?? 0,
    didFilter: (name) => store.records.get(name)?.filterCount ?? 0,
    owners: createOwners(store),
    currentAction: () => current.name(),
    currentFilter: () => current.name(),
    doingAction: (name) => current.includes(name),
    doingFilter: (name) => current.includes(name),
  }

  const ownerships = new WeakMap<Staged, Ownership>()
  const ownershipOf = (view: Staged): Ownership => {
    const ownership = ownerships.get(view)
    if (ownership === undefined) throw new TypeError('The view was not created by forOwner of this registry.')
    return ownership
  }

  return {
    ...createRegistration(store),
    ...shared,
    declareFilters: (shapes) => store.declareFilters(shapes),
    currentSignal: () => current.signal(),
    forOwner: (owner, { staged = false } = {}) => {
      const ownership = new Ownership(store, owner, staged)
      const declared: Undo[] = []
      const view: OwnedHooks = {
        ...createRegistration(ownership, ownership.owner),
        ...shared,
        // Effective immediately, even in a staged view: overrides the declarations of the running version, which apply again if this one fails.
        declareFilters: (shapes) => {
          ownership.assertNotDisposed('declare filters')
          const undo = store.declareFilters(shapes)
          declared.push(undo)
          return undo
        },
        currentSignal: () => current.signal(ownership.owner),
        commit: (replacing) => ownership.commit(replacing && ownershipOf(replacing)),
        guard(name, callback, added) {
          const only = new Listeners()
          const options = { priority: 10, acceptedArgs: Number.POSITIVE_INFINITY, closed: false }
          only.add(createEntry({ name, callback, ...options, owner: ownership.owner, added }))
          return (...args) => applyOnlyAsync(only, name, args)
        },
        replay: async (name: string, ...args: unknown[]) => {
          if (store.records.get(name)?.actionCount) await ownership.replay(current, name, args)
        },
        [Symbol.dispose]: () => {
          for (const undo of declared.splice(0)) undo()
          ownership.dispose()
        },
      }
      ownerships.set(view, ownership)
      return view
    },
    inspect: () => inspect(store),
    reorder: (priorityOf) => store.reorder(priorityOf),
  }
}
