import type { FilterShapes } from '../../core/hooks/shapes.ts'
import { listOf } from '../../core/hooks/value-checks.ts'
import type { Change, ChangeSource, Purge, PurgeRequest } from './types.ts'

declare module '../../core/hooks/names.ts' {
  interface Actions {
    /**
     * Requests a purge. Dispatch it when content that an extension shows on pages has changed. Tag such pages with
     * `page.addTags`. The page cache has purged them by the time the dispatch returns; a few milliseconds later the purge is in the
     * change log, from which caches in front of the site are purged. Invalid URLs and tags are logged and ignored.
     *
     * @param request URLs or paths, tags, and the reason.
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
     *       if (name === 'prices') hooks.doAction('purge_pages', { tags: ['prices'], reason: 'Prices changed.' })
     *     })
     *   },
     * })
     * ```
     */
    purge_pages: [request: PurgeRequest]

    /**
     * Fires when a purge has been recorded in the change log, whether or not the performance service is active.
     *
     * @param change The entry.
     * @since 0.1.0
     */
    pages_purged: [change: Change]
  }

  interface AsyncActions {
    /**
     * Fires before an administrator purges pages by URL or tag, or before a dry run or soft purge of any pages: a page cache loads the list of its
     * pages, so that `purge_urls` can return them.
     *
     * @since 0.1.0
     */
    pre_purge: []
  }

  interface Filters {
    /**
     * Filters whether a change purges the pages that show it. Not applied to purges that an administrator or an extension requests.
     *
     * @param isPurged Default `true`.
     * @param source `option` or `extension` for changes that affect all pages; `site` for others that do, such as an import;
     *   `content` for the rest.
     * @param name Name of the option, or ID of the extension; otherwise empty.
     * @since 0.1.0
     */
    purge_on_change: [isPurged: boolean, source: ChangeSource, name: string]

    /**
     * Filters the URLs of a purge, at the moment when pages become outdated. A page cache removes them here, before the change is
     * confirmed, and adds the URLs of pages that it removed because of their tags.
     *
     * @param urls Absolute URLs of the outdated pages.
     * @param purge Scope, tags, and reason. Any scope but `url` and `urls` means all pages.
     * @param isPreview Whether this is a dry run: return the URLs without removing any pages.
     * @param isExternal Whether another process recorded the purge in the change log; if so, the returned URLs are ignored.
     * @since 0.1.0
     */
    purge_urls: [urls: readonly string[], purge: Purge, isPreview: boolean, isExternal: boolean]
  }
}

/** Runtime checks of the values that these filters return. */
export const filterShapes = {
  purge_on_change: 'boolean',
  purge_urls: listOf('string'),
} satisfies FilterShapes
