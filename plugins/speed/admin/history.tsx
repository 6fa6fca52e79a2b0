import { SimpleGrid, Stack, Title } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __ } from 'pentad/admin/i18n.ts'
import { Chart } from 'pentad/admin/parts/charts.tsx'
import { DaysSelect, daysOf } from 'pentad/admin/parts/days-select.tsx'
import { formatDate, formatNumber } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { formatMetric } from './labels.ts'
import type { HistoryDay } from './types.ts'

/** Daily cache hits and Web Vitals. */
export function History() {
  const query = useListQuery()
  const history = useRead<{ readonly days: readonly HistoryDay[] }>('speed/v1/history/fetch', {
    days: daysOf(query),
  })
  const x = { title: __('Day', 'pentad'), value: ({ date }: HistoryDay) => formatDate(date) }
  return (
    <Section title={__('History', 'pentad')} actions={<DaysSelect query={query} />}>
      <Loaded query={history} lines={8}>
        {(data) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Stack gap="xs">
              <Title order={3} size="h5">
                {__('Page cache hits and misses', 'pentad')}
              </Title>
              <Chart
                kind="bar"
                isStacked
                label={__('Page cache hits and misses per day', 'pentad')}
                rows={data.days}
                x={x}
                format={formatNumber}
                series={[
                  { label: __('Hits', 'pentad'), color: 'teal.6', value: ({ hits }) => hits },
                  { label: __('Misses', 'pentad'), color: 'orange.6', value: ({ misses }) => misses },
                ]}
              />
            </Stack>
            <Stack gap="xs">
              <Title order={3} size="h5">
                {__('Web Vitals, 75th percentile', 'pentad')}
              </Title>
              <Chart
                kind="line"
                connectNulls
                label={__('Web Vitals per day', 'pentad')}
                rows={data.days}
                x={x}
                format={(value) => formatMetric(value, 'ms')}
                series={[
                  { label: 'LCP', color: 'pentad.6', value: ({ metrics }) => metrics.LCP },
                  { label: 'INP', color: 'grape.6', value: ({ metrics }) => metrics.INP },
                  { label: 'TTFB', color: 'orange.6', value: ({ metrics }) => metrics.TTFB },
                ]}
              />
            </Stack>
          </SimpleGrid>
        )}
      </Loaded>
    </Section>
  )
}
