import type { AnswerOf } from 'pentad'
import { z } from 'zod'

/** How much a purge takes away (contract 6). */
export type PurgeScope = 'url' | 'urls' | 'pages' | 'cache' | 'everything'

/** What a purge action tells: the one argument of all of them. */
export interface Purge {
  readonly scope: PurgeScope
  /** Absolute URLs of this site; empty where the scope is more than single pages. */
  readonly urls: readonly string[]
  /** Tags of the content that changed, as in `Surrogate-Key`; empty where the scope is more than single pages. */
  readonly tags: readonly string[]
  /** Why, for people: `Post 7 was updated.` */
  readonly reason: string
}

/** What an extension asks for with the action `speed_purge`. */
export interface PurgeRequest {
  /** Absolute URLs of this site, or paths. */
  readonly urls?: readonly string[]
  /** As given to `page.addTags`. */
  readonly tags?: readonly string[]
  readonly reason?: string
}

/** How a preload ended. */
export interface PreloadResult {
  /** Pages that were rendered into the cache. */
  readonly stored: number
  /** Pages that were there already, or may not be cached. */
  readonly skipped: number
  readonly failed: number
}

export const preloadShape = z.object({
  running: z.boolean(),
  queued: z.int().describe('Pages that wait.'),
  ...{ stored: z.int(), skipped: z.int(), failed: z.int() },
})

/** How far the preload is. */
export type PreloadProgress = AnswerOf<typeof preloadShape>

export const cachedPageShape = z.object({
  url: z.string(),
  cachedAt: z.string().describe('ISO 8601.'),
  size: z.int().describe('Bytes.'),
  compressedSize: z.int().describe('Bytes of the smallest encoding.'),
  hits: z.int(),
  status: z.enum(['fresh', 'stale']),
  optimizations: z.array(z.string()).describe('Names of the settings that changed it: `minifyHtml`.'),
})

/** A cached page as the overview shows it. */
export type CachedPage = AnswerOf<typeof cachedPageShape>

/** `wpconfig`: the configuration of the process forbids it. `dropin`: somebody else has the front (contract 6). */
export const cacheStatusShape = z.enum(['active', 'wpconfig', 'dropin'])

/** The pages that are kept, and the front that answers with them. */
export interface PageCache {
  status(): z.output<typeof cacheStatusShape>
  /**
   * Takes pages away, in memory and on disk, now: those of these URLs in all variants (queries included), and those
   * with one of these tags. Nothing whose rendering began before is stored after it. Answers the URLs that were taken.
   */
  purge(what: { readonly urls?: readonly string[]; readonly tags?: readonly string[] } | 'all'): string[]
  /** The next visitor gets the old page once more, while it is rendered anew. For what no visitor needs to see at once. */
  refresh(urls: readonly string[]): void
  /** Renders a page into the cache unless a fresh one is there. `path` with its query. */
  warm(path: string): Promise<'stored' | 'fresh' | 'skipped' | 'failed'>
  list(): Iterable<CachedPage>
  /** Visitors of this process so far: those who got a kept page, and those who waited for it to be rendered. */
  counts(): { hits: number; misses: number }
  close(): Promise<void>
}

export const ASSET_TYPES = ['css', 'js', 'image', 'font'] as const

export type AssetType = (typeof ASSET_TYPES)[number]

export const optimizedAssetShape = z.object({
  url: z.string().describe('Where the optimised file is served.'),
  type: z.enum(ASSET_TYPES),
  ...{ originalSize: z.int().describe('Bytes.'), size: z.int().describe('Bytes.') },
  savings: z.number().describe('Per cent saved, 0 to 100.'),
})

/** An optimised file as the overview shows it. */
export type OptimizedAsset = AnswerOf<typeof optimizedAssetShape>

/** What the optimiser made: files below `/wp-content/uploads/speed/assets/`, named by their content. */
export interface Assets {
  list(): Iterable<OptimizedAsset>
  /** How many are in the making. */
  readonly waiting: number
  /** Removes all of them; pages that name them must be purged first. */
  clear(): Promise<void>
}

/** Rewrites pages as they are rendered (filter `page_html`). */
export interface Optimizer {
  readonly assets: Assets
  /** Which settings changed the page that this request rendered (`X-Request-Id`); told once. */
  appliedTo(requestId: string): readonly string[]
  close(): Promise<void>
}
