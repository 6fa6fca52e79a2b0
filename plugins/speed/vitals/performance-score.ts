import type { ResponseOf } from 'pentad'
import { z } from 'zod'
import { DEVICES, METRIC_IDS, METRICS, type MetricId, RATINGS, rate } from './metrics.ts'
import type { Samples } from './samples.ts'
import { rateScore, totalScore } from './score.ts'
import { countUpTo, median, percentile, type Sorted } from './statistics.ts'

/** Minimum samples for a score. */
const ENOUGH = 10

const bucketShape = z
  .object({
    from: z.number(),
    to: z.number().nullable().describe('`null` for no upper limit.'),
    rating: z.enum(RATINGS),
    count: z.int(),
  })
  .describe('Number of values above `from` and up to `to`. The first bucket includes 0.')

const metricShape = z.object({
  id: z.enum(METRIC_IDS),
  value: z.number().nullable().describe('Median; `null` without samples.'),
  p75: z.number().nullable().describe('75th percentile.'),
  unit: z.enum(['ms', '']),
  rating: z.enum(RATINGS).nullable().describe('Rating of `value`.'),
  samples: z.int(),
  histogram: z.array(bucketShape),
})

const summaryShape = z.object({
  score: z.int().nullable().describe('0 to 100; `null` until there are 10 samples.'),
  rating: z.enum(RATINGS).nullable(),
  samples: z.int().describe('Samples of the most frequent metric: about one per visit.'),
  metrics: z.array(metricShape),
})

export const performanceScoreShape = summaryShape.extend({
  devices: z.array(summaryShape.extend({ id: z.enum(DEVICES) })).describe('Devices with samples.'),
  pages: z
    .array(summaryShape.extend({ id: z.string() }))
    .describe('Groups of pages by template, such as `single` or `home`, slowest first.'),
})

type Bucket = ResponseOf<typeof bucketShape>

export type MetricReport = ResponseOf<typeof metricShape>

/** Summary of the performance for real visitors. */
type Summary = ResponseOf<typeof summaryShape>

/** `GET /performance-score/fetch` */
export type PerformanceScore = ResponseOf<typeof performanceScoreShape>

export function performanceScore(samples: Samples): PerformanceScore {
  const devices = DEVICES.map((device) => ({ id: device, ...summarize((id) => samples.values(id, { device })) }))
  const pages = samples.groups().map((group) => ({ id: group, ...summarize((id) => samples.values(id, { group })) }))
  return {
    ...summarize((id) => samples.values(id)),
    devices: devices.filter((device) => device.samples > 0),
    pages: pages.sort((a, b) => (a.score ?? 101) - (b.score ?? 101) || b.samples - a.samples),
  }
}

function summarize(valuesOf: (id: MetricId) => Sorted): Summary {
  const metrics = METRIC_IDS.map((id) => describe(id, valuesOf(id)))
  const samples = Math.max(...metrics.map((metric) => metric.samples))
  const score = samples < ENOUGH ? null : totalScore(new Map(metrics.map(({ id, value }) => [id, value])))
  return { score, rating: score === null ? null : rateScore(score), samples, metrics }
}

function describe(id: MetricId, values: Sorted): MetricReport {
  const value = median(values)
  return {
    id,
    value,
    p75: percentile(values, 0.75),
    unit: METRICS[id].unit,
    rating: value === null ? null : rate(id, value),
    samples: values.length,
    histogram: histogram(id, values),
  }
}

/** Four buckets for good, two for needs improvement, two for poor. */
function histogram(id: MetricId, values: Sorted): Bucket[] {
  const { good, poor } = METRICS[id]
  const ends = [good / 4, good / 2, (good * 3) / 4, good, (good + poor) / 2, poor, poor * 2, null]
  let from = 0
  let counted = 0
  return ends.map((to) => {
    const upTo = to === null ? values.length : countUpTo(values, to)
    const bucket = { from, to, rating: rate(id, to ?? Number.POSITIVE_INFINITY), count: upTo - counted }
    counted = upTo
    from = to ?? from
    return bucket
  })
}
