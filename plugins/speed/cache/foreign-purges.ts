import type { PurgeRule } from './purge-log.ts'

/** Milliseconds for which this process may still render what it looked up before, and some more (cms/site/view/memory.ts). */
const REMEMBERED = 1100

/** What other processes purged and this one is to purge once more. */
export interface ForeignPurges {
  /** Takes each foreign purge. */
  note(rule: PurgeRule | 'all'): void
  /** Purges what has waited long enough; to be called again and again. */
  repeatDue(): void
}

interface Batch {
  readonly paths: Set<string>
  readonly tags: Set<string>
}

/**
 * Repeats what another process purged, once this one has forgotten what it had looked up before the change: a page
 * rendered in between may show the old content, and would be kept as long as any other. It sets no timers of its own,
 * since a purge may still be found while the extension unloads, when none can be set any more.
 *
 * @param purge takes everything that was purged meanwhile, as one
 */
export function createForeignPurges(purge: (rule: PurgeRule) => void): ForeignPurges {
  let waiting: (Batch & { readonly since: number }) | undefined
  /** What comes while others wait has to wait as long. */
  let next: Batch | undefined

  return {
    note(rule) {
      // Every page has that tag.
      const { paths = [], tags = [] } = rule === 'all' ? { tags: ['site'] } : rule
      const isFirst = waiting === undefined
      waiting ??= { paths: new Set(), tags: new Set(), since: performance.now() }
      if (!isFirst) next ??= { paths: new Set(), tags: new Set() }
      const batch = next ?? waiting
      for (const path of paths) batch.paths.add(path)
      for (const tag of tags) batch.tags.add(tag)
    },
    repeatDue() {
      if (waiting === undefined || performance.now() - waiting.since < REMEMBERED) return
      const { paths, tags } = waiting
      waiting = next && { ...next, since: performance.now() }
      next = undefined
      purge({ paths: [...paths], tags: [...tags], again: true })
    },
  }
}
