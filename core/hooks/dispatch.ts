import type { Current } from './current.ts'
import { callActions, withCopiedArguments } from './guard.ts'
import type { OfferedSyncFilter, SyncFilterName } from './hook-name.ts'
import { type HookRecord, type Store, validTypeFor } from './store.ts'
import type { FilterRest, FilterValue, Hooks } from './types.ts'

/**
 * The synchronous pair. A dispatch looks up the next priority after each one, so callbacks added or removed meanwhile take effect as in
 * WordPress: not at the running priority, but at any later one.
 */
export function createDispatch(store: Store, current: Current): Pick<Hooks, 'doAction' | 'applyFilters'> {
  const { all, records } = store
  const { stack } = current

  function applyFilters<Name extends OfferedSyncFilter>(
    name: SyncFilterName<Name>,
    value: FilterValue<Name>,
    ...rest: FilterRest<Name>
  ): FilterValue<Name>
  function applyFilters(name: string, value: unknown, ...rest: unknown[]): unknown {
    const record = records.get(name) ?? store.recordOf(name)
    record.filterCount++
    if (record.listeners === undefined && all.listeners === undefined) return value
    return walkFilter(record, value, rest)
  }

  function doAction(name: string, ...args: unknown[]): void {
    const record = records.get(name) ?? store.recordOf(name)
    record.actionCount++
    if (record.listeners !== undefined || all.listeners !== undefined) walkAction(record, args)
  }

  function walkFilter(record: HookRecord, value: unknown, rest: readonly unknown[]): unknown {
    const { depth } = current
    if (depth >= current.maxDepth) current.checkDepth(record.name)
    current.depth = depth + 1
    stack[depth] = record.name
    try {
      if (all.listeners !== undefined) walkAll([record.name, value, ...rest])
      const { listeners } = record
      let bucket = listeners?.buckets[0]
      let result = value
      const validType = validTypeFor(record, value)
      while (listeners !== undefined && bucket !== undefined) {
        result = bucket.applyFilters(record, validType, result, rest)
        bucket = listeners.after(bucket)
      }
      return result
    } finally {
      current.depth = depth
    }
  }

  function walkAction(record: HookRecord, args: readonly unknown[]): void {
    const { depth } = current
    if (depth >= current.maxDepth) current.checkDepth(record.name)
    current.depth = depth + 1
    stack[depth] = record.name
    try {
      if (all.listeners !== undefined) walkAll([record.name, ...args])
      const { listeners } = record
      let bucket = listeners?.buckets[0]
      while (listeners !== undefined && bucket !== undefined) {
        bucket.doAction(record, args)
        bucket = listeners.after(bucket)
      }
    } finally {
      current.depth = depth
    }
  }

  /** Dispatches to the `all` hook: its callbacks receive the name and all arguments, regardless of `acceptedArgs`. */
  function walkAll(args: readonly unknown[]): void {
    const { listeners } = all
    for (let bucket = listeners?.buckets[0]; bucket !== undefined; bucket = listeners?.after(bucket)) {
      const weight = bucket.begin()
      for (const entry of bucket.entries) {
        const given = entry.owner === undefined ? args : withCopiedArguments(args)
        callActions([{ ...entry, acceptedArgs: Number.POSITIVE_INFINITY }], all, given, weight)
      }
    }
  }

  return { doAction, applyFilters }
}
