import type { Hooks } from '../../core/hooks/types.ts'
import { createBatch } from './batch.ts'
import type { ChangeLog } from './log.ts'
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

/** Purges pages. The page cache has purged them when `content` and `site` return; the log has them a few milliseconds later. */
export interface Purger {
  content(affected: Affected, reason: string): void
  /** Purges all pages. */
  site(reason: string): void
  /** Purges pages at the request of an administrator. Returns their URLs, once the purge is in the log. */
  now(purge: Purge): Promise<readonly string[]>
  /** Returns the URLs that `now` would. */
  preview(purge: Purge): readonly string[]
  /** Records all changes so far. */
  settle(): Promise<void>
}

export function createPurger(hooks: Hooks, log: Pick<ChangeLog, 'record'>): Purger {
  let recording: Promise<unknown> = Promise.resolve()
  const batch = createBatch((purge) => {
    // The log has reported errors.
    recording = log.record(purge, 'change').catch(() => {})
  })
  const outdated = (purge: Purge, isPreview = false) => hooks.applyFilters('purge_urls', purge.urls, purge, isPreview)
  return {
    content({ tags, urls, mayShow }, reason) {
      const purged = outdated({ scope: 'urls', urls, tags, reason })
      batch.add({ tags, urls: [...purged, ...mayShow], reason })
    },
    site(reason) {
      outdated({ scope: 'pages', urls: [], tags: [], reason })
      batch.addAll(reason)
    },
    async now(purge) {
      const urls = [...new Set(outdated(purge))]
      await log.record({ ...purge, urls: purge.scope === 'pages' ? [] : urls }, 'request')
      return urls
    },
    preview: (purge) => [...new Set(outdated(purge, true))],
    async settle() {
      batch.flush()
      await recording
    },
  }
}
