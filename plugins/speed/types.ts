import type { Purge, ResponseOf } from 'pentad'
import { z } from 'zod'

/** Result of a preload. */
export interface PreloadResult {
  /** Pages that were rendered into the cache. */
  readonly stored: number
  /** Pages that were already cached or are not cacheable. */
  readonly skipped: number
  readonly failed: number
}

export const preloadShape = z.object({
  running: z.boolean(),
  queued: z.int().describe('Number of queued pages.'),
  ...{ stored: z.int(), skipped: z.int(), failed: z.int() },
})

/** Progress of the preload. */
export type PreloadProgress = ResponseOf<typeof preloadShape>

export const cachedPageShape = z.object({
  url: z.string(),
  cachedAt: z.string().describe('Time in ISO 8601 format.'),
  size: z.int().describe('Size in bytes.'),
  compressedSize: z.int().describe('Size of the smallest encoding, in bytes.'),
  hits: z.int(),
  status: z.enum(['fresh', 'stale']),
  optimizations: z.array(z.string()).describe('Names of the optimizations applied, such as `minifyHtml`.'),
})

/** A cached page in the overview. */
export type CachedPage = ResponseOf<typeof cachedPageShape>

/** `wpconfig`: turned off by the configuration. `dropin`: another extension handles the front end. */
export const cacheStatusShape = z.enum(['active', 'wpconfig', 'dropin'])

/** The page cache. */
export interface PageCache {
  status(): z.output<typeof cacheStatusShape>
  /**
   * Purges pages in memory and on disk immediately: these URLs with all variants (queries included), and pages with one
   * of these tags. Renderings started before are not stored afterward. Returns the purged URLs.
   */
  purge(what: { readonly urls?: readonly string[]; readonly tags?: readonly string[] } | 'all'): string[]
  /** Purges the pages of an entry of the change log that another process has added. */
  purgeExternally(purge: Purge): void
  /** Resolves when `find` knows the pages on disk. */
  loadIndex(): Promise<void>
  /** Returns the URLs of the cached pages that a purge would remove. */
  find(what: { readonly urls: readonly string[]; readonly tags: readonly string[] } | 'all'): string[]
  /**
   * Marks pages as stale: the next visitor still gets the old page while it is re-rendered. For changes that need not
   * show immediately. With `tags`, their content changed.
   */
  refresh(what: { readonly urls: readonly string[]; readonly tags?: readonly string[] }): void
  /** Writes pages in memory to disk, after the files that they waited for were generated. */
  save(urls: readonly string[]): void
  /** Renders a page into the cache unless it is fresh. `path` includes the query. */
  warm(path: string): Promise<'stored' | 'fresh' | 'skipped' | 'failed'>
  list(): Iterable<CachedPage>
  /** Cache hits and misses of this process so far. */
  counts(): { hits: number; misses: number }
  close(): Promise<void>
}

export const ASSET_TYPES = ['css', 'js', 'image', 'font'] as const

export type AssetType = (typeof ASSET_TYPES)[number]

export const optimizedAssetShape = z.object({
  url: z.string().describe('URL of the optimized file.'),
  type: z.enum(ASSET_TYPES),
  ...{ originalSize: z.int().describe('Size in bytes.'), size: z.int().describe('Size in bytes.') },
  savings: z.number().describe('Savings as a percentage of the original size, 0 to 100.'),
})

/** An optimized file in the overview. */
export type OptimizedAsset = ResponseOf<typeof optimizedAssetShape>

/** The optimizer's files below `/wp-content/uploads/speed/assets/`, named by content hash. */
export interface Assets {
  list(): Iterable<OptimizedAsset>
  /** Number of files in progress. */
  readonly waiting: number
  /** Whether files are being generated for the page with that absolute URL. */
  isAwaitedBy(url: string): boolean
  /** Removes all files; pages that reference them must be purged first. */
  clear(): Promise<void>
}

/** Rewrites pages as they are rendered (filter `page_html`). */
export interface Optimizer {
  readonly assets: Assets
  close(): Promise<void>
}
