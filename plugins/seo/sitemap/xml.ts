import { escapeHtml } from 'pentad'
import type { SitemapImage, SitemapUrl } from './types.ts'

/** Maximum length of a URL in the sitemap schema. */
const LONGEST_URL = 2048
/** Maximum number of images per page: Google reads 1,000, and a sitemap must not exceed 50 MB. */
const MOST_IMAGES = 1000
const MOST_IMAGES_OF_MAP = 20_000
/** W3C Datetime (https://www.w3.org/TR/NOTE-datetime), in the formats used here. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/
/** Characters not allowed in XML 1.0, including lone surrogates. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/**
 * A sitemap (https://www.sitemaps.org/protocol.html) with Google's image extension. Skips URLs of other sites, and
 * invalid dates and images, which an extension may have added.
 * @param origin origin of the site
 * @returns `undefined` if no page is left, since an empty sitemap is invalid
 */
export function writeUrlset(urls: readonly SitemapUrl[], origin: string): string | undefined {
  let imagesLeft = MOST_IMAGES_OF_MAP
  const lines = urls.flatMap(({ url, lastModified, images = [] }) => {
    const address = readUrl(url)
    if (address?.origin !== origin) return []
    const shown = imageElements(images.slice(0, Math.min(MOST_IMAGES, imagesLeft)))
    imagesLeft -= shown.length
    return [`<url>${element('loc', address.href)}${modified(lastModified)}${shown.join('')}</url>\n`]
  })
  if (lines.length === 0) return undefined
  return document('urlset', lines, ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"')
}

/** A sitemap index; `undefined` if it would be empty. */
export function writeIndex(maps: readonly Pick<SitemapUrl, 'url' | 'lastModified'>[]): string | undefined {
  const lines = maps.map(
    ({ url, lastModified }) => `<sitemap>${element('loc', url)}${modified(lastModified)}</sitemap>\n`,
  )
  return lines.length === 0 ? undefined : document('sitemapindex', lines)
}

function document(root: string, lines: readonly string[], namespaces = ''): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${namespaces}>
${lines.join('')}</${root}>
`
}

function imageElements(images: readonly SitemapImage[]): string[] {
  return images.flatMap(({ url, title = '' }) => {
    const address = readUrl(url)
    if (!address) return []
    const named = title.trim() === '' ? '' : element('image:title', title.trim())
    return [`<image:image>${element('image:loc', address.href)}${named}</image:image>`]
  })
}

/** A URL in ASCII; `undefined` if it is not http(s) or too long. */
function readUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && url.href.length <= LONGEST_URL ? url : undefined
}

function modified(moment: string | undefined): string {
  return moment !== undefined && MOMENT.test(moment) && !Number.isNaN(Date.parse(moment))
    ? element('lastmod', moment)
    : ''
}

function element(name: string, text: string): string {
  return `<${name}>${escapeHtml(text.replace(NOT_IN_XML, ''))}</${name}>`
}
