import type { PageTexts, ResponseOf } from 'pentad'
import { z } from 'zod'
import { type SpeedSettings, settingsSchema } from '../settings.ts'
import type { CachedPage, PageCache } from '../types.ts'
import { METRICS, type MetricId, type Rating } from '../vitals/metrics.ts'
import type { MetricReport, PerformanceScore } from '../vitals/performance-score.ts'
import { SETTING_ITEMS, type SettingItem } from './settings-items.ts'

/** Highest impact first. */
const IMPACTS = ['high', 'medium', 'low'] as const

export type Impact = (typeof IMPACTS)[number]

export const actionItemShape = z.object({
  ...{ id: z.string(), title: z.string(), description: z.string(), impact: z.enum(IMPACTS) },
  setting: settingsSchema.keyof().optional().describe('Key of the setting to change.'),
})

/** A recommendation that makes the site faster. */
export type ActionItem = ResponseOf<typeof actionItemShape>

/** Input for the recommendations. */
export interface Situation {
  /** In the language of the reader. */
  readonly texts: PageTexts
  readonly settings: SpeedSettings
  readonly cacheStatus: ReturnType<PageCache['status']>
  readonly pages: readonly CachedPage[]
  readonly vitals: PerformanceScore
  /** Whether a CDN integration listens to purges. */
  readonly hasCdn: boolean
}

/** Minimum samples for a meaningful metric. */
const ENOUGH_SAMPLES = 10

/** Minimum responses for a meaningful hit rate. */
const ENOUGH_VISITS = 100

/** Recommendations for the current state of the site, highest impact first. */
export function actionItems(situation: Situation): ActionItem[] {
  const items = [
    ...pageCacheItems(situation),
    ...metricItems(situation),
    ...SETTING_ITEMS.filter(({ setting }) => isOff(situation.settings[setting])).map((item) =>
      settingItem(item, situation),
    ),
    ...cdnItems(situation),
    ...measuringItems(situation),
  ]
  return items.sort((a, b) => IMPACTS.indexOf(a.impact) - IMPACTS.indexOf(b.impact))
}

function pageCacheItems({ texts, settings, cacheStatus, pages }: Situation): ActionItem[] {
  const { __ } = texts
  if (cacheStatus !== 'active' || settings.pageCache === 'off') {
    const description = {
      wpconfig: __('PENTAD_PAGE_CACHE turns the page cache off, so the server renders each page for every visit.'),
      dropin: __(
        'Another extension handles requests before the page cache, so the server renders each page for every visit.',
      ),
      active: __('The server renders each page for every visit.'),
    }[cacheStatus]
    const item = { id: 'page-cache', title: __('Turn on the page cache'), description, impact: 'high' } as const
    return [cacheStatus === 'active' ? { ...item, setting: 'pageCache' } : item]
  }
  return [...lifetimeItems(settings, texts), ...hitRateItems(pages, texts)]
}

function lifetimeItems({ cacheTtlSeconds }: SpeedSettings, { __ }: PageTexts): ActionItem[] {
  if (cacheTtlSeconds >= 3600) return []
  const description = __(
    'Pages are re-rendered every %s seconds, although content changes already purge them.',
    cacheTtlSeconds,
  )
  const title = __('Increase the cache lifespan')
  return [{ id: 'cache-lifetime', title, description, impact: 'medium', setting: 'cacheTtlSeconds' }]
}

/** Each cached page was rendered at least once, so this is an upper bound of the hit rate. */
function hitRateItems(pages: readonly CachedPage[], { __ }: PageTexts): ActionItem[] {
  const hits = pages.reduce((sum, page) => sum + page.hits, 0)
  const visits = hits + pages.length
  const share = Math.round((100 * hits) / visits)
  if (visits < ENOUGH_VISITS || share >= 50) return []
  const withQuery = pages.filter(({ url }) => url.includes('?')).length
  const isOfQueries = withQuery > pages.length / 2
  const why = isOfQueries
    ? __('%1$s of %2$s cached pages have a query string in their URL.', withQuery, pages.length)
    : ''
  return [
    {
      id: 'cache-hits',
      title: __('Improve the cache hit rate'),
      description: `${__('Only %s%% of requests were cache hits.', share)} ${why}`.trim(),
      impact: 'medium',
      setting: isOfQueries ? 'ignoredQueryParams' : 'preload',
    },
  ]
}

/** Metrics below “good”, with the page group and device where they are worst. */
function metricItems({ texts, vitals }: Situation): ActionItem[] {
  const { __ } = texts
  return vitals.metrics
    .filter((metric) => isMeasured(metric) && metric.rating !== 'good')
    .map((metric) => ({
      id: `metric-${metric.id.toLowerCase()}`,
      title: __('Improve %s', metric.id),
      description:
        __(
          'The median of %1$s visits is %2$s; %3$s or less is good.',
          ...[metric.samples, shown(metric), `${METRICS[metric.id].good}${unitOf(metric)}`],
        ) + worstPlace(vitals, metric.id, texts),
      impact: metric.rating === 'poor' ? 'high' : 'medium',
    }))
}

function worstPlace({ pages, devices }: PerformanceScore, id: MetricId, { __ }: PageTexts): string {
  const worst = (places: PerformanceScore['pages']) =>
    places
      .flatMap((place) => place.metrics.filter((metric) => metric.id === id).map((metric) => ({ place, metric })))
      .filter(({ metric }) => isMeasured(metric))
      .sort((a, b) => (b.metric.value ?? 0) - (a.metric.value ?? 0))[0]
  const parts = [worst(pages), worst(devices)].flatMap((found) =>
    found ? [`${found.place.id} (${shown(found.metric)})`] : [],
  )
  return parts.length === 0 ? '' : ` ${__('Worst on: %s.', parts.join(', '))}`
}

/** The impact depends on the worst rating of the metrics that it improves. */
function settingItem({ setting, helps, ...item }: SettingItem, { texts, vitals }: Situation): ActionItem {
  const ratings = new Set(helps.map((id) => ratingOf(vitals, id)))
  const impact = ratings.has('poor') ? 'high' : ratings.has('needs-improvement') ? 'medium' : 'low'
  const [title, description] = [texts.__(item.title), texts.__(item.description)]
  return { id: `setting-${setting}`, title, description, impact, setting }
}

/** Distance to the server shows in TTFB, which a cache on the server cannot improve. */
function cdnItems({ texts: { __ }, settings, hasCdn, cacheStatus, vitals }: Situation): ActionItem[] {
  const rating = ratingOf(vitals, 'TTFB')
  if (settings.cdnUrl !== '' || hasCdn || cacheStatus !== 'active' || !rating || rating === 'good') return []
  const description = __(
    'Visitors wait for the first byte even though pages are cached. A CDN that caches pages, connected through an extension such as Cloudflare or Fastly, serves them from a server near each visitor.',
  )
  const impact = rating === 'poor' ? 'high' : 'medium'
  return [{ id: 'cdn', title: __('Connect a CDN'), description, impact }]
}

function measuringItems({ texts: { __ }, settings }: Situation): ActionItem[] {
  if (settings.vitalsSampleRate > 0) return []
  const description = __('Web Vitals are turned off, so the real speed for visitors is unknown.')
  const title = __('Turn on Web Vitals')
  return [{ id: 'vitals', title, description, impact: 'medium', setting: 'vitalsSampleRate' }]
}

const isOff = (value: SpeedSettings[keyof SpeedSettings]) =>
  value === 'off' || (Array.isArray(value) && value.length === 0)

const isMeasured = ({ samples }: MetricReport) => samples >= ENOUGH_SAMPLES

function ratingOf({ metrics }: PerformanceScore, id: MetricId): Rating | null {
  return metrics.find((metric) => metric.id === id && isMeasured(metric))?.rating ?? null
}

const unitOf = ({ unit }: MetricReport) => (unit === '' ? '' : ` ${unit}`)

const shown = (metric: MetricReport) =>
  `${metric.unit === 'ms' ? Math.round(metric.value ?? 0) : (metric.value ?? 0).toFixed(2)}${unitOf(metric)}`
