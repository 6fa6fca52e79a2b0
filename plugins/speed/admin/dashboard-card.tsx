import { Badge, Stack, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { formatDate, formatMilliseconds, formatNumber, formatPercent } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Trend } from 'pentad/admin/parts/trend.tsx'
import { Figure, ServiceCard } from 'pentad/admin/screens/dashboard/card.tsx'
import { RATINGS } from './labels.ts'
import type { HistoryDay, Summary } from './types.ts'

const DAYS = 30

export function PerformanceCard() {
  return (
    <ServiceCard service="speed" title={__('Performance', 'pentad')} to="/performance">
      <Performance />
    </ServiceCard>
  )
}

function Performance() {
  const score = useRead<Summary>('speed/v1/performance-score/fetch')
  const history = useRead<{ readonly days: readonly HistoryDay[] }>('speed/v1/history/fetch', { days: DAYS })
  return (
    <Stack gap="sm">
      <Loaded query={score} lines={2}>
        {(data) => <Score {...data} />}
      </Loaded>
      <Loaded query={history}>{({ days }) => <History days={days} />}</Loaded>
    </Stack>
  )
}

function Score({ score, rating, samples }: Summary) {
  if (score === null || rating === null) {
    return (
      <Text size="sm" c="dimmed">
        {__('No score yet. It appears after 10 visits.', 'pentad')}
      </Text>
    )
  }
  return (
    <Figure
      value={formatNumber(score)}
      label={sprintf(
        _n(
          'performance score out of 100, based on %s visit',
          'performance score out of 100, based on %s visits',
          samples,
          'pentad',
        ),
        formatNumber(samples),
      )}
    >
      <Badge variant="dot" color={RATINGS[rating].color}>
        {RATINGS[rating].label}
      </Badge>
    </Figure>
  )
}

function History({ days }: { days: readonly HistoryDay[] }) {
  const hits = days.reduce((sum, day) => sum + day.hits, 0)
  const all = hits + days.reduce((sum, day) => sum + day.misses, 0)
  const x = { title: __('Day', 'pentad'), value: ({ date }: HistoryDay) => formatDate(date) }
  const latest = days.flatMap(({ metrics }) => metrics.LCP ?? []).at(-1)
  return (
    <Stack gap="sm">
      <div>
        <Text size="sm">
          {all === 0
            ? __('No page cache requests yet.', 'pentad')
            : sprintf(__('Cache hit rate: %s', 'pentad'), formatPercent(hits / all))}
        </Text>
        {all > 0 && (
          <Trend
            kind="bars"
            label={__('Page cache requests per day', 'pentad')}
            rows={days}
            x={x}
            series={[
              { label: __('Cache hits', 'pentad'), color: 'teal.6', value: (day) => day.hits },
              { label: __('Cache misses', 'pentad'), color: 'gray.5', value: (day) => day.misses },
            ]}
            format={formatNumber}
          />
        )}
      </div>
      <div>
        <Text size="sm">
          {latest === undefined
            ? __('Largest Contentful Paint (LCP)', 'pentad')
            : sprintf(__('Largest Contentful Paint (LCP): %s', 'pentad'), formatMilliseconds(latest))}
        </Text>
        {latest !== undefined ? (
          <Trend
            label={__('Largest Contentful Paint per day', 'pentad')}
            describeHighest={(value) => sprintf(__('Slowest day: %s', 'pentad'), value)}
            rows={days}
            x={x}
            series={[{ label: 'LCP', color: 'pentad.6', value: (day) => day.metrics.LCP }]}
            format={formatMilliseconds}
          />
        ) : (
          <Text size="xs" c="dimmed">
            {__('Available once visitors’ browsers have reported measurements.', 'pentad')}
          </Text>
        )}
      </div>
    </Stack>
  )
}
