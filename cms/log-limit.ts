import { LRUCache } from 'lru-cache'

/** Milliseconds in which one record of a kind is logged. */
const INTERVAL = 60_000
/** Maximum number of kinds that are tracked. */
const KINDS = 1000

/** Limits log records caused by requests: one record of a kind per minute. */
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
