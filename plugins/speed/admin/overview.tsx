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
import { CachesInFront } from './caches-in-front.tsx'
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
      description={__('How fast visitors get the site, and what makes it so.', 'pentad')}
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
        {(answer) => <Vitals score={answer} />}
      </Loaded>
      <History />
      <PurgePage />
      <CachesInFront />
    </Page>
  )
}

function Standing({ status }: { status: CacheOverview['status'] }) {
  if (status === 'active') return null
  return (
    <Alert color="yellow" title={__('Pages are not cached', 'pentad')}>
      {status === 'wpconfig'
        ? __('PENTAD_PAGE_CACHE is off in the configuration of the process.', 'pentad')
        : __('Another extension answers before the page cache.', 'pentad')}
    </Alert>
  )
}

function ScoreStat({ score }: { score: Score | undefined }) {
  const rating = score?.rating ?? null
  return (
    <Stat
      label={__('Score', 'pentad')}
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
          ? __('Shown once 10 visits are measured', 'pentad')
          : __('Of 100, by what visitors measured', 'pentad')
      }
    />
  )
}

function CacheStats({ overview: { pages, visits, assets } }: { overview: CacheOverview }) {
  const answered = visits.hits + visits.misses
  const saved = assets.originalSize - assets.size
  return (
    <>
      <Stat
        label={__('From the cache', 'pentad')}
        value={answered === 0 ? '–' : formatPercent(visits.hits / answered)}
        hint={sprintf(
          __('Hits: %1$s, misses: %2$s, in %3$d days', 'pentad'),
          formatNumber(visits.hits),
          formatNumber(visits.misses),
          visits.days,
        )}
      />
      <Stat
        label={__('Optimised pages', 'pentad')}
        value={formatNumber(pages.total)}
        hint={
          pages.compressedSize < pages.size
            ? sprintf(__('%1$s, %2$s compressed', 'pentad'), formatBytes(pages.size), formatBytes(pages.compressedSize))
            : formatBytes(pages.size)
        }
      />
      <Stat
        label={__('Optimised files', 'pentad')}
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
    <Section title={__('What to do', 'pentad')}>
      {items.data.items.length === 0 ? (
        <Text size="sm">{__('Nothing: all that helps is on.', 'pentad')}</Text>
      ) : (
        <ActionItems
          items={items.data.items}
          linkOf={({ setting }) => (setting === undefined ? undefined : '/performance/settings')}
        />
      )}
    </Section>
  )
}
