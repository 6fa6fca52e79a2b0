import { type FilterShapes, listOf, membersOf } from 'pentad'
import type { SitemapImage, SitemapUrl } from './types.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * Filters the pages of one sitemap. Removing a page here does not keep it out of search results; use `seo_robots`
     * for that. URLs of other sites, and those after the first 2,000, are ignored.
     * @param urls Pages of the sitemap, ordered by ID.
     * @param map Name of the sitemap (`posts-page`, `taxonomies-category`, or `users`) and its number.
     * @since 0.1.0
     * @example
     * ```ts
     * import { defineExtension } from 'pentad'
     *
     * export default defineExtension({
     *   id: 'brochure',
     *   name: 'Brochure',
     *   version: '1.0.0',
     *   setup({ hooks, site }) {
     *     hooks.addFilter('seo_sitemap_urls', (urls, { name, number }) =>
     *       name === 'posts-page' && number === 1 ? [...urls, { url: `${site.url}/brochure.pdf` }] : urls,
     *     )
     *   },
     * })
     * ```
     */
    seo_sitemap_urls: [urls: readonly SitemapUrl[], map: { readonly name: string; readonly number: number }]
  }
}

/** Valid results of these filters, checked at run time. */
export const filterShapes = {
  seo_sitemap_urls: listOf(
    membersOf<SitemapUrl>(
      { lastModified: 'string', images: listOf(membersOf<SitemapImage>({ title: 'string' }, { url: 'string' })) },
      { url: 'string' },
    ),
  ),
} satisfies FilterShapes
