import type { PurgeRule } from './purge-log.ts'

/**
 * Milliseconds for which this process may still render from its page-data cache, plus a margin
 * (cms/site/view/memory.ts).
 */
const REMEMBERED = 1100

/** Purges of other processes that this process repeats. */
export interface RemotePurges {
  /** Records a purge of another process. */
  add(rule: PurgeRule | 'all'): void
  /** Repeats purges that are due. Called periodically. */
  repeatDue(): void
}

const LISTS = ['paths', 'tags', 'stale', 'staleTags'] as const
type Batch = Readonly<Record<(typeof LISTS)[number], Set<string>>>

const emptyBatch = (): Batch => ({ paths: new Set(), tags: new Set(), stale: new Set(), staleTags: new Set() })

/**
 * Repeats purges of other processes once this process's page-data cache has expired: a page rendered in between may
 * show old content and would stay cached. It sets no timers, since purges may still arrive while the extension unloads.
 *
 * @param purge receives all recorded purges, merged into one
 */
export function createRemotePurges(purge: (rule: PurgeRule) => void): RemotePurges {
  let waiting: (Batch & { readonly since: number }) | undefined
  /** Purges recorded while others wait; they wait for the full time as well. */
  let next: Batch | undefined

  return {
    add(rule) {
      // Every page has that tag.
      const lists: PurgeRule = rule === 'all' ? { tags: ['site'] } : rule
      const isFirst = waiting === undefined
      waiting ??= { ...emptyBatch(), since: performance.now() }
      if (!isFirst) next ??= emptyBatch()
      const batch = next ?? waiting
      for (const list of LISTS) for (const value of lists[list] ?? []) batch[list].add(value)
    },
    repeatDue() {
      if (waiting === undefined || performance.now() - waiting.since < REMEMBERED) return
      const { paths, tags, stale, staleTags } = waiting
      waiting = next && { ...next, since: performance.now() }
      next = undefined
      purge({ paths: [...paths], tags: [...tags], stale: [...stale], staleTags: [...staleTags], again: true })
    },
  }
}
