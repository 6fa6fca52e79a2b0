import { type FilterShapes, listOf, type Purge, type PurgeRequest } from 'pentad'
import type { PreloadResult } from './types.ts'

declare module 'pentad' {
  interface Actions {
    /**
     * Requests a purge while the performance service is active.
     *
     * @param request URLs or paths, tags, and the reason.
     * @deprecated Use `purge_pages`, which also works while the service is inactive.
     * @since 0.1.0
     */
    speed_purge: [request: PurgeRequest]
  }

  interface AsyncActions {
    /**
     * Fires before the cached copy of one page is purged at the request of an administrator. As with all purge actions,
     * neither the purge nor the response waits for callbacks. If a callback fails, the action is dispatched again later
     * to all callbacks, possibly with several purges merged into one, so callbacks must be idempotent.
     *
     * @param purge The URL and the reason.
     * @since 0.1.0
     */
    'speed_purge_url:before': [purge: Purge]

    /**
     * Fires after the cached copy of one page is purged at the request of an administrator, even if it was not cached.
     *
     * @param purge The URL and the reason.
     * @since 0.1.0
     */
    'speed_purge_url:after': [purge: Purge]

    /**
     * Fires after content changes, before `speed_purge_urls:after`. Changes within a few milliseconds are merged. The
     * pages of this site are already purged, so that no outdated page is served after the change is confirmed.
     *
     * @param purge URLs and tags of the purged pages: the changed content, and lists that may show it.
     * @since 0.1.0
     */
    'speed_purge_urls:before': [purge: Purge]

    /**
     * Fires after content changes and the pages that show it are purged, even if none was cached.
     *
     * @param purge URLs and tags of the purged pages: the changed content, and lists that may show it.
     * @since 0.1.0
     */
    'speed_purge_urls:after': [purge: Purge]

    /**
     * Fires before all cached pages are purged, at the request of an administrator or because something changed that
     * affects all pages, such as the theme.
     *
     * @param purge The purge, with its reason; `urls` and `tags` are empty.
     * @since 0.1.0
     */
    'speed_purge_pages:before': [purge: Purge]

    /**
     * Fires after all cached pages are purged. Optimized files are kept.
     *
     * @param purge The purge, with its reason; `urls` and `tags` are empty.
     * @since 0.1.0
     */
    'speed_purge_pages:after': [purge: Purge]

    /**
     * Like `speed_purge_pages:before`, for a purge with the scope `cache`.
     *
     * @param purge The purge, with its reason; `urls` and `tags` are empty.
     * @since 0.1.0
     */
    'speed_purge_cache:before': [purge: Purge]

    /**
     * Like `speed_purge_pages:after`, for a purge with the scope `cache`.
     *
     * @param purge The purge, with its reason; `urls` and `tags` are empty.
     * @since 0.1.0
     */
    'speed_purge_cache:after': [purge: Purge]

    /**
     * Fires before the whole cache, including optimized files, is purged at the request of an administrator.
     *
     * @param purge The purge, with its reason; `urls` and `tags` are empty.
     * @since 0.1.0
     */
    'speed_purge_everything:before': [purge: Purge]

    /**
     * Fires after the whole cache, including optimized files, is purged.
     *
     * @param purge The purge, with its reason; `urls` and `tags` are empty.
     * @since 0.1.0
     */
    'speed_purge_everything:after': [purge: Purge]

    /**
     * Fires after every `speed_purge_…:after` with the same argument. To keep a cache up to date, `host.changes.follow` is simpler: it retries
     * failed purges, even after a restart.
     *
     * @param purge Scope, URLs, tags, and reason.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'my-cdn',
     *   name: 'My CDN',
     *   version: '1.0.0',
     *   setup({ hooks, fetch }) {
     *     hooks.addAction('speed_purged', async ({ scope, urls }) => {
     *       const what = scope === 'url' || scope === 'urls' ? { urls } : { all: true }
     *       const response = await fetch('https://cdn.example/purge', { method: 'POST', body: JSON.stringify(what) })
     *       if (!response.ok) throw new Error('The CDN rejected the purge.')
     *     })
     *   },
     * })
     * ```
     */
    speed_purged: [purge: Purge]

    /**
     * Fires after a preload finishes, or is aborted after consecutive failures.
     *
     * @param result Counts of cached, skipped, and failed pages.
     * @since 0.1.0
     */
    speed_preloaded: [result: PreloadResult]
  }

  interface AsyncFilters {
    /**
     * Filters the pages that a preload of the whole site renders.
     *
     * @param urls URLs from the sitemap, most visited first; URLs of other sites are removed afterward.
     * @since 0.1.0
     */
    speed_preload_urls: [urls: readonly string[]]
  }
}

/** Runtime checks of the values that these filters return. */
export const filterShapes = {
  speed_preload_urls: listOf('string'),
} satisfies FilterShapes
