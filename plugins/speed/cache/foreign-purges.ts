import type { ExtensionHost } from 'pentad'
import type { PurgeRule } from './purge-log.ts'

/** Milliseconds for which this process may still render what it looked up before, and some more (core/site/view/memory.ts). */
const REMEMBERED = 1100

/**
 * Repeats what another process purged, once this one has forgotten what it had looked up before the change: a page
 * rendered in between may show the old content, and would be kept as long as any other.
 *
 * @param purge takes everything that was purged meanwhile, as one
 * @returns takes each foreign purge
 */
export function repeatForeignPurges(
  { setTimeout }: Pick<ExtensionHost, 'setTimeout'>,
  purge: (rule: PurgeRule) => void,
): (rule: PurgeRule | 'all') => void {
  let waiting: { paths: Set<string>; tags: Set<string> } | undefined
  /** What comes while others wait has to wait as long. */
  let next: typeof waiting

  function wait(): void {
    setTimeout(() => {
      const due = waiting
      waiting = next
      next = undefined
      if (waiting) wait()
      if (due) purge({ paths: [...due.paths], tags: [...due.tags], again: true })
    }, REMEMBERED)
  }

  return (rule) => {
    // Every page has that tag.
    const { paths = [], tags = [] } = rule === 'all' ? { tags: ['site'] } : rule
    const isFirst = waiting === undefined
    waiting ??= { paths: new Set(), tags: new Set() }
    if (!isFirst) next ??= { paths: new Set(), tags: new Set() }
    const batch = next ?? waiting
    for (const path of paths) batch.paths.add(path)
    for (const tag of tags) batch.tags.add(tag)
    if (isFirst) wait()
  }
}
