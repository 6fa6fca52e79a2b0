import { type ExtensionHost, type ResponseOf, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { PageCache } from '../types.ts'
import type { Collection } from '../vitals/collection.ts'
import type { MetricId } from '../vitals/metrics.ts'
import { performanceScore } from '../vitals/performance-score.ts'
import { createDays } from './days.ts'
import { openHistoryTables } from './tables.ts'

/** Write interval of the counters in ms; the most that a killed process loses. */
const WRITE_EVERY = 30_000

/** Daily statistics of the site. */
export interface History {
  /** Cache hits and misses of the last days. */
  visits(days: number): Promise<{ hits: number; misses: number }>
}

const p75 = z.number().nullable()
const dayShape = z.object({
  date: z.string().describe('Date in UTC, such as `2026-11-22`.'),
  ...{ hits: z.int(), misses: z.int() },
  score: z.int().nullable().describe('Score at the end of the day; `null` without enough samples.'),
  metrics: z
    .object({ LCP: p75, INP: p75, CLS: p75, FCP: p75, TTFB: p75 })
    .describe('75th percentile at the end of the day.'),
})

/** One day of `GET /history/fetch`. */
export type HistoryDay = ResponseOf<typeof dayShape>

/** Records daily cache and web vitals statistics and registers their route. */
export async function registerHistory(
  host: ExtensionHost,
  { cache, vitals }: { cache: Pick<PageCache, 'counts'>; vitals: Collection },
): Promise<History> {
  const days = createDays(await openHistoryTables(host.database))
  let written = { hits: 0, misses: 0 }
  let last = Promise.resolve()

  /** Writes the counts since the last write. */
  async function write(): Promise<void> {
    const counted = cache.counts()
    const [hits, misses] = [counted.hits - written.hits, counted.misses - written.misses]
    if (hits + misses === 0) return
    written = counted
    await days.add({ hits, misses })
  }

  function flush(): Promise<void> {
    last = last.then(write).catch((error) => host.log.warn({ err: error }, 'visit counts could not be written'))
    return last
  }

  /** Current web vitals. */
  async function vitalsNow(): Promise<Record<string, number>> {
    const { score, metrics } = performanceScore(await vitals.samples())
    const known = metrics.flatMap(({ id, p75 }) => (p75 === null ? [] : [[id, p75] as const]))
    return { ...Object.fromEntries(known), ...(score !== null && { score }) }
  }

  host.setInterval(() => void flush(), WRITE_EVERY)
  host.onDispose(flush)
  // Hourly, so that days are recorded even if no process runs at midnight.
  host.jobs.schedule('speed-history', '56 * * * *', async () => {
    const now = await vitalsNow()
    if (Object.keys(now).length > 0) await days.set(now)
    await days.prune()
  })

  host.rest.registerRoute('speed/v1', {
    method: 'GET',
    path: '/history/fetch',
    access: 'manage_options',
    summary: 'Lists page cache hits and Web Vitals by day.',
    input: z.object({ days: z.int().min(1).max(365).default(30).describe('Number of days up to today.') }),
    response: successSchema(z.object({ days: z.array(dayShape) })),
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
