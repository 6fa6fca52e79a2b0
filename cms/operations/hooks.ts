import type { FilterShapes } from '../../core/hooks/shapes.ts'
import { type ContentsCheck, finiteNumber, listOf, membersOf, oneOf, recordOf } from '../../core/hooks/value-checks.ts'

/** A value for Prometheus. Values of one name must have the same type and help. */
export interface Metric {
  /** With a prefix of the service or extension, and for counters the suffix `_total`: `shop_orders_total`. */
  readonly name: string
  /** One sentence that says what is counted, and the unit. */
  readonly help: string
  /** A counter never decreases while the process runs. */
  readonly type: 'counter' | 'gauge'
  readonly value: number
  /** Each label must have few different values: every combination is stored separately. */
  readonly labels?: Readonly<Record<string, string>>
}

declare module '../../core/hooks/names.ts' {
  interface Filters {
    /**
     * Adds values to `GET /host/v1/metrics`. Applied each time metrics are requested, which happens only if `metricsToken` is configured.
     *
     * @param metrics - Values of other services and extensions.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'shop',
     *   name: 'Shop',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     let orders = 0
     *     hooks.addAction('comment_post', () => {
     *       orders++
     *     })
     *     hooks.addFilter('metrics', (metrics) => [
     *       ...metrics,
     *       { name: 'shop_orders_total', help: 'Orders placed since startup.', type: 'counter', value: orders },
     *     ])
     *   },
     * })
     * ```
     */
    metrics: [metrics: readonly Metric[]]
  }
}

/** A name as Prometheus accepts it. */
const metricName: ContentsCheck = {
  contentsFault: (value) =>
    typeof value === 'string' && /^[a-zA-Z_]\w*$/.test(value) ? undefined : 'a text that is not the name of a metric',
}

/** What these filters may return at run time. */
export const filterShapes = {
  metrics: listOf(
    membersOf<Metric>(
      { labels: recordOf('string') },
      { name: metricName, help: 'string', type: oneOf('counter', 'gauge'), value: finiteNumber },
    ),
  ),
} satisfies FilterShapes
