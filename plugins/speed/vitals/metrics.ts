/** The reported metrics, in display order. */
export const METRIC_IDS = ['LCP', 'CLS', 'INP', 'FCP', 'TTFB'] as const

export type MetricId = (typeof METRIC_IDS)[number]

export const DEVICES = ['mobile', 'tablet', 'desktop'] as const

export type Device = (typeof DEVICES)[number]

export const RATINGS = ['good', 'needs-improvement', 'poor'] as const

export type Rating = (typeof RATINGS)[number]

/** Properties of a metric. */
export interface Metric {
  readonly unit: 'ms' | ''
  /**
   * Up to `good` it is good, above `poor` it is poor: the published thresholds (https://web.dev/articles/vitals). The
   * score is 0.90 and 0.50 there.
   */
  readonly good: number
  readonly poor: number
  /** Maximum plausible value. */
  readonly maximum: number
  /** Weight in the score. */
  readonly weight: number
}

export const METRICS: Readonly<Record<MetricId, Metric>> = {
  LCP: { unit: 'ms', good: 2500, poor: 4000, maximum: 60_000, weight: 30 },
  CLS: { unit: '', good: 0.1, poor: 0.25, maximum: 10, weight: 15 },
  INP: { unit: 'ms', good: 200, poor: 500, maximum: 60_000, weight: 30 },
  FCP: { unit: 'ms', good: 1800, poor: 3000, maximum: 60_000, weight: 15 },
  TTFB: { unit: 'ms', good: 800, poor: 1800, maximum: 60_000, weight: 10 },
}

export function rate(id: MetricId, value: number): Rating {
  const { good, poor } = METRICS[id]
  return value <= good ? 'good' : value <= poor ? 'needs-improvement' : 'poor'
}

/** Whether a value is plausible; values out of bounds are rejected, not clamped. */
export function isInBounds(id: MetricId, value: number): boolean {
  return Number.isFinite(value) && value >= 0 && value <= METRICS[id].maximum
}
