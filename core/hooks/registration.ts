import type { Owner } from '../owner.ts'
import { createEntry, type Entry, isCallback } from './entry.ts'
import type { Listeners } from './listeners.ts'
import type { CallbackName, Hooks, Undo } from './types.ts'

/** The part of `Hooks` that registers callbacks. */
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

/** Selects callbacks of one hook to remove. */
export interface Selection {
  readonly isSelected: (entry: Entry) => boolean
  /** Absent for any priority. */
  readonly priority: number | undefined
  /** Whether it selects all callbacks, regardless of their names. */
  readonly isEverything: boolean
}

/** Where registrations go: directly to the store, or to the journal of a staged view. */
export interface ListenerStore {
  add(entry: Entry): void
  /** Undoes one registration. */
  drop(entry: Entry): void
  /** @returns whether one of them was active. */
  remove(name: string, selection: Selection): boolean
  read<Result>(name: string, look: (listeners: Listeners) => Result): Result | undefined
}

/**
 * Registration on behalf of an owner, or without one. As in WordPress, actions and filters are registered alike.
 * @throws TypeError if a callback, a priority or a number of arguments is invalid.
 */
export function createRegistration(store: ListenerStore, owner?: Owner): Registration {
  const add = (name: string, callback: unknown, options?: unknown, positional?: number): Undo => {
    if (!isCallback(callback)) throw new TypeError(`A callback of ${name} must be a function.`)
    const { priority, acceptedArgs, closed } = readOptions(name, options, positional)
    const added = owner && new Error('Added here.')
    const entry = createEntry({ name, callback, priority, acceptedArgs, owner, closed, added })
    store.add(entry)
    return () => store.drop(entry)
  }

  function remove(name: string, callback: unknown, priority?: number): boolean {
    const isRequested = matcherOf(callback)
    // As in WordPress, a function is removed at one priority; a name at all of them by default.
    const at = isName(callback) ? priority : (priority ?? 10)
    const matches = (entry: Entry) => isRequested(entry) && (at === undefined || entry.priority === at)
    const found = store.read(name, (listeners) => listeners.entries().filter(matches)) ?? []
    const isOwn = found.some((entry) => entry.owner === owner)
    if (!isOwn && isName(callback)) assertUnambiguous(name, callback, found)
    const isSelected = (entry: Entry) => matches(entry) && (!isOwn || entry.owner === owner)
    return store.remove(name, { isSelected, priority: at, isEverything: false })
  }

  function removeAll(name: string, priority?: number): void {
    const isSelected = (entry: Entry) =>
      (priority === undefined || entry.priority === priority) && !isProtectedFrom(owner, entry)
    store.remove(name, { isSelected, priority, isEverything: true })
  }

  function has(name: string): boolean
  function has(name: string, callback: unknown): number | false
  function has(name: string, callback?: unknown): number | boolean {
    if (callback === undefined) return store.read(name, (listeners) => listeners.buckets.length > 0) ?? false
    return store.read(name, (listeners) => listeners.priorityOf(matcherOf(callback))) ?? false
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

/** The options of a callback, positional or by name. @throws TypeError if they are invalid */
function readOptions(hook: string, options: unknown, positional?: number) {
  const isObject = typeof options === 'object' && options !== null
  const given: { priority?: unknown; acceptedArgs?: unknown; onError?: unknown } = isObject
    ? options
    : { priority: options, acceptedArgs: positional }
  const { priority = 10, acceptedArgs = Number.POSITIVE_INFINITY, onError = 'open' } = given
  if (typeof priority !== 'number' || Number.isNaN(priority))
    throw new TypeError(`The priority of a callback of ${hook} must be a number.`)
  if (typeof acceptedArgs !== 'number')
    throw new TypeError(`The number of arguments that a callback of ${hook} accepts must be a number.`)
  if (onError !== 'open' && onError !== 'closed')
    throw new TypeError(`onError of a callback of ${hook} must be "closed" or "open".`)
  return { priority, acceptedArgs, closed: onError === 'closed' }
}

/** Callbacks that protect content are removed only by name: clearing a hook must not publish what others protect. */
export function isProtectedFrom(remover: Owner | undefined, entry: Entry): boolean {
  return entry.closed && remover !== undefined && entry.owner !== remover
}

function isName(callback: unknown): callback is string | CallbackName {
  if (typeof callback === 'string') return true
  return typeof callback === 'object' && callback !== null && 'name' in callback && typeof callback.name === 'string'
}

/** Matches callbacks by reference or by name. */
function matcherOf(callback: unknown): (entry: Entry) => boolean {
  if (!isName(callback)) return (entry) => entry.callback === callback
  const { name, owner }: CallbackName = typeof callback === 'string' ? { name: callback } : callback
  return (entry) => entry.callback.name === name && (owner === undefined || entry.owner?.id === owner)
}

function assertUnambiguous(hook: string, callback: string | CallbackName, found: readonly Entry[]): void {
  const owners = [...new Set(found.map((entry) => entry.owner?.id ?? ''))]
  if (owners.length < 2) return
  const name = typeof callback === 'string' ? callback : callback.name
  throw new Error(
    `${owners.join(' and ')} each have a callback of ${hook} named ${name}. Specify the owner: { owner: '${owners[0]}', name: '${name}' }`,
  )
}
