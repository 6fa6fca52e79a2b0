import { Badge, Group, Paper, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Section } from 'pentad/admin/parts/section.tsx'
import { Histogram } from './histogram.tsx'
import { DEVICES, formatMetric, METRIC_TEXTS, RATINGS } from './labels.ts'
import { METRICS, type Metric, type Score, type Summary } from './types.ts'

/** The minimum number of visits for a meaningful 75th percentile. */
const ENOUGH = 4

/** The Web Vitals reported by visitors' browsers: all visits, or by device or page type. */
export function Vitals({ score }: { score: Score }) {
  const query = useListQuery()
  const chosen = query.get('of')
  const shown = placesOf(score).find(({ value }) => value === chosen)?.summary ?? score
  return (
    <Section
      title={__('Web Vitals', 'pentad')}
      description={sprintf(
        _n(
          'Measured by visitors’ browsers: %s visit. No personal data is stored.',
          'Measured by visitors’ browsers: %s visits. No personal data is stored.',
          shown.samples,
          'pentad',
        ),
        formatNumber(shown.samples),
      )}
      actions={
        score.samples > 0 && (
          <Select
            aria-label={__('Filter visits', 'pentad')}
            data={[{ value: '', label: __('All visits', 'pentad') }, ...groupsOf(score)]}
            value={chosen}
            allowDeselect={false}
            onChange={(of) => query.set({ of: of ?? '' })}
          />
        )
      }
    >
      {score.samples === 0 ? (
        <Text size="sm" c="dimmed">
          {__('No measurements yet. To record one, open a page on the site in another tab, then close it.', 'pentad')}
        </Text>
      ) : (
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="sm">
          {METRICS.map((id) => {
            const metric = shown.metrics.find((one) => one.id === id)
            return metric && <MetricCard key={id} metric={metric} />
          })}
        </SimpleGrid>
      )}
    </Section>
  )
}

function MetricCard({ metric }: { metric: Metric }) {
  const { id, value, p75, unit, rating, samples } = metric
  const { name, description } = METRIC_TEXTS[id]
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        <div>
          <Title order={3} size="h5">
            {sprintf(__('%1$s (%2$s)', 'pentad'), name, id)}
          </Title>
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        </div>
        <Group justify="space-between" gap="xs">
          <Text fz="1.4rem" fw={650} lh={1.2}>
            {formatMetric(value, unit)}
          </Text>
          {rating && (
            <Badge variant="light" color={RATINGS[rating].color}>
              {RATINGS[rating].label}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {samples === 0
            ? __('Not measured yet', 'pentad')
            : samples < ENOUGH
              ? sprintf(_n('%s visit', '%s visits', samples, 'pentad'), formatNumber(samples))
              : sprintf(
                  _n(
                    'Median of %1$s visit; 75th percentile: %2$s',
                    'Median of %1$s visits; 75th percentile: %2$s',
                    samples,
                    'pentad',
                  ),
                  formatNumber(samples),
                  formatMetric(p75, unit),
                )}
        </Text>
        {samples > 0 && <Histogram metric={metric} />}
      </Stack>
    </Paper>
  )
}

interface Place {
  readonly value: string
  readonly label: string
  readonly summary: Summary
}

function placesOf(score: Score): Place[] {
  return [...devicesOf(score), ...pagesOf(score)]
}

const devicesOf = ({ devices }: Score): Place[] =>
  devices.map((summary) => ({ value: `device-${summary.id}`, label: DEVICES[summary.id] ?? summary.id, summary }))

const pagesOf = ({ pages }: Score): Place[] =>
  pages.map((summary) => ({ value: `page-${summary.id}`, label: summary.id, summary }))

function groupsOf(score: Score) {
  const options = (places: Place[]) => places.map(({ value, label }) => ({ value, label }))
  return [
    { group: __('Devices', 'pentad'), items: options(devicesOf(score)) },
    { group: __('Page types', 'pentad'), items: options(pagesOf(score)) },
  ]
}
