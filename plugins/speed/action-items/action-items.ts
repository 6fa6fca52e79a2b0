import type { AnswerOf } from 'pentad'
import { z } from 'zod'
import { type SpeedSettings, settingsSchema } from '../settings.ts'
import type { CachedPage, PageCache } from '../types.ts'
import { METRICS, type MetricId, type Rating } from '../vitals/metrics.ts'
import type { MetricReport, PerformanceScore } from '../vitals/performance-score.ts'
import { SETTING_ITEMS, type SettingItem } from './settings-items.ts'

/** The most effective first. */
const IMPACTS = ['high', 'medium', 'low'] as const

export type Impact = (typeof IMPACTS)[number]

export const actionItemShape = z.object({
  ...{ id: z.string(), title: z.string(), description: z.string(), impact: z.enum(IMPACTS) },
  setting: settingsSchema.keyof().optional().describe('The setting that does it.'),
})

/** One thing that would make the site faster. */
export type ActionItem = AnswerOf<typeof actionItemShape>

/** What the items are found in. */
export interface Situation {
  readonly settings: SpeedSettings
  readonly cacheStatus: ReturnType<PageCache['status']>
  readonly pages: readonly CachedPage[]
  readonly vitals: PerformanceScore
  /** Whether somebody passes purges on, as an integration of a CDN does. */
  readonly hasCdn: boolean
}

/** Measurements of fewer visits say little about the next one. */
const ENOUGH_SAMPLES = 10

/** Answers of the cache from which on its share of hits says something. */
const ENOUGH_ANSWERS = 100

/** What to do for this site as it is now, the most effective first; nothing that is done already. */
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

function pageCacheItems({ settings, cacheStatus, pages }: Situation): ActionItem[] {
  if (cacheStatus !== 'active' || settings.pageCache === 'off') {
    const description = {
      wpconfig: 'The configuration of the process switches it off (PENTAD_PAGE_CACHE), so each page is rendered anew.',
      dropin: 'Another extension answers before the page cache, so each page is rendered anew.',
      active: 'Each page is rendered anew for each visitor.',
    }[cacheStatus]
    const item = { id: 'page-cache', title: 'Switch the page cache on', description, impact: 'high' } as const
    return [cacheStatus === 'active' ? { ...item, setting: 'pageCache' } : item]
  }
  return [...lifetimeItems(settings), ...hitRateItems(pages)]
}

function lifetimeItems({ cacheTtlSeconds }: SpeedSettings): ActionItem[] {
  if (cacheTtlSeconds >= 3600) return []
  const description = `Pages are rendered anew every ${cacheTtlSeconds} seconds, though a change of content purges them anyway.`
  const title = 'Keep pages for longer'
  return [{ id: 'cache-lifetime', title, description, impact: 'medium', setting: 'cacheTtlSeconds' }]
}

/** A page was rendered once at least, so its hits of all its answers are its share at best. */
function hitRateItems(pages: readonly CachedPage[]): ActionItem[] {
  const hits = pages.reduce((sum, page) => sum + page.hits, 0)
  const answers = hits + pages.length
  const share = Math.round((100 * hits) / answers)
  if (answers < ENOUGH_ANSWERS || share >= 50) return []
  const withQuery = pages.filter(({ url }) => url.includes('?')).length
  const isOfQueries = withQuery > pages.length / 2
  const why = isOfQueries ? `${withQuery} of ${pages.length} cached pages differ in their query only.` : ''
  return [
    {
      id: 'cache-hits',
      title: 'Answer more visitors from the cache',
      description: `Only ${share} % of the answers came from the cache. ${why}`.trim(),
      impact: 'medium',
      setting: isOfQueries ? 'ignoredQueryParams' : 'preload',
    },
  ]
}

/** Metrics that are not good, with where they are worst. */
function metricItems({ vitals }: Situation): ActionItem[] {
  return vitals.metrics
    .filter((metric) => isMeasured(metric) && metric.rating !== 'good')
    .map((metric) => ({
      id: `metric-${metric.id.toLowerCase()}`,
      title: `Improve ${metric.id}`,
      description:
        `Half of ${metric.samples} visits had ${shown(metric)} or worse; ` +
        `up to ${METRICS[metric.id].good}${unitOf(metric)} is good.${worstPlace(vitals, metric.id)}`,
      impact: metric.rating === 'poor' ? 'high' : 'medium',
    }))
}

function worstPlace({ pages, devices }: PerformanceScore, id: MetricId): string {
  const worst = (places: PerformanceScore['pages']) =>
    places
      .flatMap((place) => place.metrics.filter((metric) => metric.id === id).map((metric) => ({ place, metric })))
      .filter(({ metric }) => isMeasured(metric))
      .sort((a, b) => (b.metric.value ?? 0) - (a.metric.value ?? 0))[0]
  const parts = [worst(pages), worst(devices)].flatMap((found) =>
    found ? [`${found.place.id} (${shown(found.metric)})`] : [],
  )
  return parts.length === 0 ? '' : ` Worst on: ${parts.join(', ')}.`
}

/** As effective as what it helps is bad. */
function settingItem({ setting, title, description, helps }: SettingItem, { vitals }: Situation): ActionItem {
  const ratings = new Set(helps.map((id) => ratingOf(vitals, id)))
  const impact = ratings.has('poor') ? 'high' : ratings.has('needs-improvement') ? 'medium' : 'low'
  return { id: `setting-${setting}`, title, description, impact, setting }
}

/** Servers far away show in the time to the first byte, which a cache on this machine cannot better. */
function cdnItems({ settings, hasCdn, cacheStatus, vitals }: Situation): ActionItem[] {
  const rating = ratingOf(vitals, 'TTFB')
  if (settings.cdnUrl !== '' || hasCdn || cacheStatus !== 'active' || !rating || rating === 'good') return []
  const description = 'Visitors wait for the first byte although pages are cached here. A CDN answers from near them.'
  const impact = rating === 'poor' ? 'high' : 'medium'
  return [{ id: 'cdn', title: 'Put a CDN in front', description, impact, setting: 'cdnUrl' }]
}

function measuringItems({ settings }: Situation): ActionItem[] {
  if (settings.vitalsSampleRate > 0) return []
  const description = 'No visit is measured, so nobody knows how fast pages are for their visitors.'
  return [{ id: 'vitals', title: 'Measure visits', description, impact: 'medium', setting: 'vitalsSampleRate' }]
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
