import { type FilterShapes, type PageContext, recordOf } from 'pentad'
import type { Robots } from './head/robots-directives.ts'
import type { Subject } from './head/subject.ts'
import type { RedirectRule } from './redirects/types.ts'

declare module 'pentad' {
  interface Actions {
    /**
     * Fires when redirect rules were made, changed or deleted, once for each call. They count already.
     * @param change what happened, and the rules: as they are now, or as they were before they were deleted
     * @since 0.1.0
     */
    seo_redirects_changed: [
      change: {
        readonly type: 'created' | 'updated' | 'deleted' | 'imported'
        readonly rules: readonly RedirectRule[]
      },
    ]
  }

  interface Filters {
    /**
     * What robots are told about a page; also decides whether it is in sitemaps, `llms.txt` and IndexNow.
     * @param robots directives by name: `{ noindex: true, 'max-image-preview': 'large' }`; `false` leaves one out
     * @param subject the page, or of one that is not shown now its kind, address, post, term, author or type
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'news-only',
     *   name: 'News only',
     *   version: '1.0.0',
     *   setup({ hooks }) {
     *     hooks.addFilter('seo_robots', (robots, { post }) => (post?.type === 'page' ? { ...robots, noindex: true } : robots))
     *   },
     * })
     * ```
     */
    seo_robots: [robots: Robots, subject: Subject]
    /**
     * The address that search engines should keep for a page. A page whose canonical address is another one is in no
     * sitemap.
     * @param url absolute, or `null` for none
     * @param subject as for `seo_robots`
     * @since 0.1.0
     */
    seo_canonical: [url: string | null, subject: Subject]
  }

  interface AsyncFilters {
    /**
     * The title of a page for search engines: the text of `<title>`, plain.
     * @param title what field or template made of it
     * @param page the page shown
     * @since 0.1.0
     */
    seo_title: [title: string, page: PageContext]
    /**
     * The description of a page for search engines, plain; not fired for a page that is not found.
     * @param description what field or template made of it, or the beginning of the text
     * @param page the page shown
     * @since 0.1.0
     */
    seo_description: [description: string, page: PageContext]
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  seo_robots: recordOf('boolean', 'string'),
  seo_canonical: ['string', 'null'],
  seo_title: 'string',
  seo_description: 'string',
} satisfies FilterShapes
