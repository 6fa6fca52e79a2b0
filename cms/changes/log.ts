import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, type Selectable, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { fromGmt, toGmt } from '../../core/database/gmt.ts'
import type { Database, Schema } from '../../core/database/index.ts'
import { writeRepeatably } from '../../core/database/repeatable-writes.ts'
import { requestId } from '../../core/http/request-context.ts'
import type { Logger } from '../../core/log.ts'
import { isAboutValues } from '../database/value-errors.ts'
import { createArrivals } from './arrivals.ts'
import { purgeSchema, storedSchema } from './schema.ts'
import type { ChangeLogTable } from './tables.ts'
import type { Change, Changes, Purge, PurgeCause } from './types.ts'
import type { Unrecorded } from './unrecorded.ts'

const RETENTION = 30 * 24 * 60 * 60 * 1000
/** Maximum number of entries. */
const MOST_ENTRIES = 100_000
/** Maximum number of URLs, and of tags, in an entry; beyond it the entry covers all pages. */
const MOST_LISTED = 1000
/** Maximum characters of a reason. */
const LONGEST_REASON = 500
/** Maximum characters of URLs and tags that are read at once; one entry is always read. */
const LARGEST_READ = 1_000_000
/** Remembered entries of this process. */
const OWN = 1000
/** Delay before a failed write is retried, in ms. */
const RETRY_AFTER = 1000

/** IDs of rows of the type `content` that an entry replaces. */
interface Replaced {
  /** Of this process. */
  readonly own: readonly string[]
  /** Of others. */
  readonly abandoned: readonly string[]
}

export interface ChangeLog extends Omit<Changes, 'record'> {
  /**
   * Records a purge after those before it. A purge of more than 1,000 URLs or tags becomes one of all pages.
   * @returns the entry, once it is stored
   * @throws ZodError if it is not a purge; the database's error if it cannot be stored. Both are logged.
   */
  record(purge: Purge, cause: PurgeCause): Promise<Change>
  /**
   * Records a purge of all pages in place of rows of processes that were killed between a change of content and its entry.
   * @param ids - Of these rows.
   */
  replace(ids: readonly string[], reason: string): Promise<Change>
  /** IDs of rows of the type `content` that other processes have added. */
  unrecordedElsewhere(): Promise<string[]>
  /** Removes the rows of this process whose changes purged nothing. @param all - Includes those of changes in progress. */
  removeUnrecorded(all?: boolean): Promise<void>
  /**
   * Notes a change outside of a transaction, as transactions of content do; its purge must be the next one that is recorded. Resolves once it is
   * stored; errors are logged.
   * @param isNew - Stores a row even if an earlier change has one.
   */
  note(isNew?: boolean): Promise<unknown>
  /** Whether this process recorded the entry with that ID, which is one of its newest. */
  isOwn(id: string): boolean
  /** The entry with that ID. */
  get(id: string): Promise<Change | undefined>
  /** ID of the request that caused the entry with that ID, for the log of the site; readers do not receive it. */
  requestOf(id: string): Promise<string | undefined>
  /** Number of entries after the one with that ID; of all entries without an ID, or if there is no such entry (any more). */
  countAfter(after: string | undefined): Promise<number>
  /** Removes entries that are older than 30 days, and the oldest ones beyond 100,000. */
  prune(): Promise<void>
  /** Wakes the readers of this process. */
  wake(): void
  /** Resolves when everything is stored. Failing writes are no longer retried. */
  close(): Promise<void>
}

/**
 * The table `change_log`. Readers follow it without gaps: an entry never becomes visible after one with a higher number. SQLite has one
 * writer at a time; on PostgreSQL, numbers are assigned before transactions commit, so a lock on the table serializes these transactions,
 * which otherwise only remove rows of the type `content`. Transactions that add such rows do not wait for it.
 *
 * @param parts.recorded is called with each entry that is stored
 * @param parts.notifyOthers is called after an entry was stored, to wake readers in other processes before they poll
 * @param parts.now returns milliseconds since the epoch
 */
export function createChangeLog(
  { db, kind }: Database,
  parts: {
    log: Logger
    recorded: (change: Change) => void
    unrecorded: Unrecorded
    notifyOthers?: () => void
    now: () => number
  },
): ChangeLog {
  const { log, recorded, unrecorded, notifyOthers, now } = parts
  const written = new LRUCache<string, true>({ max: OWN })
  const closing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  const purges = () => db.selectFrom('change_log').where('type', '=', 'purge')
  /** Number of the newest entry, or of the one that is this many entries older. */
  const newestSeq = async (older = 0) =>
    (await purges().select('seq').orderBy('seq', 'desc').limit(1).offset(older).executeTakeFirst())?.seq ?? null
  const arrivals = createArrivals(() => newestSeq())

  const remove = (handle: Kysely<Schema>, ids: readonly string[]) =>
    handle.deleteFrom('change_log').where('type', '=', 'content').where('id', 'in', ids).execute()

  async function insert(change: Change, { own, abandoned }: Replaced): Promise<void> {
    const replaced = [...own, ...abandoned]
    const { id, type, scope, reason, cause } = change
    const row = {
      ...{ id, type, scope, reason, cause, time_gmt: toGmt(Date.parse(change.time)), soft: change.soft ? 1 : 0 },
      ...{ urls: JSON.stringify(change.urls), tags: JSON.stringify(change.tags), request_id: requestId() ?? null },
    }
    if (kind === 'sqlite' && replaced.length === 0) {
      await db.insertInto('change_log').values(row).execute()
      return
    }
    const replace = async (handle: Kysely<Schema>) => {
      // It conflicts with itself, but not with inserts.
      if (kind === 'postgres') await sql`lock table change_log in share update exclusive mode`.execute(handle)
      // Transactions that have found one of the rows hold this lock until they are committed.
      if (kind === 'postgres' && abandoned.length > 0)
        await sql`select kind from content_versions for update`.execute(handle)
      await handle.insertInto('change_log').values(row).execute()
      if (replaced.length > 0) await remove(handle, replaced)
    }
    const write = () => db.transaction().execute(replace)
    // Not flushed to disk: a power failure that loses the entry brings the removed rows back, for which all pages are purged.
    await (cause === 'change' && own.length > 0 ? writeRepeatably(write) : write())
  }

  async function store(purge: Purge, cause: PurgeCause, replaced: Replaced): Promise<Change> {
    const time = fromGmt(toGmt(now()))
    const change: Change = {
      ...withinLimits(purge),
      id: randomUUID(),
      time,
      type: 'purge',
      soft: purge.soft ?? false,
      cause,
    }
    // Before others can read it.
    written.set(change.id, true)
    for (;;) {
      try {
        await insert(change, replaced)
        break
      } catch (error) {
        log.error({ err: error, reason: purge.reason }, 'could not record change')
        if (closing.signal.aborted || isAboutValues(error)) throw error
        await wait(RETRY_AFTER, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
    arrivals.notify()
    notifyOthers?.()
    recorded(change)
    return change
  }

  /** Stores an entry after those before it. With it, the rows of changes are removed whose callbacks are over. */
  async function enqueue(purge: Purge, cause: PurgeCause, abandoned: readonly string[] = []): Promise<Change> {
    const own = unrecorded.take()
    const stored = last.then(() => store(purge, cause, { own, abandoned }))
    last = stored.then(() => unrecorded.end(own, true), unrecorded.abandon)
    return stored
  }

  /** `seq` of the last of at most `limit` entries after `seq` whose size is within the limit. */
  async function lastReadable(seq: number, limit: number): Promise<number> {
    const sizes = await purges().select(['seq', sizeOfRow]).where('seq', '>', seq).orderBy('seq').limit(limit).execute()
    return sizes[readableOf(sizes) - 1]?.seq ?? seq
  }

  /** An entry that this version cannot read, such as one of a later version, is returned as a purge of all pages: readers miss nothing. */
  function toChange(row: Selectable<ChangeLogTable>): Change {
    const { id, reason } = row
    const entry = { id, time: fromGmt(row.time_gmt), type: 'purge', soft: row.soft === 1 } as const
    try {
      const lists = { urls: JSON.parse(row.urls), tags: JSON.parse(row.tags) }
      return { ...entry, ...storedSchema.parse({ ...row, ...lists, soft: entry.soft }), soft: entry.soft }
    } catch (error) {
      log.error({ err: error, id }, 'unreadable change, all pages purged instead')
      return { ...entry, scope: 'pages', urls: [], tags: [], reason, soft: false, cause: 'change' }
    }
  }

  const seqOf = (id: string) => db.selectFrom('change_log').select('seq').where('id', '=', id).executeTakeFirst()

  return {
    async record(purge, cause) {
      const { success: isPurge, error } = purgeSchema.safeParse(purge)
      if (!isPurge) {
        log.error({ err: error }, 'invalid purge not recorded')
        throw error
      }
      return enqueue(purge, cause)
    },
    replace: (ids, reason) => enqueue({ scope: 'pages', urls: [], tags: [], reason }, 'change', ids),
    async unrecordedElsewhere() {
      // The index contains only these rows; with a parameter, it would not be used.
      const { rows } = await sql<{ id: string }>`select id from change_log where type = 'content'`.execute(db)
      return rows.flatMap(({ id }) => (unrecorded.has(id) ? [] : [id]))
    },
    async removeUnrecorded(all = false) {
      const ids = unrecorded.take(all)
      if (ids.length === 0) return
      const removed = last.then(() => remove(db, ids))
      last = removed.then(
        () => unrecorded.end(ids, true),
        () => unrecorded.end(ids, false),
      )
      await removed
    },
    async read(after, limit) {
      const position = after === undefined ? { seq: 0 } : await seqOf(after)
      if (!position) return undefined
      const rows = await purges()
        .selectAll()
        .where('seq', '>', position.seq)
        .where('seq', '<=', await lastReadable(position.seq, limit))
        .orderBy('seq')
        .execute()
      return rows.map(toChange)
    },
    isOwn: (id) => written.has(id),
    async get(id) {
      const row = await purges().selectAll().where('id', '=', id).executeTakeFirst()
      return row && toChange(row)
    },
    async requestOf(id) {
      const row = await purges().select('request_id').where('id', '=', id).executeTakeFirst()
      return row?.request_id ?? undefined
    },
    async countAfter(after) {
      const { count } = await purges()
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('seq', '>', after === undefined ? 0 : ((await seqOf(after))?.seq ?? 0))
        .executeTakeFirstOrThrow()
      return count
    },
    async newest() {
      // Written out: a page cache asks for each page that it stores.
      const { rows } = await sql<{ id: string }>`
        select id from change_log where type = 'purge' order by seq desc limit 1`.execute(db)
      return rows[0]?.id
    },
    async latest(limit) {
      const sizes = await purges().select(sizeOfRow).orderBy('seq', 'desc').limit(limit).execute()
      const rows = await purges().selectAll().orderBy('seq', 'desc').limit(readableOf(sizes)).execute()
      return rows.reverse().map(toChange)
    },
    note(isNew) {
      // Before the purges that are recorded from now on, which remove the row.
      const insert = unrecorded.collected(isNew)
      if (insert)
        last = last
          .then(() => insert(db))
          .catch((error: unknown) => log.error({ err: error }, 'could not add the row of a change'))
      return last
    },
    next: arrivals.next,
    wake: arrivals.notify,
    async prune() {
      const old = toGmt(now() - RETENTION)
      // The newest of them stays: a reader at this position has not missed anything.
      await db
        .deleteFrom('change_log')
        .where('time_gmt', '<', old)
        .where('seq', '<', (builder) =>
          builder
            .selectFrom('change_log as newer')
            .select(({ fn }) => fn.max('newer.seq').as('newest'))
            .where('newer.time_gmt', '<', old),
        )
        .execute()
      await db
        .deleteFrom('change_log')
        .where('type', '=', 'purge')
        .where('seq', '<=', (await newestSeq(MOST_ENTRIES)) ?? 0)
        .execute()
    },
    async close() {
      closing.abort()
      arrivals.close()
      await last
    },
  }
}

const sizeOfRow = sql<number>`length(urls) + length(tags)`.as('size')

/** How many of these rows are read at once. */
function readableOf(sizes: readonly { readonly size: number }[]): number {
  let total = 0
  const beyond = sizes.findIndex(({ size }, at) => {
    total += size
    return at > 0 && total > LARGEST_READ
  })
  return beyond === -1 ? sizes.length : beyond
}

/** PostgreSQL stores no NUL in texts; in lists, JSON escapes it. Lists remain the same objects. */
function withinLimits({ scope, urls, tags, reason: given }: Purge): Purge {
  const reason = given.replaceAll('\0', '').slice(0, LONGEST_REASON)
  const isLong = urls.length > MOST_LISTED || tags.length > MOST_LISTED
  return isLong ? { scope: 'pages', urls: [], tags: [], reason } : { scope, urls, tags, reason }
}
