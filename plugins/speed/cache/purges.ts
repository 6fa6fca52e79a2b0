import { randomUUID } from 'node:crypto'
import type { Change, Purge } from 'pentad'

/** Pages to purge, or to mark as stale. */
export interface PurgeRule {
  readonly paths?: readonly string[]
  readonly tags?: readonly string[]
  /** Paths to mark as stale. */
  readonly stale?: readonly string[]
  /** Tags of pages to mark as stale; set if their content changed. */
  readonly staleTags?: readonly string[]
}

/** The fields of a page that purges match. */
export interface Purgeable {
  readonly path: string
  readonly tags: readonly string[]
  /** Number of purges when its rendering started, as `Purges.now` returns it. */
  readonly moment: number
}

/** Where a page on disk belongs in the order of purges. */
export interface Origin {
  readonly moment: number
  /** The process that wrote it. */
  readonly writer: string
  /** ID of the newest entry of the change log that the process had applied when it wrote the page. */
  readonly position: string
}

/**
 * The purges that this process knows: those that it has applied, and the newest ones of the change log when it started. A page rendered before a
 * matching purge is invalid, in memory and on disk. Pages of other processes are compared by the order of the log.
 */
export interface Purges {
  /** Identifies this process in pages on disk. */
  readonly writer: string
  /** Increases whenever pages may have become invalid. */
  readonly version: number
  /** Time of the last purge or stale mark, in ms since 1970. */
  readonly changedAt: number
  now(): number
  /** @param isExternal Whether it is an entry of the change log that another process has added: the one after the current position. */
  add(rule: PurgeRule | 'all', isExternal?: boolean): void
  /**
   * Adds the newest entries of the change log, oldest first, as purges before all others.
   * @param toRule returns what an entry purges
   */
  addEarlier(changes: readonly Change[], toRule: (purge: Purge) => PurgeRule | 'all'): void
  /** All purges of this process until that moment are entries of the change log up to the current position. */
  confirm(moment: number): void
  /** The moment of a page on disk; `undefined` if there may have been purges since then that this process does not know. */
  momentOf(origin: Origin): number | undefined
  isPurged(page: Purgeable): boolean
  /** Whether it was marked as stale: it may be served once more while it is re-rendered. */
  isStale(page: Purgeable): boolean
}

/** Every page has this tag. */
const EVERYTHING: PurgeRule = { tags: ['site'] }
/** Maximum number of remembered paths and tags; beyond it, all pages are purged. */
const MOST_RULES = 100_000
/** Maximum number of remembered positions; pages with older ones are invalid. */
const MOST_POSITIONS = 5000

/** @param position returns the ID of the last entry of the change log that was applied */
export function createPurges(position: () => string | null | undefined): Purges {
  const writer = randomUUID()
  const purgedPaths = new Map<string, number>()
  const purgedTags = new Map<string, number>()
  const stalePaths = new Map<string, number>()
  const staleTags = new Map<string, number>()
  const all = [purgedPaths, purgedTags, stalePaths, staleTags]
  /** Moments by position: pages with that position reflect all purges until then. */
  const positions = new Map<string, number>()
  /** Moment of the last purge of all pages. */
  let purgedAll = Number.NEGATIVE_INFINITY
  let at = 0
  /** Moment of the last purge that is not an entry of another process. */
  let lastOwn = 0
  let confirmed = 0
  let version = 0
  let changedAt = Date.now()

  function enter(rule: PurgeRule, moment: number): void {
    const set = (known: Map<string, number>, keys: readonly string[] = []) => {
      for (const key of keys) known.set(key, Math.max(moment, known.get(key) ?? moment))
    }
    set(purgedPaths, rule.paths)
    set(purgedTags, rule.tags)
    set(stalePaths, rule.stale)
    set(staleTags, rule.staleTags)
  }

  function addAll(): void {
    purgedAll = at
    for (const rules of all) rules.clear()
  }

  /** Notes the moment of the current position. A purge of this process that is not confirmed may come after it in the log. */
  function notePosition(): void {
    const id = position()
    if (typeof id !== 'string') return
    const moment = lastOwn <= confirmed ? at : confirmed
    positions.set(id, Math.max(moment, positions.get(id) ?? moment))
    for (const oldest of positions.keys()) {
      if (positions.size <= MOST_POSITIONS) break
      positions.delete(oldest)
    }
  }

  const isAfter = (when: number | undefined, moment: number) => when !== undefined && when > moment
  return {
    writer,
    get version() {
      return version
    },
    get changedAt() {
      return changedAt
    },
    now: () => at,
    add(rule, isExternal = false) {
      if (isExternal) notePosition()
      at++
      if (!isExternal) lastOwn = at
      changedAt = Date.now()
      if (rule === 'all') addAll()
      else enter(rule, at)
      if (all.reduce((sum, { size }) => sum + size, 0) > MOST_RULES) addAll()
      // Stale pages stay valid, and so do renderings in flight.
      if (rule === 'all' || rule.paths?.length || rule.tags?.length || purgedAll === at) version++
    },
    addEarlier(changes, toRule) {
      for (const [index, change] of changes.entries()) {
        const moment = index + 1 - changes.length
        if (!positions.has(change.id)) positions.set(change.id, moment)
        const rule = toRule(change)
        enter(rule === 'all' ? EVERYTHING : rule, moment)
      }
      version++
    },
    confirm(moment) {
      confirmed = Math.max(confirmed, moment)
      notePosition()
    },
    momentOf: (origin) => (origin.writer === writer ? origin.moment : positions.get(origin.position)),
    isPurged: ({ path, tags, moment }) =>
      purgedAll > moment ||
      isAfter(purgedPaths.get(path), moment) ||
      tags.some((tag) => isAfter(purgedTags.get(tag), moment)),
    isStale: ({ path, tags, moment }) =>
      isAfter(stalePaths.get(path), moment) || tags.some((tag) => isAfter(staleTags.get(tag), moment)),
  }
}
