import { type Route, success } from 'pentad'
import type { Preload } from '../preload/index.ts'
import type { PageCache } from '../types.ts'

/** `POST /cache-status`: whether pages are cached, and if not, why (contract 6). */
export function cacheStatus(cache: PageCache): Route {
  return {
    method: 'POST',
    path: '/cache-status',
    access: 'manage_options',
    summary: 'Whether pages are cached: active, wpconfig or dropin.',
    handler: () => success({ status: cache.status() }),
  }
}

/** `POST /preload-cache`: renders what is not cached, in the background. */
export function preloadCache(preload: Preload): Route {
  return {
    method: 'POST',
    path: '/preload-cache',
    access: 'manage_options',
    summary: 'Renders the pages of the sitemap that are not cached.',
    handler: async () => success({ preload: { queued: await preload.everything() } }),
  }
}
