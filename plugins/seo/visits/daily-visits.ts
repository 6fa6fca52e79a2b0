import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import { dayOf, lastDays, toGmt } from 'pentad'
import { RETENTION_DAYS } from './days.ts'
import type { DailyVisitTable, VisitDatabase } from './tables.ts'

type Kind = DailyVisitTable['kind']

/** Maximum number of pages per crawler or assistant and day; further visits are counted without their page. */
const MOST_PAGES = 500
/** Maximum number of pages listed per crawler or assistant. */
const LISTED_PAGES = 10
/** Number of rows in one statement. */
const ROWS = 100

/** Visits of one day by one crawler, or from one assistant, to one page. */
export interface Visits extends Pick<DailyVisitTable, 'name' | 'identity' | 'path' | 'hits'> {
  /** Time of the last visit, Unix time in ms. */
  readonly at: number
}

export interface VisitSum extends Pick<DailyVisitTable, 'name' | 'identity' | 'hits'> {
  readonly lastGmt: string
}

export interface PageSum extends Pick<DailyVisitTable, 'name' | 'identity' | 'path' | 'hits'> {}

/** Visits by day, of one kind: crawls or referrals. */
export interface DailyVisits {
  add(visits: readonly Visits[]): Promise<void>
  /** Totals by name and identity, most visits first. */
  sums(days: number): Promise<VisitSum[]>
  /** The most visited pages of each name and identity. */
  topPages(days: number): Promise<PageSum[]>
  /** The most visited pages in total: one row for each page and name. */
  mostVisited(days: number, most: number): Promise<Omit<PageSum, 'identity'>[]>
  /** Totals of each day, oldest first. */
  daily(days: number): Promise<{ date: string; hits: number }[]>
  /** Deletes all; resolves with the number of visits. */
  clear(): Promise<number>
  /** Deletes days that can no longer be queried. */
  prune(): Promise<void>
}

export function createDailyVisits(db: VisitDatabase, kind: Kind): DailyVisits {
  const since = (days: number) => lastDays(days)[0] ?? ''
  let today = ''
  /** Pages of today by name, loaded on demand. */
  let pages = new Map<string, Set<string>>()

  /** The page of a visit as stored: separate while the day has room. */
  async function placeOf(day: string, { name, path }: Visits): Promise<string> {
    if (day !== today) {
      today = day
      pages = new Map()
    }
    let known = pages.get(name)
    if (!known) {
      known = new Set(await storedPages(day, name))
      pages.set(name, known)
    }
    if (known.has(path)) return path
    if (known.size >= MOST_PAGES) return ''
    known.add(path)
    return path
  }

  async function storedPages(day: string, name: string): Promise<string[]> {
    const rows = await db
      .selectFrom('seo_daily_visits')
      .select('path')
      .distinct()
      .where('day', '=', day)
      .where('kind', '=', kind)
      .where('name', '=', name)
      .execute()
    return rows.map(({ path }) => path)
  }

  /** One row per key: a statement must not contain a key twice. */
  async function toRows(visits: readonly Visits[]): Promise<DailyVisitTable[]> {
    const rows = new Map<string, DailyVisitTable>()
    for (const visit of visits) {
      const { name, identity, hits, at } = visit
      const day = dayOf(at)
      const path = await placeOf(day, visit)
      const key = [day, name, identity, path].join('\n')
      const known = rows.get(key)
      const last_gmt = toGmt(at)
      if (!known) rows.set(key, { day, kind, name, identity, path, hits, last_gmt })
      else {
        known.hits += hits
        if (last_gmt > known.last_gmt) known.last_gmt = last_gmt
      }
    }
    return [...rows.values()]
  }

  return {
    async add(visits) {
      const rows = await toRows(visits)
      if (rows.length === 0) return
      // One transaction: each commit waits for the disk, and so would visitors.
      await db.transaction().execute(async (transaction) => {
        for (let at = 0; at < rows.length; at += ROWS) {
          await transaction
            .insertInto('seo_daily_visits')
            .values(rows.slice(at, at + ROWS))
            .onConflict((conflict) =>
              conflict.columns(['day', 'kind', 'name', 'identity', 'path']).doUpdateSet({
                hits: sql`seo_daily_visits.hits + excluded.hits`,
                last_gmt: (row) => row.ref('excluded.last_gmt'),
              }),
            )
            .execute()
          // Yields: SQLite runs on this thread.
          await yieldToEventLoop()
        }
      })
    },

    async sums(days) {
      return db
        .selectFrom('seo_daily_visits')
        .select(['name', 'identity', (row) => row.fn.sum<number>('hits').as('hits')])
        .select((row) => row.fn.max('last_gmt').as('lastGmt'))
        .where('kind', '=', kind)
        .where('day', '>=', since(days))
        .groupBy(['name', 'identity'])
        .orderBy('hits', 'desc')
        .orderBy('name')
        .execute()
    },

    async topPages(days) {
      const ranked = db
        .selectFrom('seo_daily_visits')
        .select(['name', 'identity', 'path', (row) => row.fn.sum<number>('hits').as('hits')])
        .select(
          sql<number>`row_number() over (partition by name, identity order by sum(hits) desc, path)`.as('position'),
        )
        .where('kind', '=', kind)
        .where('day', '>=', since(days))
        .where('path', '<>', '')
        .groupBy(['name', 'identity', 'path'])
      return db
        .selectFrom(ranked.as('ranked'))
        .select(['name', 'identity', 'path', 'hits'])
        .where('position', '<=', LISTED_PAGES)
        .orderBy('hits', 'desc')
        .orderBy('path')
        .execute()
    },

    async mostVisited(days, most) {
      const inTime = db
        .selectFrom('seo_daily_visits')
        .where('kind', '=', kind)
        .where('day', '>=', since(days))
        .where('path', '<>', '')
      const paths = inTime
        .select('path')
        .groupBy('path')
        .orderBy((row) => row.fn.sum('hits'), 'desc')
        .orderBy('path')
        .limit(most)
      return inTime
        .select(['name', 'path', (row) => row.fn.sum<number>('hits').as('hits')])
        .where('path', 'in', paths)
        .groupBy(['name', 'path'])
        .orderBy('hits', 'desc')
        .orderBy('name')
        .execute()
    },

    async daily(days) {
      const rows = await db
        .selectFrom('seo_daily_visits')
        .select(['day', (row) => row.fn.sum<number>('hits').as('hits')])
        .where('kind', '=', kind)
        .where('day', '>=', since(days))
        .groupBy('day')
        .execute()
      const hits = new Map(rows.map((row) => [row.day, row.hits]))
      return lastDays(days).map((date) => ({ date, hits: hits.get(date) ?? 0 }))
    },

    async clear() {
      const { hits } = await db
        .selectFrom('seo_daily_visits')
        .select((row) => row.fn.sum<number | null>('hits').as('hits'))
        .where('kind', '=', kind)
        .executeTakeFirstOrThrow()
      await db.deleteFrom('seo_daily_visits').where('kind', '=', kind).execute()
      pages = new Map()
      return hits ?? 0
    },

    async prune() {
      await db
        .deleteFrom('seo_daily_visits')
        .where('kind', '=', kind)
        .where('day', '<', since(RETENTION_DAYS))
        .execute()
    },
  }
}
