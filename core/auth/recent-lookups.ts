import { LRUCache } from 'lru-cache'

/** Milliseconds after which a change made by another process is seen. */
const TRUSTED_FOR = 2000
const MEMORY = 10_000

interface Entry<Value> {
  readonly value: Value
  /** Until when the value is believed without asking again. */
  until: number
}

/**
 * Remembers who a credential belongs to, so that a busy client does not cost a query a request. What this process
 * changes counts at once (`forget`), what another changes after two seconds at most.
 */
export interface RecentLookups<Value> {
  /** The value if it can still be believed. */
  fresh(key: string): Value | undefined
  /** Whether the key was found before, however long ago. */
  isKnown(key: string): boolean
  /** Looks it up; callers who ask for the same key at the same time share one query. */
  load(key: string, find: () => Promise<Value | undefined>): Promise<Value | undefined>
  /** Values of this user are asked for again before they count. */
  forget(userId: number): void
}

export function createRecentLookups<Value extends { readonly user: { readonly id: number } }>(
  now: () => number,
): RecentLookups<Value> {
  // `max` would lay out the room for all of them now: milliseconds of each start.
  const entries = new LRUCache<string, Entry<Value>>({ maxSize: MEMORY, sizeCalculation: () => 1 })
  const underWay = new Map<string, Promise<Value | undefined>>()
  /** Counts calls of `forget`: what was read before one must not be stored after it. */
  let changes = 0

  async function find(key: string, search: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const before = changes
    const value = await search()
    if (value === undefined) entries.delete(key)
    else if (before === changes) entries.set(key, { value, until: now() + TRUSTED_FOR })
    return value
  }

  return {
    fresh(key) {
      const entry = entries.get(key)
      return entry !== undefined && entry.until > now() ? entry.value : undefined
    },
    isKnown: (key) => entries.has(key),
    load(key, search) {
      const shared = underWay.get(key)
      if (shared) return shared
      const own = find(key, search).finally(() => {
        if (underWay.get(key) === own) underWay.delete(key)
      })
      underWay.set(key, own)
      return own
    },
    forget(userId) {
      changes++
      underWay.clear()
      for (const entry of entries.values()) if (entry.value.user.id === userId) entry.until = 0
    },
  }
}
