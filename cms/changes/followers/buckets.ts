import type { CacheBudget } from '../types.ts'

/** Token buckets of caches, by ID of their position. They are in memory, so they are full after a restart. */
export interface Buckets {
  /** Takes tokens. @returns 0, or the milliseconds after which there are enough; then nothing is taken */
  take(id: string, limit: Pick<CacheBudget, 'burst' | 'perMinute'>, tokens: number): number
}

export function createBuckets(now: () => number): Buckets {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>()
  return {
    take(id, { burst, perMinute }, tokens) {
      const { tokens: left, at } = buckets.get(id) ?? { tokens: burst, at: now() }
      const available = Math.min(burst, left + (Math.max(0, now() - at) * perMinute) / 60_000)
      const missing = Math.min(tokens, burst) - available
      if (missing > 0) return Math.ceil((missing * 60_000) / perMinute)
      buckets.set(id, { tokens: -missing, at: now() })
      return 0
    },
  }
}
