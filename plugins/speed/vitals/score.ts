import { METRIC_IDS, METRICS, type MetricId, type Rating } from './metrics.ts'

/** Inverse of the complementary error function at 0.2, so that the curve passes through 0.90. */
const INVERSE_ERFC_ONE_FIFTH = 0.9061938024368232

/**
 * Score of one value, 0 to 1: Lighthouse's log-normal curve, 0.90 at the threshold of good and 0.50 at that of poor
 * (https://github.com/GoogleChrome/lighthouse/blob/main/shared/statistics.js).
 */
function scoreOf(id: MetricId, value: number): number {
  if (value <= 0) return 1
  const { good, poor } = METRICS[id]
  const x = (Math.log(value / poor) * INVERSE_ERFC_ONE_FIFTH) / Math.log(poor / good)
  return (1 - errorFunction(x)) / 2
}

/**
 * Total score, 0 to 100, over the available metrics; `null` if there are none.
 * @param values one for each metric, `null` where nothing was measured
 */
export function totalScore(values: ReadonlyMap<MetricId, number | null>): number | null {
  let sum = 0
  let weights = 0
  for (const id of METRIC_IDS) {
    const value = values.get(id) ?? null
    if (value === null) continue
    sum += METRICS[id].weight * scoreOf(id, value)
    weights += METRICS[id].weight
  }
  return weights === 0 ? null : Math.round((100 * sum) / weights)
}

/** Lighthouse's ratings: good from 90, needs improvement from 50. */
export function rateScore(score: number): Rating {
  return score >= 90 ? 'good' : score >= 50 ? 'needs-improvement' : 'poor'
}

/** Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26; maximum error 1.5e-7. */
function errorFunction(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x))
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return Math.sign(x) * (1 - sum * Math.exp(-x * x))
}
