import type { Hooks } from '../../core/hooks/types.ts'
import { createBatch } from './batch.ts'
import type { Purge } from './types.ts'

/** The pages affected by a change of content. */
export interface Affected {
  /** Tags of outdated pages. */
  readonly tags: readonly string[]
  /** Absolute URLs of outdated pages. */
  readonly urls: readonly string[]
  /** Absolute URLs that may show it, for CDNs without tag support. In the page cache they are only purged by tag. */
  readonly mayShow: readonly string[]
}

/** Purges pages after changes. The page cache has purged them when these functions return; the log has them a few milliseconds later. */
export interface Purger {
  content(affected: Affected, reason: string): void
  /** Purges all pages. */
  site(reason: string): void
  /** Records the changes that are batched so far. */
  flush(): void
}

/** @param record receives one purge for all changes within a few milliseconds */
export function createPurger(hooks: Hooks, record: (purge: Purge) => void): Purger {
  const batch = createBatch(record)
  return {
    content({ tags, urls, mayShow }, reason) {
      const purged = hooks.applyFilters('purge_urls', urls, { scope: 'urls', urls, tags, reason })
      batch.add({ tags, urls: [...purged, ...mayShow], reason })
    },
    site(reason) {
      hooks.applyFilters('purge_urls', [], { scope: 'pages', urls: [], tags: [], reason })
      batch.addAll(reason)
    },
    flush: batch.flush,
  }
}
