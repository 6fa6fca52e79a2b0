import { DEVICES, type Device, METRIC_IDS, METRICS, type MetricId, type Rating, rate } from './metrics.ts'
import type { Samples } from './samples.ts'
import { rateScore, totalScore } from './score.ts'
import { countUpTo, median, percentile, type Sorted } from './statistics.ts'

/** Fewer samples than this make no score (contract 6). */
const ENOUGH = 10

/** Part of a histogram: how many values lie above `from` (the first: from 0 on) and up to `to`. */
export interface Bucket {
  readonly from: number
  /** `null`: without end. */
  readonly to: number | null
  readonly rating: Rating
  readonly count: number
}

export interface MetricReport {
  readonly id: MetricId
  /** The median; `null` without samples. */
  readonly value: number | null
  /** What three of four visitors did not exceed. */
  readonly p75: number | null
  readonly unit: 'ms' | ''
  /** Of `value`. */
  readonly rating: Rating | null
  readonly samples: number
  readonly histogram: readonly Bucket[]
}

/** How fast pages were for their visitors. */
export interface Summary {
  /** 0 to 100; `null` until there are 10 samples. */
  readonly score: number | null
  readonly rating: Rating | null
  /** Of the metric that was measured most often: about one for each visit. */
  readonly samples: number
  readonly metrics: readonly MetricReport[]
}

/** `GET /performance-score/fetch` */
export interface PerformanceScore extends Summary {
  /** Those with samples. */
  readonly devices: readonly (Summary & { readonly id: Device })[]
  /** Groups of pages that are rendered alike, the slowest first: `single`, `home`. */
  readonly pages: readonly (Summary & { readonly id: string })[]
}

export function performanceScore(samples: Samples): PerformanceScore {
  const devices = DEVICES.map((device) => ({ id: device, ...summarise((id) => samples.values(id, { device })) }))
  const pages = samples.groups().map((group) => ({ id: group, ...summarise((id) => samples.values(id, { group })) }))
  return {
    ...summarise((id) => samples.values(id)),
    devices: devices.filter((device) => device.samples > 0),
    pages: pages.sort((a, b) => (a.score ?? 101) - (b.score ?? 101) || b.samples - a.samples),
  }
}

function summarise(valuesOf: (id: MetricId) => Sorted): Summary {
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

/** What is good in four parts, what needs improvement in two, what is poor in two. */
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
