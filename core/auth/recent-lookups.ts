import { LRUCache } from 'lru-cache'

/** Milliseconds for which an entry is used without a query, and so the maximum delay for changes by other processes on PostgreSQL. */
const MAX_AGE = 2000
const MAX_ENTRIES = 10_000

interface Entry<Value> {
  readonly value: Value
  /** Time until which the value is used without a query. */
  validUntil: number
  /** That of the database before the value was read. */
  readonly version: number
}

/**
 * Caches the owners of credentials, so that a busy client does not cause a query per request. Changes by this process are effective
 * immediately (`invalidate`), those by other processes too on SQLite (`version` changes) or if `isShared`: then each is looked up; otherwise within two seconds.
 */
export function createRecentLookups<Value extends { readonly user: { readonly id: number } }>(
  now: () => number,
  isShared: boolean,
  version: () => number,
) {
  // `max` would allocate memory for all entries at startup, which takes milliseconds.
  const entries = new LRUCache<string, Entry<Value>>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 })
  const pending = new Map<string, Promise<Value | undefined>>()
  /** Number of calls of `invalidate`: a value read before a call must not be cached after it. */
  let changes = 0

  async function find(key: string, search: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const before = changes
    const read = version()
    const value = await search()
    if (value === undefined) entries.delete(key)
    else if (before === changes) entries.set(key, { value, version: read, validUntil: isShared ? 0 : now() + MAX_AGE })
    return value
  }

  return {
    /** The cached value, unless it has expired or another process may have changed it. */
    fresh(key: string) {
      const entry = entries.get(key)
      return entry !== undefined && entry.validUntil > now() && entry.version === version() ? entry.value : undefined
    },
    /** Whether the key is cached, even if expired. */
    isKnown: (key: string) => entries.has(key),
    /** Looks it up; concurrent calls for the same key share one query. */
    load(key: string, search: () => Promise<Value | undefined>) {
      const shared = pending.get(key)
      if (shared && !isShared) return shared
      const own = find(key, search).finally(() => {
        if (pending.get(key) === own) pending.delete(key)
      })
      pending.set(key, own)
      return own
    },
    /** Expires the values of a user. */
    invalidate(userId: number) {
      changes++
      pending.clear()
      for (const entry of entries.values()) if (entry.value.user.id === userId) entry.validUntil = 0
    },
  }
}
