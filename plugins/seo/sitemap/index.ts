import { type ExtensionHost, isPublicSite, type PageContext } from 'pentad'
import './hooks.ts'
import type { Indexable } from '../indexable.ts'
import type { SeoSettings } from '../settings.ts'
import { createAuthorMaps } from './author-maps.ts'
import { createDateMaps } from './date-maps.ts'
import { createPostMaps } from './post-maps.ts'
import { purgeOnMeta } from './purge-on-meta.ts'
import { createTermMaps } from './term-maps.ts'
import type { Maps } from './types.ts'
import { writeIndex, writeUrlset } from './xml.ts'

/** Pages that one map lists at most (contract 5). */
const MOST_URLS = 2000
/** Core's and WordPress's address: it stays when the service is switched on or off. */
const INDEX = '/wp-sitemap.xml'
const MAP = /^\/wp-sitemap-([a-z\d_-]+)-([1-9]\d{0,5})\.xml$/
/** Where people and other plugins (Yoast SEO, Rank Math) have it. */
const OTHER_ADDRESSES: ReadonlySet<string> = new Set(['/sitemap.xml', '/sitemap_index.xml'])

/** What `robots.txt` says of the sitemaps. */
export interface Sitemap {
  /** Absolute URL of the index; `undefined` where there is none. */
  url(): string | undefined
}

/** Takes the place of core's sitemaps: an index and maps of all pages that search engines may keep, and of no others. */
export function registerSitemap(
  host: ExtensionHost,
  { settings, indexable }: { settings: () => SeoSettings; indexable: Indexable },
): Sitemap {
  const { content, hooks, site } = host
  const isOn = () => settings().xmlSitemap === 'on' && isPublicSite(host.options)

  /** By the name in their address: `posts-page`, `taxonomies-category`, `users`. */
  function allMaps(): Map<string, Maps> {
    const mostUrls = (of: 'post' | 'term' | 'user') =>
      Math.min(MOST_URLS, Math.max(1, Math.trunc(hooks.applyFilters('wp_sitemaps_max_urls', MOST_URLS, of))))
    const images = settings().sitemapImages === 'on'
    const maps = new Map<string, Maps>()
    for (const type of postTypes()) {
      const parts = { type, indexable, images, posts: isOpen(type), mostUrls: mostUrls('post') }
      maps.set(`posts-${type}`, createPostMaps(host, parts))
    }
    for (const taxonomy of taxonomies()) {
      const parts = { taxonomy, indexable, mostUrls: mostUrls('term') }
      maps.set(`taxonomies-${taxonomy.name}`, createTermMaps(host, parts))
    }
    maps.set('users', createAuthorMaps(host, { indexable, mostUrls: mostUrls('user') }))
    if (settings().noindexDates === 'off' || hooks.hasFilter('seo_robots'))
      maps.set('dates', createDateMaps(host, { indexable, mostUrls: mostUrls('post') }))
    return maps
  }

  /** Whether posts of a type are looked at one by one: a filter may let one in of a type that the settings keep out. */
  const isOpen = (type: string) => !settings().noindexTypes.includes(type) || hooks.hasFilter('seo_robots')

  function postTypes(): readonly string[] {
    const types = [...content.postTypes().values()].filter((type) => type.public)
    return hooks.applyFilters(
      'wp_sitemaps_post_types',
      types.map(({ name }) => name),
    )
  }

  function taxonomies() {
    const all = [...content.taxonomies().values()].filter((taxonomy) => taxonomy.public)
    const names = hooks.applyFilters(
      'wp_sitemaps_taxonomies',
      all.map(({ name }) => name),
    )
    return all.filter(({ name }) => names.includes(name))
  }

  async function index(): Promise<{ xml: string | undefined; tags: string[] }> {
    const all = allMaps()
    const parts = []
    for (const [name, maps] of all) {
      for (const { number, lastModified } of await maps.list())
        parts.push({ url: `${site.url}/wp-sitemap-${name}-${number}.xml`, lastModified })
    }
    return { xml: writeIndex(parts), tags: [...all.values()].flatMap(({ tags }) => tags) }
  }

  async function map(
    page: PageContext,
    name: string,
    number: number,
  ): Promise<{ xml: string | undefined; tags: readonly string[] }> {
    const maps = allMaps().get(name)
    if (!maps) return { xml: undefined, tags: [] }
    const limited = hooks.limited({ signal: page.signal })
    const urls = await limited.applyFiltersAsync('seo_sitemap_urls', await maps.read(number), { name, number })
    return { xml: writeUrlset(urls.slice(0, MOST_URLS), site.url), tags: maps.tags }
  }

  async function answer(page: PageContext): Promise<void> {
    const { path } = page.request
    const [, name = '', number] = MAP.exec(path) ?? []
    if (path !== INDEX && name === '') return
    const { xml, tags } = path === INDEX ? await index() : await map(page, name, Number(number))
    // A map without pages would not be valid.
    if (xml === undefined) return
    const headers = {
      'Content-Type': 'application/xml; charset=UTF-8',
      'Cache-Control': 'public, max-age=0, must-revalidate',
      'X-Robots-Tag': 'noindex, follow',
    }
    page.respond({ headers, body: xml, tags: [...new Set(tags)] })
  }

  hooks.addFilter('wp_sitemaps_enabled', () => false)
  hooks.addAction('template_redirect', async (page) => {
    if (page.answered || page.status !== 404 || !isOn()) return
    if (OTHER_ADDRESSES.has(page.request.path)) page.redirect(INDEX, 301)
    else await answer(page)
  })
  purgeOnMeta(host)

  return { url: () => (isOn() ? site.url + INDEX : undefined) }
}
