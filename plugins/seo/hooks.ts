import { type FilterShapes, type PageContext, recordOf } from 'pentad'
import type { Robots } from './head/robots-directives.ts'
import type { Subject } from './head/subject.ts'
import type { RedirectRule } from './redirects/types.ts'

declare module 'pentad' {
  interface Actions {
    /**
     * Fires after redirects are created, updated, deleted, or imported, once for each operation. The redirects are
     * already active.
     * @param change The operation and its redirects: as they are now, or, if deleted, as they were before.
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
     * Filters the robots directives of a page. They also determine whether the page is listed in sitemaps and
     * `llms.txt` and submitted to IndexNow.
     * @param robots Directives by name: `{ noindex: true, 'max-image-preview': 'large' }`; `false` omits one.
     * @param subject The page. Outside of page requests, such as for sitemaps: its kind, URL, post, term, author, or post
     * type.
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
     * Filters the canonical URL of a page. A page whose canonical URL is not its own is excluded from sitemaps.
     * @param url Absolute URL, or `null` for none.
     * @param subject The page, as for `seo_robots`.
     * @since 0.1.0
     */
    seo_canonical: [url: string | null, subject: Subject]
  }

  interface AsyncFilters {
    /**
     * Filters the SEO title of a page: the plain text of `<title>`.
     * @param title The title from the SEO field or the template.
     * @param page The current page.
     * @since 0.1.0
     */
    seo_title: [title: string, page: PageContext]
    /**
     * Filters the meta description of a page, as plain text. Not applied on 404 pages.
     * @param description The description from the SEO field or the template, or the start of the content.
     * @param page The current page.
     * @since 0.1.0
     */
    seo_description: [description: string, page: PageContext]
  }
}

/** Valid results of these filters, checked at run time. */
export const filterShapes = {
  seo_robots: recordOf('boolean', 'string'),
  seo_canonical: ['string', 'null'],
  seo_title: 'string',
  seo_description: 'string',
} satisfies FilterShapes
