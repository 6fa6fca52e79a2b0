/** What the routes of `speed/v1` answer, as far as the screens show it. */
export const METRICS = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as const

export type MetricId = (typeof METRICS)[number]

export type Rating = 'good' | 'needs-improvement' | 'poor'

export interface Bucket {
  readonly from: number
  /** `null`: without end. */
  readonly to: number | null
  readonly rating: Rating
  readonly count: number
}

export interface Metric {
  readonly id: MetricId
  /** The median. */
  readonly value: number | null
  readonly p75: number | null
  readonly unit: 'ms' | ''
  readonly rating: Rating | null
  readonly samples: number
  readonly histogram: readonly Bucket[]
}

export interface Summary {
  readonly score: number | null
  readonly rating: Rating | null
  readonly samples: number
  readonly metrics: readonly Metric[]
}

export interface Score extends Summary {
  readonly devices: readonly (Summary & { readonly id: string })[]
  readonly pages: readonly (Summary & { readonly id: string })[]
}

export interface HistoryDay {
  readonly date: string
  readonly hits: number
  readonly misses: number
  readonly score: number | null
  readonly metrics: Readonly<Record<MetricId, number | null>>
}

export interface PreloadProgress {
  readonly running: boolean
  readonly queued: number
  readonly stored: number
  readonly skipped: number
  readonly failed: number
}

export type AssetType = 'css' | 'js' | 'image' | 'font'

interface AssetTotals {
  readonly total: number
  readonly originalSize: number
  readonly size: number
}

export interface CacheOverview {
  readonly status: 'active' | 'wpconfig' | 'dropin'
  readonly pages: {
    readonly total: number
    readonly stale: number
    readonly size: number
    readonly compressedSize: number
  }
  readonly visits: { readonly days: number; readonly hits: number; readonly misses: number }
  readonly assets: AssetTotals & { readonly types: readonly (AssetTotals & { readonly type: AssetType })[] }
  readonly preload: PreloadProgress
  readonly optimizer: { readonly waiting: number }
}

export interface CachedPage {
  readonly url: string
  readonly cachedAt: string
  readonly size: number
  readonly compressedSize: number
  readonly hits: number
  readonly status: 'fresh' | 'stale'
  readonly optimizations: readonly string[]
}

export interface OptimizedAsset {
  readonly url: string
  readonly type: AssetType
  readonly originalSize: number
  readonly size: number
  readonly savings: number
}
