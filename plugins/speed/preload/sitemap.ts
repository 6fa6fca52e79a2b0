import { Parser } from 'htmlparser2'
import type { ExtensionHost } from 'pentad'

/** Addresses that a preload takes in. */
const MOST_PAGES = 10_000
/** Sitemaps that are read. */
const MOST_MAPS = 200
/** Where core has its own. */
const CORE_SITEMAP = '/wp-sitemap.xml'

/**
 * Paths of the pages in the sitemaps of this site, as `robots.txt` names them, in their order. Sitemaps and pages of
 * other hosts are left out.
 *
 * @param isWanted - Asked before each sitemap; once it is not, none is read any more.
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
  // A set hands out what is added to it on the way, and nothing twice.
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

/** Path and query of an address of this site, over TLS or not; `undefined` of any other. */
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
        // Images have a `<loc>` of their own, in another namespace.
        if (/^\/(?:urlset\/url|sitemapindex\/sitemap)\/loc$/.test(path)) urls.push(text.trim())
        path = path.slice(0, -(name.length + 1))
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return { isIndex, urls }
}
