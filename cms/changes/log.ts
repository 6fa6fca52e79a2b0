import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { fromGmt, toGmt } from '../../core/database/gmt.ts'
import type { Database } from '../../core/database/index.ts'
import type { Logger } from '../../core/log.ts'
import type { ChangeLogTable } from './tables.ts'
import type { Change, Changes, Purge, PurgeCause } from './types.ts'

const RETENTION = 30 * 24 * 60 * 60 * 1000
/** Poll interval for entries of other processes, in ms. */
const POLL = 2000
/** Delay before a failed write is retried, in ms. */
const RETRY_AFTER = 1000

export interface ChangeLog extends Omit<Changes, 'record'> {
  /** Records a purge after those before it. @returns the entry, once it is stored */
  record(purge: Purge, cause: PurgeCause): Promise<Change>
  /** The entry with that ID. */
  get(id: string): Promise<Change | undefined>
  /** Number of entries after the one with that ID; of all entries without an ID, or if there is no such entry (any more). */
  countAfter(after: string | undefined): Promise<number>
  /** Removes entries that are older than 30 days. */
  prune(): Promise<void>
  /** Resolves when everything is stored. Failing writes are no longer retried. */
  close(): Promise<void>
}

/**
 * The table `change_log`. Readers follow it without gaps: an entry never becomes visible after one with a higher number. SQLite has one
 * writer at a time; on PostgreSQL, numbers are assigned before transactions commit, so a lock on the table serializes these transactions,
 * which contain nothing else.
 *
 * @param parts.recorded is called with each entry that is stored
 * @param parts.now returns milliseconds since the epoch
 */
export function createChangeLog(
  { db, kind }: Database,
  parts: { log: Logger; recorded: (change: Change) => void; now: () => number },
): ChangeLog {
  const { log, recorded, now } = parts
  const closing = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  let added = Promise.withResolvers<void>()

  async function insert(change: Change): Promise<void> {
    const { id, type, scope, reason, cause } = change
    const row = {
      ...{ id, type, scope, reason, cause, time_gmt: toGmt(Date.parse(change.time)), soft: change.soft ? 1 : 0 },
      ...{ urls: JSON.stringify(change.urls), tags: JSON.stringify(change.tags) },
    }
    if (kind === 'sqlite') {
      await db.insertInto('change_log').values(row).execute()
      return
    }
    await db.transaction().execute(async (handle) => {
      await sql`lock table change_log in share row exclusive mode`.execute(handle)
      await handle.insertInto('change_log').values(row).execute()
    })
  }

  async function store(purge: Purge, cause: PurgeCause): Promise<Change> {
    const time = fromGmt(toGmt(now()))
    const change: Change = { ...purge, id: randomUUID(), time, type: 'purge', soft: false, cause }
    for (;;) {
      try {
        await insert(change)
        break
      } catch (error) {
        log.error({ err: error, reason: purge.reason }, 'could not record change')
        if (closing.signal.aborted) throw error
        await wait(RETRY_AFTER, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
    added.resolve()
    added = Promise.withResolvers()
    recorded(change)
    return change
  }

  const seqOf = (id: string) => db.selectFrom('change_log').select('seq').where('id', '=', id).executeTakeFirst()

  return {
    record(purge, cause) {
      const stored = last.then(() => store(purge, cause))
      last = stored.catch(() => {})
      return stored
    },
    async read(after, limit) {
      const position = after === undefined ? { seq: 0 } : await seqOf(after)
      if (!position) return undefined
      const rows = await db
        .selectFrom('change_log')
        .selectAll()
        .where('seq', '>', position.seq)
        .orderBy('seq')
        .limit(limit)
        .execute()
      return rows.map(toChange)
    },
    async get(id) {
      const row = await db.selectFrom('change_log').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toChange(row)
    },
    async countAfter(after) {
      const { count } = await db
        .selectFrom('change_log')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('seq', '>', after === undefined ? 0 : ((await seqOf(after))?.seq ?? 0))
        .executeTakeFirstOrThrow()
      return count
    },
    async newest() {
      const row = await db.selectFrom('change_log').select('id').orderBy('seq', 'desc').limit(1).executeTakeFirst()
      return row?.id
    },
    async next(signal) {
      const done = new AbortController()
      const poll = wait(POLL, undefined, { signal: AbortSignal.any([signal, closing.signal, done.signal]) })
      await Promise.race([added.promise, poll.catch(() => {})])
      done.abort()
    },
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
    },
    async close() {
      closing.abort()
      await last
    },
  }
}

const storedSchema = z.object({
  type: z.literal('purge'),
  scope: z.enum(['url', 'urls', 'pages', 'cache', 'everything']),
  cause: z.enum(['change', 'request']),
})
const listSchema = z.array(z.string())

function toChange(row: Selectable<ChangeLogTable>): Change {
  return {
    ...{ id: row.id, time: fromGmt(row.time_gmt), reason: row.reason, soft: row.soft === 1 },
    ...{ urls: listSchema.parse(JSON.parse(row.urls)), tags: listSchema.parse(JSON.parse(row.tags)) },
    ...storedSchema.parse(row),
  }
}
