import { outsideRequests } from '../../core/http/request-context.ts'
import type { JoiningHost } from '../../core/types.ts'
import type { ChangeLog } from './log.ts'
import type { Change, Changes, Purge } from './types.ts'

/** How long a request waits for the database, in ms. */
const LONGEST_LOOK = 2000
/** Entries that are read at once. */
const ENTRIES = 1000

const ALL: Purge = { scope: 'pages', urls: [], tags: [], reason: 'Changes by other processes are unknown.' }

/** How this process keeps up with the others of the site. */
export interface Nodes {
  /** For page caches, as in `ExtensionChanges`. */
  catchUp(): Promise<boolean>
  /**
   * Whether `catchUp` would change nothing, as far as that is known without a query: with several nodes it is not; on SQLite it is as long as no
   * other process has written to the database. A single node on PostgreSQL counts as current.
   */
  isCurrent(): boolean
  /** ID of the last entry that was applied here; `null` if the log was empty then, `undefined` if it was never read. */
  position(): string | null | undefined
}

/**
 * Applies the purges of other processes. On SQLite, and if the site has several nodes, this makes them behave as one: a write is acknowledged
 * once its purge is in the change log, and each process reads the log before it responds, so the answer of every process after the
 * acknowledgment reflects the write.
 */
export function joinNodes(
  { hooks, options, database, config, log }: Pick<JoiningHost, 'hooks' | 'options' | 'database' | 'config' | 'log'>,
  { changes }: { changes: Pick<ChangeLog, 'read' | 'newest' | 'isOwn'> },
): Nodes {
  const purge = ({ scope, urls, tags, reason, soft }: Purge) =>
    hooks.applyFilters('purge_urls', urls, { scope, urls, tags, reason, soft }, false, true)
  const { follow, position } = createFollower(changes, (change) => {
    if (change === 'unknown') purge(ALL)
    else if (!changes.isOwn(change.id)) purge(change)
  })

  let isFailing = false
  /** That of the database before the last look that succeeded. */
  let applied = Number.NaN
  async function look(): Promise<boolean> {
    try {
      // Before the changes are read, so that none is missed that is written meanwhile.
      const version = database.externalVersion()
      // First, so that no page is rendered with old options after the purge of their change.
      await options.catchUp()
      await follow()
      applied = version
      isFailing = false
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'could not read changes by other processes, no page is cached')
      isFailing = true
    }
    return !isFailing
  }

  return {
    catchUp: shareLooks(() => outsideRequests(look)),
    isCurrent: () => config.nodes === 'one' && database.externalVersion() === applied,
    position,
  }
}

/** Reads the change log in order. */
export interface Follower {
  /** Reads the entries that were added since the last call. */
  follow(): Promise<void>
  /** ID of the last entry that was applied; `null` if the log was empty then, `undefined` before the first call. */
  position(): string | null | undefined
}

/**
 * The first call only notes the newest entry: nothing is cached yet, and a page cache compares pages on disk with earlier entries itself.
 * @param apply receives each entry, in order, before it is the position; `unknown` if some may be missing
 */
export function createFollower(
  changes: Pick<Changes, 'read' | 'newest'>,
  apply: (change: Change | 'unknown') => void,
): Follower {
  let position: string | null | undefined

  return {
    position: () => position,
    async follow() {
      const newest = (await changes.newest()) ?? null
      if (position === undefined) position = newest
      while (position !== newest) {
        const entries = await changes.read(position ?? undefined, ENTRIES)
        if (!entries || entries.length === 0) {
          apply('unknown')
          position = newest
          return
        }
        for (const entry of entries) {
          apply(entry)
          position = entry.id
        }
        // Others may have been added since it was read.
        if (entries.some(({ id }) => id === newest)) return
      }
    },
  }
}

/**
 * Calls made during a look share the next one: that in progress may have read the log before they were made.
 * @param longest Milliseconds after which a call resolves to `false`.
 */
export function shareLooks(look: () => Promise<boolean>, longest = LONGEST_LOOK): () => Promise<boolean> {
  let current: Promise<unknown> = Promise.resolve()
  let next: Promise<boolean> | undefined

  function lookNext(): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const timer = setTimeout(resolve, longest, false).unref()
    const looked = current.then(() => {
      const begun = look()
      current = begun
      next = undefined
      return begun
    })
    // Otherwise, thousands of timers would wait during a flood of requests.
    looked.finally(() => clearTimeout(timer)).then(resolve, reject)
    return promise
  }

  return () => {
    next ??= lookNext()
    return next
  }
}
