import { type Entry, isCallback, type Listeners } from './listeners.ts'
import type { HookOwner, Hooks, Undo } from './types.ts'

/** The part of `Hooks` that says who listens. */
export type Registration = Pick<
  Hooks,
  | 'addAction'
  | 'addFilter'
  | 'removeAction'
  | 'removeFilter'
  | 'removeAllActions'
  | 'removeAllFilters'
  | 'hasAction'
  | 'hasFilter'
>

/** Where registrations go: straight to the store, or first to the journal of a staged view. */
export interface Ledger {
  add(entry: Entry): void
  change<Result>(name: string, change: (listeners: Listeners) => Result): Result | undefined
  look<Result>(name: string, look: (listeners: Listeners) => Result): Result | undefined
}

/**
 * Registration on behalf of one owner, or of nobody. Actions and filters are one thing here, as in WordPress.
 * @throws TypeError on a callback that is no function, a priority or a number of arguments that is none.
 */
export function createRegistration(ledger: Ledger, owner?: HookOwner): Registration {
  const add = (name: string, callback: unknown, priority = 10, acceptedArgs = Number.POSITIVE_INFINITY): Undo => {
    if (!isCallback(callback)) throw new TypeError(`A callback of ${name} must be a function.`)
    if (typeof priority !== 'number' || Number.isNaN(priority))
      throw new TypeError(`The priority of a callback of ${name} must be a number.`)
    const entry: Entry = { name, callback, priority, acceptedArgs, owner, spent: { milliseconds: 0 } }
    ledger.add(entry)
    return () => {
      ledger.change(name, (listeners) => listeners.removeEntry(entry))
    }
  }

  const remove = (name: string, callback: unknown, priority = 10): boolean =>
    ledger.change(name, (listeners) => listeners.remove(callback, priority, owner)) ?? false

  const removeAll = (name: string, priority?: number): void => {
    ledger.change(name, (listeners) => listeners.removeAll(priority))
  }

  function has(name: string): boolean
  function has(name: string, callback: unknown): number | false
  function has(name: string, callback?: unknown): number | boolean {
    if (callback === undefined) return ledger.look(name, (listeners) => listeners.buckets.length > 0) ?? false
    return ledger.look(name, (listeners) => listeners.priorityOf(callback)) ?? false
  }

  return {
    addAction: add,
    addFilter: add,
    removeAction: remove,
    removeFilter: remove,
    removeAllActions: removeAll,
    removeAllFilters: removeAll,
    hasAction: has,
    hasFilter: has,
  }
}
