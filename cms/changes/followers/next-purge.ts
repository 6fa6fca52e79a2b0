import { randomUUID } from 'node:crypto'
import { mergeAll } from '../merge.ts'
import type { Changes, Purge } from '../types.ts'

/** Maximum number of entries that are merged into one purge. */
const MOST_ENTRIES = 1000
/** Maximum URLs and tags of a purge; beyond it, it is one of all pages. */
const MOST_TARGETS = 2000

export interface NextPurge {
  /** The same for the same entries. */
  readonly id: string
  readonly purge: Purge
  /** Position of a reader that has processed it. */
  readonly position: string | null
}

/**
 * All that a reader has missed, as one purge; `undefined` if it is up to date.
 * @param position ID of the last processed entry; `null` if the log was empty then
 */
export async function nextPurge(
  changes: Pick<Changes, 'read' | 'newest'>,
  position: string | null,
): Promise<NextPurge | undefined> {
  // First, so that entries added meanwhile are not skipped.
  const newest = (await changes.newest()) ?? null
  const found = await changes.read(position ?? undefined, MOST_ENTRIES)
  if (!found) {
    const reason = 'It is not known which changes this cache has received.'
    const purge: Purge = { scope: 'pages', urls: [], tags: [], reason }
    return { id: `reset-${newest ?? randomUUID()}`, purge, position: newest }
  }
  const last = found.at(-1)
  return last && { id: last.id, purge: mergeWithinLimit(found), position: last.id }
}

/** Merges purges into one, with at most 2,000 URLs and tags. */
export function mergeWithinLimit(purges: readonly Purge[]): Purge {
  const merged = mergeAll(purges)
  const isLong = merged.urls.length + merged.tags.length > MOST_TARGETS
  return isLong ? { ...merged, scope: 'pages', urls: [], tags: [] } : merged
}
