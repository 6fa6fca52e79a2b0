import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import { toGmt } from 'pentad'
import type { MissingPage, VisitDatabase } from '../visits/tables.ts'
import { createPendingHits, type MissingHit } from './pending-hits.ts'

/** Maximum number of URLs pending for one write. */
const MOST_WAITING = 1000
/** Number of rows in one statement. */
const ROWS = 50

/** The 404 log. */
export interface MissingPages {
  /** Records a hit; it is written with the next `write`. */
  add(hit: Pick<MissingHit, 'url' | 'referrer' | 'userAgent'>): void
  /** Writes recorded hits and deletes excess entries. */
  write(): Promise<void>
  /** One page of the log, most hits first, then the most recent; `search` is a part of the URL. */
  list(page: { search: string; offset: number; limit: number }): Promise<{ entries: MissingPage[]; total: number }>
  get(id: number): Promise<MissingPage | undefined>
  remove(url: string): Promise<void>
  /** Clears the log; resolves with the number of deleted entries. */
  clear(): Promise<number>
}

/** @param most maximum number of entries */
export function createMissingPages(db: VisitDatabase, most: () => number): MissingPages {
  const waiting = createPendingHits(MOST_WAITING)

  async function insert(transaction: Pick<VisitDatabase, 'insertInto'>, hits: readonly MissingHit[]): Promise<void> {
    await transaction
      .insertInto('seo_404s')
      .values(
        hits.map(({ url, hits, first, last, referrer, userAgent }) => ({
          ...{ url, hits, referrer },
          first_gmt: toGmt(first),
          last_gmt: toGmt(last),
          user_agent: userAgent,
        })),
      )
      .onConflict((conflict) =>
        conflict.column('url').doUpdateSet({
          hits: sql`seo_404s.hits + excluded.hits`,
          last_gmt: (row) => row.ref('excluded.last_gmt'),
          referrer: (row) => row.ref('excluded.referrer'),
          user_agent: (row) => row.ref('excluded.user_agent'),
        }),
      )
      .execute()
  }

  /** Deletes the entries with the fewest hits, the oldest of these first. */
  async function trim(transaction: Pick<VisitDatabase, 'selectFrom' | 'deleteFrom'>): Promise<void> {
    const { entries } = await transaction
      .selectFrom('seo_404s')
      .select((row) => row.fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow()
    const excess = entries - most()
    if (excess <= 0) return
    const last = transaction
      .selectFrom('seo_404s')
      .select('id')
      .orderBy('hits')
      .orderBy('last_gmt')
      .orderBy('id')
      .limit(excess)
    await transaction.deleteFrom('seo_404s').where('id', 'in', last).execute()
  }

  return {
    add: waiting.add,

    async write() {
      const hits = waiting.take()
      // One transaction: each commit waits for the disk, and so would visitors.
      await db.transaction().execute(async (transaction) => {
        for (let at = 0; at < hits.length; at += ROWS) {
          await insert(transaction, hits.slice(at, at + ROWS))
          // Yields: SQLite runs on this thread.
          await yieldToEventLoop()
        }
        await trim(transaction)
      })
    },

    async list({ search, offset, limit }) {
      const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
      const found = db
        .selectFrom('seo_404s')
        .$if(search !== '', (query) => query.where(sql<boolean>`url like ${pattern} escape '\\'`))
      const { total } = await found.select((row) => row.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const entries = await found
        .selectAll()
        .orderBy('hits', 'desc')
        .orderBy('last_gmt', 'desc')
        .orderBy('id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute()
      return { entries, total }
    },

    get: (id) => db.selectFrom('seo_404s').selectAll().where('id', '=', id).executeTakeFirst(),

    async remove(url) {
      await db.deleteFrom('seo_404s').where('url', '=', url).execute()
    },

    async clear() {
      waiting.clear()
      const { numDeletedRows } = await db.deleteFrom('seo_404s').executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
