import { Text, Tooltip } from '@mantine/core'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { ChartFigure } from 'pentad/admin/parts/chart-figure.tsx'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import classes from './histogram.module.css'
import { formatMetric, METRIC_TEXTS, RATINGS } from './labels.ts'
import type { Bucket, Metric } from './types.ts'

/** The distribution of visits over the values of a metric, fast to slow. */
export function Histogram({ metric }: { metric: Metric }) {
  const { id, unit, histogram } = metric
  const most = Math.max(1, ...histogram.map(({ count }) => count))
  const [first, middle, last] = [0, histogram.length / 2, -1].map((at) => histogram.at(at))
  const rangeOf = ({ from, to }: Bucket) =>
    to === null
      ? sprintf(__('over %s', 'pentad'), formatMetric(from, unit))
      : sprintf(__('up to %s', 'pentad'), formatMetric(to, unit))
  return (
    <ChartFigure
      label={sprintf(__('Visits by %s', 'pentad'), METRIC_TEXTS[id].name)}
      rows={histogram}
      x={{ title: METRIC_TEXTS[id].name, value: rangeOf }}
      series={[{ label: __('Visits', 'pentad'), color: 'pentad.6', value: ({ count }) => count }]}
      format={formatNumber}
    >
      <div className={classes.bars}>
        {histogram.map((bucket) => (
          <Tooltip
            key={bucket.from}
            label={sprintf(
              _n('%1$s: %2$s visit', '%1$s: %2$s visits', bucket.count, 'pentad'),
              rangeOf(bucket),
              formatNumber(bucket.count),
            )}
          >
            <div
              className={classes.bar}
              style={{
                blockSize: `${(100 * bucket.count) / most}%`,
                background: `var(--mantine-color-${RATINGS[bucket.rating].color}-6)`,
              }}
            />
          </Tooltip>
        ))}
      </div>
      <Text component="div" size="xs" c="dimmed" className={classes.limits}>
        <span>{formatMetric(first?.from ?? 0, unit)}</span>
        <span>{formatMetric(middle?.from ?? 0, unit)}</span>
        <span>{last && rangeOf(last)}</span>
      </Text>
    </ChartFigure>
  )
}
