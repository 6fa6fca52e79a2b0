import { Parser } from 'htmlparser2'
import type { ExtensionHost } from 'pentad'

/** Maximum pages of a preload. */
const MOST_PAGES = 10_000
/** Maximum sitemaps that are read. */
const MOST_MAPS = 200
/** Path of core's sitemap. */
const CORE_SITEMAP = '/wp-sitemap.xml'

/**
 * Paths of the pages in this site's sitemaps, as listed in `robots.txt`, in order. Other hosts are ignored.
 *
 * @param isWanted - Called before each sitemap; reading stops when it returns `false`.
 */
export async function readSitemap(
  { front, site }: Pick<ExtensionHost, 'front' | 'site'>,
  isWanted: () => boolean,
): Promise<string[]> {
  const named = await textAt('/robots.txt')
  const maps = new Set(
    [...named.matchAll(/^\s*sitemap:\s*(\S+)/gim)].flatMap(([, url = '']) => pathHere(url, site.url) ?? []),
  )
  if (maps.size === 0) maps.add(CORE_SITEMAP)
  const pages = new Set<string>()
  // Iterating a set includes entries added meanwhile, without duplicates.
  let read = 0
  for (const map of maps) {
    if (read++ >= MOST_MAPS || pages.size >= MOST_PAGES || !isWanted()) break
    const { isIndex, urls } = readLocations(await textAt(map))
    for (const url of urls) {
      const path = pathHere(url, site.url)
      if (path === undefined) continue
      if (isIndex) maps.add(path)
      else if (pages.size < MOST_PAGES) pages.add(path)
    }
  }
  return [...pages]

  async function textAt(path: string): Promise<string> {
    const { status, body } = await front.render(path)
    return status === 200 ? body.toString('utf8') : ''
  }
}

/** Path and query of a URL of this site (http or https); `undefined` for others. */
export function pathHere(address: string, siteUrl: string): string | undefined {
  const url = URL.parse(address.trim(), siteUrl)
  return url?.host === new URL(siteUrl).host && /^https?:$/.test(url.protocol) ? url.pathname + url.search : undefined
}

/** The `<loc>`s of a sitemap or of an index of sitemaps (https://www.sitemaps.org/protocol.html). */
function readLocations(xml: string): { isIndex: boolean; urls: string[] } {
  const urls: string[] = []
  let isIndex = false
  let path = ''
  let text = ''
  const parser = new Parser(
    {
      onopentag(name) {
        if (name === 'sitemapindex') isIndex = true
        path += `/${name}`
        text = ''
      },
      ontext(part) {
        text += part
      },
      onclosetag(name) {
        // Images have their own `<loc>` in another namespace.
        if (/^\/(?:urlset\/url|sitemapindex\/sitemap)\/loc$/.test(path)) urls.push(text.trim())
        path = path.slice(0, -(name.length + 1))
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return { isIndex, urls }
}
