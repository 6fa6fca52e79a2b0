import { toggle } from 'pentad'

export const sitemapSettings = {
  xmlSitemap: toggle('on', 'Sitemap', 'Lists every page that search engines may keep, and when it changed.', 'sitemap'),
  sitemapImages: toggle('on', 'Images in the sitemap', 'Lists the images of each page with it.', 'sitemap'),
}
