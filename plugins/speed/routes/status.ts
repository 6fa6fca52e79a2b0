import { type ResponseOf, type Route, success, successSchema } from 'pentad'
import { z } from 'zod'
import type { History } from '../history/index.ts'
import type { Preload } from '../preload/index.ts'
import {
  ASSET_TYPES,
  type Assets,
  cacheStatusShape,
  type OptimizedAsset,
  type PageCache,
  preloadShape,
} from '../types.ts'
import { queuedShape } from './purge.ts'

/** `POST /cache-status`: whether pages are cached, and if not, why. */
export function cacheStatus(cache: PageCache): Route {
  return {
    method: 'POST',
    path: '/cache-status',
    access: 'manage_options',
    summary:
      'Returns the status of the page cache: `active`, `wpconfig` (turned off in the configuration), or `dropin` (another extension responds first).',
    response: successSchema(z.object({ status: cacheStatusShape })),
    handler: () => success({ status: cache.status() }),
  }
}

/** `POST /preload-cache`: renders uncached pages in the background. */
export function preloadCache(preload: Preload): Route {
  return {
    method: 'POST',
    path: '/preload-cache',
    access: 'manage_options',
    summary: 'Starts preloading the pages in the sitemap that are not cached.',
    response: successSchema(z.object({ preload: queuedShape })),
    handler: async () => success({ preload: { queued: await preload.everything() } }),
  }
}

/** `POST /preload-cache/cancel`: pages rendered so far stay cached. */
export function cancelPreload(preload: Preload): Route {
  return {
    method: 'POST',
    path: '/preload-cache/cancel',
    access: 'manage_options',
    summary: 'Stops preloading after the current page is finished.',
    response: successSchema(z.object({ preload: preloadShape })),
    async handler() {
      await preload.cancel()
      return success({ preload: preload.progress() })
    },
  }
}

/** Number of days in the visit totals. */
const DAYS = 7

/** Sizes in bytes. */
const totals = { total: z.int(), originalSize: z.int(), size: z.int() }
const overviewShape = z.object({
  status: cacheStatusShape,
  pages: z.object({ total: z.int(), stale: z.int(), size: z.int(), compressedSize: z.int() }),
  visits: z.object({ days: z.int(), hits: z.int(), misses: z.int() }),
  assets: z.object({ ...totals, types: z.array(z.object({ type: z.enum(ASSET_TYPES), ...totals })) }),
  preload: preloadShape,
  optimizer: z.object({ waiting: z.int() }),
})

type Overview = ResponseOf<typeof overviewShape>

/** `GET /cache-overview/fetch`: totals of cached pages and optimized files, and work in progress. */
export function cacheOverview(parts: { cache: PageCache; assets: Assets; preload: Preload; history: History }): Route {
  const { cache, assets, preload, history } = parts
  return {
    method: 'GET',
    path: '/cache-overview/fetch',
    access: 'manage_options',
    summary: 'Returns totals of cached pages and optimized files, and work in progress.',
    response: successSchema(overviewShape),
    async handler() {
      const pages = [...cache.list()]
      return success<Overview>({
        status: cache.status(),
        pages: {
          total: pages.length,
          stale: pages.filter(({ status }) => status === 'stale').length,
          size: sum(pages, ({ size }) => size),
          compressedSize: sum(pages, ({ compressedSize }) => compressedSize),
        },
        visits: { days: DAYS, ...(await history.visits(DAYS)) },
        assets: assetTotals([...assets.list()]),
        preload: preload.progress(),
        optimizer: { waiting: assets.waiting },
      })
    },
  }
}

function assetTotals(assets: readonly OptimizedAsset[]): Overview['assets'] {
  const totalsOf = (files: readonly OptimizedAsset[]) => ({
    total: files.length,
    originalSize: sum(files, ({ originalSize }) => originalSize),
    size: sum(files, ({ size }) => size),
  })
  const types = ASSET_TYPES.map((type) => ({ type, ...totalsOf(assets.filter((asset) => asset.type === type)) }))
  return { ...totalsOf(assets), types: types.filter(({ total }) => total > 0) }
}

function sum<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0)
}
