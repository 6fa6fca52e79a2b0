import { SyncHook, SyncWaterfallHook } from 'tapable'
import type { CheckedHook } from './checked-hook.ts'
import type { Callback, Entry } from './entry.ts'
import { guardAction, guardFilter } from './guard.ts'
import type { SettledBy } from './shape-rules.ts'

/** Calls the callbacks of one bucket with the arguments of a dispatch and answers the last value. */
export type CompiledFilter = SyncWaterfallHook<unknown[], unknown>

/** Calls the callbacks of one bucket with the arguments of a dispatch. */
export type CompiledAction = SyncHook<unknown[], void>

/**
 * One straight line of calls, made by tapable: each value goes on to the next callback, where
 * `undefined` leaves it as it was.
 * @param arity Number of arguments of the dispatch, the value included; at least 1.
 * @param settled By what the dispatch tells values that need no closer look.
 */
export function compileFilter(
  entries: readonly Entry[],
  arity: number,
  record: CheckedHook,
  settled: SettledBy,
): CompiledFilter {
  const hook = new SyncWaterfallHook<unknown[], unknown>(argumentNames(arity))
  for (const entry of entries) {
    hook.tap(nameOf(entry), filterOf(entry, arity, record, settled))
  }
  return hook
}

/** As `compileFilter`; every callback gets the same arguments. */
export function compileAction(entries: readonly Entry[], arity: number, record: CheckedHook): CompiledAction {
  const hook = new SyncHook<unknown[], void>(argumentNames(arity))
  for (const entry of entries) {
    hook.tap(nameOf(entry), actionOf(entry, arity, record))
  }
  return hook
}

/** The callback of a filter as a dispatch with so many arguments calls it. */
export function filterOf(entry: Entry, arity: number, record: CheckedHook, settled: SettledBy): Callback {
  const guarded = guardFilter(entry, Math.min(arity, entry.acceptedArgs), record, settled)
  return limitArguments(guarded, entry.acceptedArgs, arity)
}

/** As `filterOf`. */
export function actionOf(entry: Entry, arity: number, record: CheckedHook): Callback {
  return limitArguments(guardAction(entry, record), entry.acceptedArgs, arity)
}

/** tapable wants a name for each argument, and for none no list. */
function argumentNames(arity: number): [string, ...string[]] | undefined {
  if (arity === 0) return undefined
  return ['argument0', ...Array.from({ length: arity - 1 }, (_, index) => `argument${index + 1}`)]
}

function nameOf(entry: Entry): string {
  return entry.owner?.id || 'bare'
}

function limitArguments(callback: Callback, acceptedArgs: number, arity: number): Callback {
  if (acceptedArgs >= arity) return callback
  if (acceptedArgs === 0) return () => callback()
  if (acceptedArgs === 1) return (first) => callback(first)
  if (acceptedArgs === 2) return (first, second) => callback(first, second)
  return (...args) => callback(...args.slice(0, acceptedArgs))
}
