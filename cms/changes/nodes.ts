import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { JoiningHost } from '../../core/types.ts'
import type { Change, Changes, Purge } from './types.ts'

/** How long a request waits for the database, in ms. */
const LONGEST_LOOK = 2000
/** Entries that are read at once. */
const ENTRIES = 1000
/** Remembered entries of this process. */
const OWN = 1000

const ALL: Purge = { scope: 'pages', urls: [], tags: [], reason: 'Changes of other nodes are unknown.' }

/** How this node keeps up with the others. */
export interface Nodes {
  /** For page caches, as in `ExtensionChanges`. */
  catchUp(): Promise<boolean>
  /** ID of the last entry that was applied here; `null` if the log was empty then, `undefined` if it was never read. */
  position(): string | null | undefined
}

/**
 * Makes several nodes behave as one. A write is acknowledged once its purge is in the change log, and each node reads the log before it
 * responds: the answer of every node after the acknowledgment reflects the write.
 */
export function joinNodes(
  { hooks, options, log }: Pick<JoiningHost, 'hooks' | 'options' | 'log'>,
  { changes }: { changes: Pick<Changes, 'read' | 'newest'> },
): Nodes {
  const own = new LRUCache<string, true>({ max: OWN })
  hooks.addAction('pages_purged', ({ id }) => void own.set(id, true))

  const purge = ({ scope, urls, tags, reason, soft }: Purge) =>
    hooks.applyFilters('purge_urls', urls, { scope, urls, tags, reason, soft }, false)
  const follow = createFollower(changes, (change) => {
    if (change === 'unknown') purge(ALL)
    else if (!own.has(change.id)) purge(change)
  })

  let position: string | null | undefined
  let isFailing = false
  async function look(): Promise<boolean> {
    try {
      await options.catchUp()
      position = await follow()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'could not read changes of other nodes, cached pages are not served')
      isFailing = true
    }
    return !isFailing
  }

  return {
    catchUp: shareLooks(() => Promise.race([look(), wait(LONGEST_LOOK, false, { ref: false })])),
    position: () => position,
  }
}

/**
 * Reads the entries that were added since the last call.
 * @param apply receives each, in order; `unknown` if some may be missing, as at the start, when pages on disk may be outdated
 * @returns a function that resolves to the ID of the last entry; `null` if the log is empty
 */
export function createFollower(
  changes: Pick<Changes, 'read' | 'newest'>,
  apply: (change: Change | 'unknown') => void,
): () => Promise<string | null> {
  /** ID of the last entry that was applied; `null` if the log was empty then, `undefined` before the first call. */
  let position: string | null | undefined

  return async () => {
    const newest = (await changes.newest()) ?? null
    while (position !== newest) {
      const entries = position === undefined ? undefined : await changes.read(position ?? undefined, ENTRIES)
      const last = entries?.at(-1)
      if (!entries || !last) {
        apply('unknown')
        position = newest
        return position
      }
      for (const entry of entries) apply(entry)
      position = last.id
      // Others may have been added since it was read.
      if (entries.some(({ id }) => id === newest)) return position
    }
    return position
  }
}

/** Calls made during a look share the next one: that in progress may have read the log before they were made. */
export function shareLooks(look: () => Promise<boolean>): () => Promise<boolean> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<boolean> | undefined

  return () => {
    next ??= current.then(() => {
      const begun = look()
      current = begun
      next = undefined
      return begun
    })
    return next
  }
}
