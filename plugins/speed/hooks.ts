import { type FilterShapes, listOf } from 'pentad'
import type { PreloadResult, Purge, PurgeRequest } from './types.ts'

declare module 'pentad' {
  interface Actions {
    /**
     * Asks for a purge: whatever an extension shows on pages and core does not know of has changed. Pages are tagged by
     * `page.addTags`. The pages of this site are gone when the dispatch ends; integrations hear of it by
     * `speed_purge_urls:…` and `speed_purged`. What is no page of this site and no tag is logged and left out.
     *
     * @param request URLs or paths, tags, and why
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'prices',
     *   name: 'Prices',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addAction('updated_option', (name) => {
     *       if (name === 'prices') hooks.doAction('speed_purge', { tags: ['prices'], reason: 'Prices changed.' })
     *     })
     *   },
     * })
     * ```
     */
    speed_purge: [request: PurgeRequest]
  }

  interface AsyncActions {
    /**
     * Fires before the cached copy of one page is removed on request of an administrator. As for all purge actions,
     * neither the purge nor the answer waits for listeners. One that fails is called again later, all others of that
     * name too, perhaps with several purges in one: a listener must be able to do the same twice.
     *
     * @param purge its URL, and why
     * @since 0.1.0
     */
    'speed_purge_url:before': [purge: Purge]

    /**
     * Fires after the cached copy of one page was removed on request of an administrator, also if there was none.
     *
     * @param purge its URL, and why
     * @since 0.1.0
     */
    'speed_purge_url:after': [purge: Purge]

    /**
     * Fires when content changed, before `speed_purge_urls:after`. Changes within a few milliseconds are told together.
     * The pages of this site went already: nobody may get one once the change was acknowledged.
     *
     * @param purge the pages that were cached, the addresses of what changed and of the lists that may show it, and tags
     * @since 0.1.0
     */
    'speed_purge_urls:before': [purge: Purge]

    /**
     * Fires when content changed and the pages that show it were removed, also if none was cached.
     *
     * @param purge the pages that were cached, the addresses of what changed and of the lists that may show it, and tags
     * @since 0.1.0
     */
    'speed_purge_urls:after': [purge: Purge]

    /**
     * Fires before all cached pages are removed: on request of an administrator, or because something changed that all
     * of them show, such as the theme.
     *
     * @param purge why; its lists are empty
     * @since 0.1.0
     */
    'speed_purge_pages:before': [purge: Purge]

    /**
     * Fires after all cached pages were removed. Optimised files stay.
     *
     * @param purge why; its lists are empty
     * @since 0.1.0
     */
    'speed_purge_pages:after': [purge: Purge]

    /**
     * Fires before all that is cached, except optimised files, is removed on request of an administrator.
     *
     * @param purge why; its lists are empty
     * @since 0.1.0
     */
    'speed_purge_cache:before': [purge: Purge]

    /**
     * Fires after all that is cached, except optimised files, was removed.
     *
     * @param purge why; its lists are empty
     * @since 0.1.0
     */
    'speed_purge_cache:after': [purge: Purge]

    /**
     * Fires before all that is cached, optimised files too, is removed on request of an administrator.
     *
     * @param purge why; its lists are empty
     * @since 0.1.0
     */
    'speed_purge_everything:before': [purge: Purge]

    /**
     * Fires after all that is cached, optimised files too, was removed.
     *
     * @param purge why; its lists are empty
     * @since 0.1.0
     */
    'speed_purge_everything:after': [purge: Purge]

    /**
     * Fires after every `speed_purge_…:after` with the same argument: the one name that an integration has to listen to.
     *
     * @param purge how much went, and why
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
     *       const answer = await fetch('https://cdn.example/purge', { method: 'POST', body: JSON.stringify(what) })
     *       if (!answer.ok) throw new Error('The CDN did not purge.')
     *     })
     *   },
     * })
     * ```
     */
    speed_purged: [purge: Purge]

    /**
     * Fires when a preload has come to its end, or was given up because page after page failed.
     *
     * @param result how many pages were rendered into the cache, were there already, or failed
     * @since 0.1.0
     */
    speed_preloaded: [result: PreloadResult]
  }

  interface AsyncFilters {
    /**
     * Pages that a preload of the whole site renders.
     *
     * @param urls those of the sitemap, most visited first; other sites' are left out afterwards
     * @since 0.1.0
     */
    speed_preload_urls: [urls: readonly string[]]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  speed_preload_urls: listOf('string'),
} satisfies FilterShapes
