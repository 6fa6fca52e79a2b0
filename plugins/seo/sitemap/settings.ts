import { toggle } from 'pentad'

export const sitemapSettings = {
  xmlSitemap: toggle(
    'on',
    'XML sitemap',
    'Lists all indexable pages, with the date of their last change, for search engines.',
    'sitemap',
  ),
  sitemapImages: toggle('on', 'Images in sitemaps', 'Adds the images of each page to its sitemap entry.', 'sitemap'),
}
