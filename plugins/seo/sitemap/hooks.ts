import { type FilterShapes, listOf, membersOf } from 'pentad'
import type { SitemapImage, SitemapUrl } from './types.ts'

declare module 'pentad' {
  interface AsyncFilters {
    /**
     * The pages of one sitemap. What is left out here stays open to search engines that find it elsewhere: the filter
     * `seo_robots` keeps a page out of both. Addresses of other sites, and those after the first 2,000, are left out.
     * @param urls pages of the map, by id
     * @param map its name, `posts-page`, `taxonomies-category` or `users`, and its number
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

/** What these filters may return at run time. */
export const filterShapes = {
  seo_sitemap_urls: listOf(
    membersOf<SitemapUrl>(
      { lastModified: 'string', images: listOf(membersOf<SitemapImage>({ title: 'string' }, { url: 'string' })) },
      { url: 'string' },
    ),
  ),
} satisfies FilterShapes
