import { LRUCache } from 'lru-cache'

/** Milliseconds in which one record of a kind is logged. */
const INTERVAL = 60_000
/** Maximum number of kinds that are tracked. */
const KINDS = 1000

/**
 * Keeps events of every request from flooding the log: one record of a kind per minute.
 *
 * @returns a function to call before each record. It returns the fields to log with it, where `repeated` is the number of records skipped
 * since the last one, or `undefined` to skip the record.
 */
export function createLogLimit(
  now: () => number = () => performance.now(),
): (kind: string) => { readonly repeated?: number } | undefined {
  const kinds = new LRUCache<string, { readonly since: number; leftOut: number }>({ max: KINDS })
  return (kind) => {
    const last = kinds.get(kind)
    const time = now()
    if (last !== undefined && time - last.since < INTERVAL) {
      last.leftOut++
      return undefined
    }
    kinds.set(kind, { since: time, leftOut: 0 })
    return last === undefined || last.leftOut === 0 ? {} : { repeated: last.leftOut }
  }
}
