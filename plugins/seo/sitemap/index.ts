import { type ExtensionHost, isPublicSite, type PageContext } from 'pentad'
import { z } from 'zod'
import { createAllMaps } from './all-maps.ts'
import './hooks.ts'
import type { Indexable } from '../indexable.ts'
import type { SeoSettings } from '../settings.ts'
import { createMemo } from './memo.ts'
import { purgeOnMeta } from './purge-on-meta.ts'
import type { SitemapUrl } from './types.ts'
import { writeIndex, writeUrlset } from './xml.ts'

/** Maximum number of pages in one sitemap. */
const MOST_URLS = 2000
/** Sitemaps that are held in memory: one with many images has 3 MB. */
const MOST_WRITTEN = 10
/** The default path, as in WordPress: it stays the same when the service is turned on or off. */
const INDEX = '/wp-sitemap.xml'
const MAP = /^\/wp-sitemap-([a-z\d_-]+)-([1-9]\d{0,5})\.xml$/
/** Paths used by people and other plugins (Yoast SEO, Rank Math). */
const OTHER_ADDRESSES: ReadonlySet<string> = new Set(['/sitemap.xml', '/sitemap_index.xml'])

/** Valid results of the filter. */
const urlsSchema: z.ZodType<readonly SitemapUrl[]> = z.array(
  z.object({
    url: z.string(),
    lastModified: z.string().optional(),
    images: z.array(z.object({ url: z.string(), title: z.string().optional() })).optional(),
  }),
)

/** Sitemap data for `robots.txt`. */
export interface Sitemap {
  /** Absolute URL of the index; `undefined` if there is none. */
  url(): string | undefined
}

/** Replaces the default sitemaps with an index and sitemaps of all indexable pages. */
export function registerSitemap(
  host: ExtensionHost,
  { settings, indexable }: { settings: () => SeoSettings; indexable: Indexable },
): Sitemap {
  const { content, hooks, log, site } = host
  const allMaps = createAllMaps(host, { settings, indexable, mostUrls: MOST_URLS })
  const indexes = createMemo<string | undefined>(host, settings)
  const written = createMemo<string | undefined>(host, settings, MOST_WRITTEN)
  const isOn = () => settings().xmlSitemap === 'on' && isPublicSite(host.options)

  async function index(): Promise<{ xml: string | undefined; tags: string[] }> {
    const all = allMaps()
    // A filter may name other types or taxonomies for each request.
    const xml = await indexes(`index of ${[...all.keys()].join()}`, async () => {
      const parts = []
      for (const [name, maps] of all) {
        for (const { number, lastModified } of await maps.list())
          parts.push({ url: `${site.url}/wp-sitemap-${name}-${number}.xml`, lastModified })
      }
      return writeIndex(parts)
    })
    return { xml, tags: [...all.values()].flatMap(({ tags }) => tags) }
  }

  async function map(
    page: PageContext,
    name: string,
    number: number,
  ): Promise<{ xml: string | undefined; tags: readonly string[] }> {
    const maps = allMaps().get(name)
    if (!maps) return { xml: undefined, tags: [] }
    const write = async () => {
      const urls = await filtered(page, await maps.read(number), { name, number })
      return writeUrlset(urls.slice(0, MOST_URLS), site.url)
    }
    // Images are those in the content, with the titles of their attachments.
    const isReusable = content.isShownAsStored() && !hooks.hasFilter('seo_sitemap_urls')
    return { xml: await (isReusable ? written(`${name} ${number}`, write) : write()), tags: maps.tags }
  }

  async function filtered(page: PageContext, urls: readonly SitemapUrl[], map: { name: string; number: number }) {
    if (!hooks.hasFilter('seo_sitemap_urls')) return urls
    const limited = hooks.limited({ signal: page.signal })
    const { data, error } = urlsSchema.safeParse(await limited.applyFiltersAsync('seo_sitemap_urls', urls, map))
    if (error) log.error({ err: error, map }, 'invalid result of filter seo_sitemap_urls ignored')
    return data ?? urls
  }

  async function respond(page: PageContext): Promise<void> {
    const { path } = page.request
    const [, name = '', number] = MAP.exec(path) ?? []
    if (path !== INDEX && name === '') return
    const { xml, tags } = path === INDEX ? await index() : await map(page, name, Number(number))
    // A sitemap without pages is invalid.
    if (xml === undefined) return
    const headers = {
      'Content-Type': 'application/xml; charset=UTF-8',
      'Cache-Control': 'public, max-age=0, must-revalidate',
      'X-Robots-Tag': 'noindex, follow',
    }
    page.respond({ headers, body: xml, tags: [...new Set(tags)] })
  }

  hooks.addFilter('wp_sitemaps_enabled', () => false)
  hooks.addAction('template_redirect', (page) => {
    if (page.responded || page.status !== 404 || !isOn()) return
    if (!OTHER_ADDRESSES.has(page.request.path)) return respond(page)
    page.redirect(INDEX, 301)
  })
  purgeOnMeta(host)

  return { url: () => (isOn() ? site.url + INDEX : undefined) }
}
