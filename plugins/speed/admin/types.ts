/** Responses of the routes of `speed/v1`, as far as the screens use them. */
import type { Answers } from 'pentad/admin/api/answers.ts'

export const METRICS = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as const

export type MetricId = Metric['id']

export type Rating = NonNullable<Score['rating']>

export type Bucket = Metric['histogram'][number]

export type Metric = Score['metrics'][number]

export type Summary = Pick<Score, 'score' | 'rating' | 'samples' | 'metrics'>

export type Score = Answers['GET /speed/v1/performance-score/fetch']

export type HistoryDay = Answers['GET /speed/v1/history/fetch']['days'][number]

export type PreloadProgress = CacheOverview['preload']

export type AssetType = OptimizedAsset['type']

export type CacheOverview = Answers['GET /speed/v1/cache-overview/fetch']

export type CachedPage = Answers['GET /speed/v1/optimized-pages/fetch']['items'][number]

export type OptimizedAsset = Answers['GET /speed/v1/optimized-assets/fetch']['items'][number]
