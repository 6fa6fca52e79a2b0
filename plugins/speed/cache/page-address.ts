import { createNameMatcher } from './patterns.ts'

/** The cache key of a page, derived from the request URL. */
export interface PageAddress {
  /** Normalized path and query. The page is rendered from it, so that a key never holds another page. */
  readonly key: string
  /** Path without query, with lowercase percent-encoding like the site's own URLs. */
  readonly path: string
}

/** Why a URL bypasses the cache. */
export type AddressBypass = 'not-a-page' | 'unsupported-url' | 'path' | 'parameter'

/** Longest cacheable URL, in characters. */
const MAX_ADDRESS = 2_048
const MAX_PARAMETERS = 50

/** Characters allowed in a URL (RFC 3986, 3.3 and 3.4), plus brackets, which browsers send unencoded in queries. */
const PROPER = /^\/[\w.~!$&'()*+,=:@%/-]*(?:\?[\w.~!$&'()*+,=:@%/?[\]|-]*)?$/
/** Invalid percent-encoding, and encoded slashes, backslashes, dots and control characters. */
const ODD_ENCODING = /%(?![\da-f]{2})|%(?:2f|5c|2e|[01][\da-f]|7f)/i
/** Segments that a proxy or server may or may not normalize. */
const ODD_SEGMENT = /\/\/|\/\.{1,2}(?:\/|$)/
/** Paths of the application: REST, admin, files, PHP scripts. */
const NOT_A_PAGE = /^\/(?:(?:wp-json|wp-admin|wp-content|wp-includes)(?:\/|$)|favicon\.ico$)|\.php(?:\/|$)/i
/** Parameters of searches, previews and forms, whose pages are personal or requested only once. */
const PERSONAL_PARAMETERS = [
  ...['s', 'preview', 'preview_id', 'preview_nonce', '_wpnonce', '_thumbnail_id', 'moderation-hash', 'unapproved'],
  ...['replytocom', 'rest_route', 'customize_*', 'doing_wp_cron', 'wc-ajax', 'add-to-cart', 'remove_item', 'token'],
]

/**
 * Creates a parser for request URLs. Ambiguous URLs bypass the cache.
 * @param settings `*` in a name or path matches any characters
 */
export function createAddressReader(settings: {
  readonly ignoredQueryParams: readonly string[]
  readonly bypassPaths: readonly string[]
}): (url: string) => PageAddress | AddressBypass {
  const isIgnored = createNameMatcher(settings.ignoredQueryParams)
  const isPersonal = createNameMatcher(PERSONAL_PARAMETERS)
  const isBypassed = createNameMatcher(settings.bypassPaths.map(normalizeEncoding))

  return (url) => {
    const [path = ''] = url.split('?', 1)
    if (NOT_A_PAGE.test(path)) return 'not-a-page'
    if (url.length > MAX_ADDRESS || !PROPER.test(url)) return 'unsupported-url'
    const normalized = normalizeEncoding(url)
    const at = path.length
    const place = normalized.slice(0, at)
    if (ODD_ENCODING.test(place) || ODD_SEGMENT.test(place) || encodesPlainCharacter(place)) return 'unsupported-url'
    if (isBypassed(place) || isBypassed(place.replace(/\/$/, ''))) return 'path'
    const query = readQuery(normalized.slice(at + 1), isIgnored, isPersonal)
    if (typeof query !== 'string') return query.bypass
    return { key: query === '' ? place : `${place}?${query}`, path: place }
  }
}

/** The path of a URL of this site; `undefined` for other sites or invalid URLs. */
export function pathOf(url: string, siteUrl: string): string | undefined {
  const parsed = URL.parse(url, siteUrl)
  return parsed?.origin === new URL(siteUrl).origin ? normalizeEncoding(parsed.pathname) : undefined
}

/** `%C3` and `%c3` are the same octet (RFC 3986, 2.1). */
function normalizeEncoding(text: string): string {
  return text.includes('%') ? text.replace(/%[\dA-Fa-f]{2}/g, (octet) => octet.toLowerCase()) : text
}

/** `/%61bout/` equals `/about/` for some servers but not for others. Invalid UTF-8 is rejected too. */
function encodesPlainCharacter(path: string): boolean {
  if (!path.includes('%')) return false
  try {
    decodeURIComponent(path)
  } catch {
    return true
  }
  return [...path.matchAll(/%([\da-f]{2})/g)].some(([, octet = '']) =>
    /[\w.~-]/.test(String.fromCharCode(Number.parseInt(octet, 16))),
  )
}

/** Sorted by name. Repeated names keep their order, since the application may use the first or the last. */
function readQuery(
  query: string,
  isIgnored: (name: string) => boolean,
  isPersonal: (name: string) => boolean,
): string | { bypass: AddressBypass } {
  if (query === '') return ''
  const parts = query.split('&').filter((part) => part !== '')
  if (parts.length > MAX_PARAMETERS) return { bypass: 'unsupported-url' }
  const relevant: { name: string; part: string }[] = []
  for (const part of parts) {
    const written = part.split('=', 1)[0]?.replaceAll('+', ' ') ?? ''
    if (ODD_QUERY.test(part)) return { bypass: 'unsupported-url' }
    let name: string
    try {
      name = decodeURIComponent(written)
    } catch {
      return { bypass: 'unsupported-url' }
    }
    if (isPersonal(name)) return { bypass: 'parameter' }
    if (!isIgnored(name)) relevant.push({ name, part })
  }
  return relevant
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ part }) => part)
    .join('&')
}

/** Like in paths, but encoded slashes and dots are common in values. */
const ODD_QUERY = /%(?![\da-f]{2})|%(?:[01][\da-f]|7f)|^[^=]*\?/i
