import { setTimeout as wait } from 'node:timers/promises'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Logger } from '../../core/log.ts'
import { createBatch } from './batch.ts'
import type { ChangeLog } from './log.ts'
import { purgeSchema } from './schema.ts'
import type { Purge, PurgeCause } from './types.ts'

/** How long an administrator, or the end of the site, waits for the log, in ms. */
const LONGEST_WAIT = 1000

/** The pages affected by a change of content. */
export interface Affected {
  /** Tags of outdated pages. */
  readonly tags: readonly string[]
  /** Absolute URLs of outdated pages. */
  readonly urls: readonly string[]
  /**
   * Absolute URLs that may show it, for CDNs without tag support. The page cache of this process purges them only by tag, so that pages remain
   * that do not show it; those of other processes, and of later ones, purge all URLs of an entry in the change log.
   */
  readonly mayShow: readonly string[]
  /** Whether visitors may get the outdated pages once more while new ones are rendered. */
  readonly soft: boolean
}

/** Purges pages. The page cache has purged them when `content` and `site` return; the log has them a few milliseconds later. */
export interface Purger {
  content(affected: Affected, reason: string): void
  /**
   * Notes a change outside of a transaction whose purge follows: if the process is killed before it is recorded, all pages are purged.
   * @param isNew Whether other processes must notice it although no purge may follow.
   */
  note(isNew?: boolean): void
  /**
   * Purges all pages.
   * @param isExternal whether another process made the change, which it records
   */
  site(reason: string, isExternal?: boolean): void
  /**
   * Purges pages at the request of an administrator. Returns their URLs, once the purge is in the log, or after a second; then it is
   * recorded later.
   */
  now(purge: Purge): Promise<readonly string[]>
  /** Like `now`, but records exactly this purge, without the URLs that page caches add. */
  record(purge: Purge): Promise<void>
  /** Returns the URLs that `now` would. */
  preview(purge: Purge): readonly string[]
  /** Records all changes so far; resolves once they are in the log, or after a second. */
  settle(): Promise<void>
  /** Like `settle`, but does not record changes earlier than otherwise. */
  settled(): Promise<void>
  /** Whether there are purges that the log does not have yet. */
  readonly hasUnrecorded: boolean
  /** Like `settle`, but waits until they are in the log. */
  recorded(): Promise<void>
}

export function createPurger({
  hooks,
  changeLog,
  log,
}: {
  hooks: Hooks
  changeLog: Pick<ChangeLog, 'record' | 'note'>
  log: Logger
}): Purger {
  let recording: Promise<unknown> = Promise.resolve()
  /** Number of purges that are not in the log yet, or could not be recorded. */
  let unrecorded = 0
  const batch = createBatch((purge) => void record(purge, 'change'))
  const outdated = (purge: Purge, isPreview = false) =>
    hooks.applyFilters('purge_urls', purge.urls, purge, isPreview, false)

  function note(isNew?: boolean): void {
    const noted = changeLog.note(isNew)
    const before = recording
    recording = Promise.all([before, noted])
  }

  function record(purge: Purge, cause: PurgeCause): Promise<unknown> {
    unrecorded++
    const stored = changeLog.record(purge, cause).then(() => unrecorded--)
    // The log has reported errors.
    recording = stored.catch(() => {})
    return stored
  }

  async function recordRequest(purge: Purge): Promise<void> {
    batch.flush()
    const stored = record(purge, 'request')
    if (await isInTime(stored)) return
    log.warn({ reason: purge.reason }, 'purge not yet recorded, caches in front of the site may be outdated')
  }

  return {
    content({ tags, urls, mayShow, soft }, reason) {
      const purged = outdated({ scope: 'urls', urls, tags, reason, soft })
      batch.add({ tags, urls: [...purged, ...mayShow], reason, soft })
    },
    site(reason, isExternal = false) {
      outdated({ scope: 'pages', urls: [], tags: [], reason })
      if (isExternal) return
      note()
      batch.addAll(reason)
    },
    note,
    async now(purge) {
      const urls = [...new Set(outdated(purge))]
      await recordRequest({ ...purge, urls: purge.scope === 'pages' ? [] : urls })
      return urls
    },
    async record(purge) {
      purgeSchema.parse(purge)
      // The same object: callbacks recognize purges that they have requested themselves.
      outdated(purge)
      await recordRequest(purge)
    },
    preview: (purge) => [...new Set(outdated(purge, true))],
    async settle() {
      batch.flush()
      await isInTime(recording)
    },
    async settled() {
      await batch.emitted()
      await isInTime(recording)
    },
    get hasUnrecorded() {
      return unrecorded > 0 || batch.isPending
    },
    async recorded() {
      batch.flush()
      await recording
    },
  }
}

function isInTime(recording: Promise<unknown>): Promise<boolean> {
  return Promise.race([recording.then(() => true), wait(LONGEST_WAIT, false, { ref: false })])
}
