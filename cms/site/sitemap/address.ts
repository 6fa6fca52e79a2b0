/** The sitemap of a URL: the index, or one sitemap of a kind of page. */
export type SitemapAddress =
  | { readonly of: 'index' }
  | { readonly of: 'posts' | 'taxonomies'; readonly name: string; readonly number: number }
  | { readonly of: 'users'; readonly number: number }

export const SITEMAP_INDEX = '/wp-sitemap.xml'

/** `/wp-sitemap-posts-page-2.xml`, `/wp-sitemap-users-1.xml`: WordPress's rewrite rules for sitemaps. */
const MAP = /^\/wp-sitemap-(?:(posts|taxonomies)-([a-z\d_-]+)|users)-([1-9]\d{0,5})\.xml$/

/** `undefined` for any other path. */
export function readSitemapAddress(path: string): SitemapAddress | undefined {
  if (path === SITEMAP_INDEX) return { of: 'index' }
  const match = MAP.exec(path)
  if (!match) return undefined
  const [, of, name = '', digits] = match
  const number = Number(digits)
  return of === 'posts' || of === 'taxonomies' ? { of, name, number } : { of: 'users', number }
}

export function sitemapPath(map: Exclude<SitemapAddress, { of: 'index' }>): string {
  const name = map.of === 'users' ? 'users' : `${map.of}-${map.name}`
  return `/wp-sitemap-${name}-${map.number}.xml`
}
