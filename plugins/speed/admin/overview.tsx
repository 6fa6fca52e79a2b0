import { Alert, Badge, Group, RingProgress, Text } from '@mantine/core'
import { useRead } from 'pentad/admin/api/query.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { ActionItems } from 'pentad/admin/parts/action-items.tsx'
import { formatBytes, formatNumber, formatPercent } from 'pentad/admin/parts/format.ts'
import { Loaded } from 'pentad/admin/parts/loaded.tsx'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { Stat, Stats } from 'pentad/admin/parts/stat.tsx'
import { CacheWork, PurgeMenu, PurgePage } from './cache-controls.tsx'
import { ConnectedCaches } from './connected-caches.tsx'
import { History } from './history.tsx'
import { RATINGS } from './labels.ts'
import type { CacheOverview, Score } from './types.ts'
import { useSpeedItems } from './use-speed-items.ts'
import { Vitals } from './vitals.tsx'

const WHILE_BUSY = 1000
const ELSE = 15_000

export default function PerformanceOverview() {
  const score = useRead<Score>('speed/v1/performance-score/fetch')
  const cache = useRead<CacheOverview>('speed/v1/cache-overview/fetch', undefined, {
    every: (seen) => (seen && (seen.preload.running || seen.optimizer.waiting > 0) ? WHILE_BUSY : ELSE),
  })
  return (
    <Page
      title={__('Performance', 'pentad')}
      description={__('How fast your site is for visitors, and how to improve it.', 'pentad')}
      actions={<PurgeMenu />}
    >
      {cache.data && <CacheWork overview={cache.data} />}
      <Loaded query={cache}>
        {(overview) => (
          <>
            <Standing status={overview.status} />
            <Stats>
              <ScoreStat score={score.data} />
              <CacheStats overview={overview} />
            </Stats>
          </>
        )}
      </Loaded>
      <ToDo />
      <Loaded query={score} lines={8}>
        {(data) => <Vitals score={data} />}
      </Loaded>
      <History />
      <PurgePage />
      <ConnectedCaches />
    </Page>
  )
}

function Standing({ status }: { status: CacheOverview['status'] }) {
  if (status === 'active') return null
  return (
    <Alert color="yellow" title={__('The page cache is inactive', 'pentad')}>
      {status === 'wpconfig'
        ? __('PENTAD_PAGE_CACHE is turned off in the server configuration.', 'pentad')
        : __('Another extension serves pages instead of the page cache.', 'pentad')}
    </Alert>
  )
}

function ScoreStat({ score }: { score: Score | undefined }) {
  const rating = score?.rating ?? null
  return (
    <Stat
      label={__('Performance score', 'pentad')}
      value={
        <Group gap="sm" wrap="nowrap">
          {rating !== null && (
            <RingProgress
              size={56}
              thickness={6}
              roundCaps
              aria-hidden
              sections={[{ value: score?.score ?? 0, color: RATINGS[rating].color }]}
            />
          )}
          <span>{score?.score ?? '–'}</span>
          {rating !== null && (
            <Badge variant="light" color={RATINGS[rating].color}>
              {RATINGS[rating].label}
            </Badge>
          )}
        </Group>
      }
      hint={
        rating === null
          ? __('Available after 10 visits', 'pentad')
          : __('Out of 100, measured by visitors’ browsers', 'pentad')
      }
    />
  )
}

function CacheStats({ overview: { pages, visits, assets } }: { overview: CacheOverview }) {
  const visitCount = visits.hits + visits.misses
  const saved = assets.originalSize - assets.size
  return (
    <>
      <Stat
        label={__('Cache hit rate', 'pentad')}
        value={visitCount === 0 ? '–' : formatPercent(visits.hits / visitCount)}
        hint={sprintf(
          __('Hits: %1$s, misses: %2$s, in the last %3$d days', 'pentad'),
          formatNumber(visits.hits),
          formatNumber(visits.misses),
          visits.days,
        )}
      />
      <Stat
        label={__('Cached pages', 'pentad')}
        value={formatNumber(pages.total)}
        hint={
          pages.compressedSize < pages.size
            ? sprintf(__('%1$s, %2$s compressed', 'pentad'), formatBytes(pages.size), formatBytes(pages.compressedSize))
            : formatBytes(pages.size)
        }
      />
      <Stat
        label={__('Optimized files', 'pentad')}
        value={formatNumber(assets.total)}
        hint={
          assets.originalSize === 0
            ? ''
            : sprintf(
                __('%1$s smaller (%2$s)', 'pentad'),
                formatBytes(saved),
                formatPercent(saved / assets.originalSize),
              )
        }
      />
    </>
  )
}

function ToDo() {
  const { items } = useSpeedItems()
  if (!items.data) return null
  return (
    <Section title={__('Recommendations', 'pentad')}>
      {items.data.items.length === 0 ? (
        <Text size="sm">{__('Everything is optimized.', 'pentad')}</Text>
      ) : (
        <ActionItems
          items={items.data.items}
          linkOf={({ setting }) => (setting === undefined ? undefined : '/performance/settings')}
        />
      )}
    </Section>
  )
}
