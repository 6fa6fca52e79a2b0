import { type AnswerOf, type ExtensionHost, success, successAnswer } from 'pentad'
import { z } from 'zod'
import type { PageCache } from '../types.ts'
import type { Collection } from '../vitals/collection.ts'
import type { MetricId } from '../vitals/metrics.ts'
import { performanceScore } from '../vitals/performance-score.ts'
import { createDays } from './days.ts'
import { openHistoryTables } from './tables.ts'

/** Milliseconds between writes of what was counted; a process that is killed loses no more than these. */
const WRITE_EVERY = 30_000

/** How the site did on each day. */
export interface History {
  /** Visits of the last days that the page cache could answer, and those that had to wait for a rendering. */
  visits(days: number): Promise<{ hits: number; misses: number }>
}

const p75 = z.number().nullable()
const dayShape = z.object({
  date: z.string().describe('UTC: `2026-11-22`.'),
  ...{ hits: z.int(), misses: z.int() },
  score: z.int().nullable().describe('As it stood at the end of the day; `null` without enough samples.'),
  metrics: z
    .object({ LCP: p75, INP: p75, CLS: p75, FCP: p75, TTFB: p75 })
    .describe('What three of four visitors did not exceed, at the end of the day.'),
})

/** One day of `GET /history/fetch`. */
export type HistoryDay = AnswerOf<typeof dayShape>

/** Keeps for each day what the page cache did and how fast pages were, and answers it. */
export async function registerHistory(
  host: ExtensionHost,
  { cache, vitals }: { cache: Pick<PageCache, 'counts'>; vitals: Collection },
): Promise<History> {
  const days = createDays(await openHistoryTables(host.database))
  let written = { hits: 0, misses: 0 }
  let last = Promise.resolve()

  /** What was counted since the last time. */
  async function write(): Promise<void> {
    const counted = cache.counts()
    const [hits, misses] = [counted.hits - written.hits, counted.misses - written.misses]
    if (hits + misses === 0) return
    written = counted
    await days.add({ hits, misses })
  }

  function flush(): Promise<void> {
    last = last.then(write).catch((error) => host.log.warn({ err: error }, 'counts of visits could not be written'))
    return last
  }

  /** The vitals as they stand. */
  async function vitalsNow(): Promise<Record<string, number>> {
    const { score, metrics } = performanceScore(await vitals.samples())
    const known = metrics.flatMap(({ id, p75 }) => (p75 === null ? [] : [[id, p75] as const]))
    return { ...Object.fromEntries(known), ...(score !== null && { score }) }
  }

  host.setInterval(() => void flush(), WRITE_EVERY)
  host.onDispose(flush)
  // Every hour, so that a process that does not run at midnight has its days too.
  host.jobs.schedule('speed-history', '56 * * * *', async () => {
    const now = await vitalsNow()
    if (Object.keys(now).length > 0) await days.set(now)
    await days.prune()
  })

  host.rest.registerRoute('speed/v1', {
    method: 'GET',
    path: '/history/fetch',
    access: 'manage_options',
    summary: 'Hits of the page cache and web vitals by day.',
    input: z.object({ days: z.int().min(1).max(365).default(30).describe('Days up to today.') }),
    answer: successAnswer(z.object({ days: z.array(dayShape) })),
    async handler({ input }) {
      await flush()
      const found = await days.last(input.days)
      const today = new Map(Object.entries(await vitalsNow()))
      const items = found.map(({ date, numbers }, at): HistoryDay => {
        const stood = at === found.length - 1 ? today : numbers
        const of = (id: MetricId) => stood.get(id) ?? null
        return {
          ...{ date, hits: numbers.get('hits') ?? 0, misses: numbers.get('misses') ?? 0 },
          score: stood.get('score') ?? null,
          metrics: { LCP: of('LCP'), CLS: of('CLS'), INP: of('INP'), FCP: of('FCP'), TTFB: of('TTFB') },
        }
      })
      return success({ days: items })
    },
  })

  return {
    async visits(count) {
      await flush()
      const found = await days.last(count)
      const sum = (name: string) => found.reduce((total, { numbers }) => total + (numbers.get(name) ?? 0), 0)
      return { hits: sum('hits'), misses: sum('misses') }
    },
  }
}
