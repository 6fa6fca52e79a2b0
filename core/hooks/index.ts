/**
 * Actions and filters as WordPress has them (contract 2.1). Nothing here is global: each
 * `createHooks()` is a world of its own.
 */
import { createAsyncDispatch } from './async.ts'
import { catchUp } from './catch-up.ts'
import { Current } from './current.ts'
import { createDispatch } from './dispatch.ts'
import { inspect } from './inspect.ts'
import { Ownership } from './owned.ts'
import { createRegistration } from './registration.ts'
import { Store } from './store.ts'
import type { HookRegistry, Hooks, OwnedHooks } from './types.ts'

export * from './names.ts'
export type * from './types.ts'

/** A bare registry: what a callback throws propagates to whoever dispatches. */
export function createHooks(): HookRegistry {
  const store = new Store()
  const current = new Current()
  const limited = createAsyncDispatch(store, current)

  const shared: Omit<Hooks, keyof ReturnType<typeof createRegistration> | 'currentSignal'> = {
    ...createDispatch(store, current),
    ...limited({}),
    limited,
    didAction: (name) => store.records.get(name)?.acted ?? 0,
    didFilter: (name) => store.records.get(name)?.filtered ?? 0,
    currentAction: () => current.name(),
    currentFilter: () => current.name(),
    doingAction: (name) => current.includes(name),
    doingFilter: (name) => current.includes(name),
  }

  const ownerships = new WeakMap<OwnedHooks, Ownership>()
  const ownershipOf = (view: OwnedHooks): Ownership => {
    const ownership = ownerships.get(view)
    if (ownership === undefined) throw new TypeError('This view was not made by forOwner of this registry.')
    return ownership
  }

  return {
    ...createRegistration(store),
    ...shared,
    currentSignal: () => current.signal(),
    forOwner: (owner, { staged = false } = {}) => {
      const ownership = new Ownership(store, owner, staged)
      const view: OwnedHooks = {
        ...createRegistration(ownership, ownership.owner),
        ...shared,
        currentSignal: () => current.signal(ownership.owner),
        commit: () => ownership.commit(),
        catchUp: async (name: string, ...args: unknown[]) => {
          if (store.records.get(name)?.acted) await catchUp(ownership, current, name, args)
        },
        [Symbol.dispose]: () => ownership.dispose(),
      }
      ownerships.set(view, ownership)
      return view
    },
    swap: (outgoing, incoming) => ownershipOf(incoming).commit(ownershipOf(outgoing)),
    inspect: () => inspect(store),
  }
}
