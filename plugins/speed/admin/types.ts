/** Responses of the routes of `speed/v1`, as far as the screens use them. */
import type { Responses } from 'pentad/admin/api/responses.ts'

export const METRICS = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as const

export type MetricId = Metric['id']

export type Rating = NonNullable<Score['rating']>

export type Bucket = Metric['histogram'][number]

export type Metric = Score['metrics'][number]

export type Summary = Pick<Score, 'score' | 'rating' | 'samples' | 'metrics'>

export type Score = Responses['GET /speed/v1/performance-score/fetch']

export type HistoryDay = Responses['GET /speed/v1/history/fetch']['days'][number]

export type PreloadProgress = CacheOverview['preload']

export type AssetType = OptimizedAsset['type']

export type CacheOverview = Responses['GET /speed/v1/cache-overview/fetch']

export type CachedPage = Responses['GET /speed/v1/optimized-pages/fetch']['items'][number]

export type OptimizedAsset = Responses['GET /speed/v1/optimized-assets/fetch']['items'][number]
