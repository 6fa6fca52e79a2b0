import { LRUCache } from 'lru-cache'

/** Milliseconds in which one record of a kind is logged. */
const INTERVAL = 60_000
/** Kinds that are remembered. */
const KINDS = 1000

/**
 * Keeps what happens at each request from flooding the log: one record of a kind a minute.
 *
 * @returns Asked before each record: the fields to log with it, `repeated` being the number of records that were left out since
 * the last one; `undefined` where this one is to be left out.
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
