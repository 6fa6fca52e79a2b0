import { LRUCache } from 'lru-cache'

/** Milliseconds after which a change made by another process is seen. */
const MAX_AGE = 2000
const MAX_ENTRIES = 10_000

interface Entry<Value> {
  readonly value: Value
  /** Until when the value is believed without asking again. */
  validUntil: number
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
  invalidate(userId: number): void
}

export function createRecentLookups<Value extends { readonly user: { readonly id: number } }>(
  now: () => number,
): RecentLookups<Value> {
  // `max` would lay out the room for all of them now: milliseconds of each start.
  const entries = new LRUCache<string, Entry<Value>>({ maxSize: MAX_ENTRIES, sizeCalculation: () => 1 })
  const pending = new Map<string, Promise<Value | undefined>>()
  /** Counts calls of `forget`: what was read before one must not be stored after it. */
  let changes = 0

  async function find(key: string, search: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const before = changes
    const value = await search()
    if (value === undefined) entries.delete(key)
    else if (before === changes) entries.set(key, { value, validUntil: now() + MAX_AGE })
    return value
  }

  return {
    fresh(key) {
      const entry = entries.get(key)
      return entry !== undefined && entry.validUntil > now() ? entry.value : undefined
    },
    isKnown: (key) => entries.has(key),
    load(key, search) {
      const shared = pending.get(key)
      if (shared) return shared
      const own = find(key, search).finally(() => {
        if (pending.get(key) === own) pending.delete(key)
      })
      pending.set(key, own)
      return own
    },
    invalidate(userId) {
      changes++
      pending.clear()
      for (const entry of entries.values()) if (entry.value.user.id === userId) entry.validUntil = 0
    },
  }
}
