import type { Registry } from 'prom-client'
import type { Logger } from '../../../core/log.ts'
import type { Metric } from '../hooks.ts'

/** More values than this are probably an unbounded label. */
const MOST_VALUES = 1_000

/** The values from the `metrics` filter. One that Prometheus would reject is logged and omitted. */
export async function registryOf(metrics: readonly Metric[], log: Pick<Logger, 'warn'>): Promise<Registry> {
  const { Counter, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  if (metrics.length > MOST_VALUES) log.warn({ values: metrics.length, limit: MOST_VALUES }, 'metrics omitted')
  const byName = Object.groupBy(metrics.slice(0, MOST_VALUES), ({ name }) => name)
  for (const [name, values = []] of Object.entries(byName)) {
    try {
      const [first] = values
      const labelNames = [...new Set(values.flatMap(({ labels = {} }) => Object.keys(labels)))]
      const options = { name, help: first?.help ?? '', labelNames, registers: [registry] }
      const metric = first?.type === 'counter' ? new Counter(options) : new Gauge(options)
      for (const { labels = {}, value } of values) metric.inc(labels, value)
    } catch (error) {
      registry.removeSingleMetric(name)
      log.warn({ err: error, metric: name }, 'metric omitted')
    }
  }
  return registry
}
