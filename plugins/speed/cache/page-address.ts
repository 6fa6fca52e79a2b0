import { createNameMatcher } from './patterns.ts'

/** Where a page is kept: what of a request's address decides what the page shows. */
export interface PageAddress {
  /** Path and query in their one spelling; also what is rendered for it, so that a key never holds another's page. */
  readonly key: string
  /** Without the query; percent-encoded in lower case, as the site's own addresses are. */
  readonly path: string
}

/** Why an address is not answered from the cache. */
export type AddressRefusal = 'not-a-page' | 'odd-address' | 'path' | 'parameter'

/** Longest address that is kept, in characters; longer ones are answered and forgotten. */
const MAX_ADDRESS = 2_048
const MAX_PARAMETERS = 50

/** What a URL may consist of (RFC 3986, 3.3 and 3.4), and the brackets that browsers send in queries as they are. */
const PROPER = /^\/[\w.~!$&'()*+,=:@%/-]*(?:\?[\w.~!$&'()*+,=:@%/?[\]|-]*)?$/
/** Percent signs that encode nothing, and encoded slashes, backslashes, dots, NUL and other control characters. */
const ODD_ENCODING = /%(?![\da-f]{2})|%(?:2f|5c|2e|[01][\da-f]|7f)/i
/** Segments that a server or a cache before us may resolve, or not. */
const ODD_SEGMENT = /\/\/|\/\.{1,2}(?:\/|$)/
/** What belongs to the application: REST, the admin's pages, files, PHP's names. */
const NOT_A_PAGE = /^\/(?:(?:wp-json|wp-admin|wp-content|wp-includes)(?:\/|$)|favicon\.ico$)|\.php(?:\/|$)/i
/** Parameters of searches, previews and forms: what they show is for one visitor, or asked for once. */
const PERSONAL_PARAMETERS = [
  ...['s', 'preview', 'preview_id', 'preview_nonce', '_wpnonce', '_thumbnail_id', 'moderation-hash', 'unapproved'],
  ...['replytocom', 'rest_route', 'customize_*', 'doing_wp_cron', 'wc-ajax', 'add-to-cart', 'remove_item', 'token'],
]

/**
 * Reads addresses by the settings of the cache. Whatever could be read in two ways is refused, never guessed at.
 * @param settings `*` in a name or path stands for any number of characters
 */
export function createAddressReader(settings: {
  readonly ignoredQueryParams: readonly string[]
  readonly bypassPaths: readonly string[]
}): (url: string) => PageAddress | AddressRefusal {
  const isIgnored = createNameMatcher(settings.ignoredQueryParams)
  const isPersonal = createNameMatcher(PERSONAL_PARAMETERS)
  const isBypassed = createNameMatcher(settings.bypassPaths.map(inOneSpelling))

  return (url) => {
    const [path = ''] = url.split('?', 1)
    if (NOT_A_PAGE.test(path)) return 'not-a-page'
    if (url.length > MAX_ADDRESS || !PROPER.test(url)) return 'odd-address'
    const spelt = inOneSpelling(url)
    const at = path.length
    const place = spelt.slice(0, at)
    if (ODD_ENCODING.test(place) || ODD_SEGMENT.test(place) || encodesPlainCharacter(place)) return 'odd-address'
    if (isBypassed(place) || isBypassed(place.replace(/\/$/, ''))) return 'path'
    const query = readQuery(spelt.slice(at + 1), isIgnored, isPersonal)
    if (typeof query !== 'string') return query.refused
    return { key: query === '' ? place : `${place}?${query}`, path: place }
  }
}

/** The path of a URL of this site, or `undefined` if it is another site's or none. */
export function pathOf(url: string, siteUrl: string): string | undefined {
  const parsed = URL.parse(url, siteUrl)
  return parsed?.origin === new URL(siteUrl).origin ? inOneSpelling(parsed.pathname) : undefined
}

/** `%C3` and `%c3` are the same octet (RFC 3986, 2.1). */
function inOneSpelling(text: string): string {
  return text.includes('%') ? text.replace(/%[\dA-Fa-f]{2}/g, (octet) => octet.toLowerCase()) : text
}

/** `/%61bout/` is `/about/` to some and another page to others; octets that are no UTF-8 are nobody's. */
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

/** Sorted by name; what a name repeats keeps its order, because the application may take the first or the last. */
function readQuery(
  query: string,
  isIgnored: (name: string) => boolean,
  isPersonal: (name: string) => boolean,
): string | { refused: AddressRefusal } {
  if (query === '') return ''
  const parts = query.split('&').filter((part) => part !== '')
  if (parts.length > MAX_PARAMETERS) return { refused: 'odd-address' }
  const kept: { name: string; part: string }[] = []
  for (const part of parts) {
    const written = part.split('=', 1)[0]?.replaceAll('+', ' ') ?? ''
    if (ODD_QUERY.test(part)) return { refused: 'odd-address' }
    let name: string
    try {
      name = decodeURIComponent(written)
    } catch {
      return { refused: 'odd-address' }
    }
    if (isPersonal(name)) return { refused: 'parameter' }
    if (!isIgnored(name)) kept.push({ name, part })
  }
  return kept
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ part }) => part)
    .join('&')
}

/** As in paths, but encoded slashes and dots are common in values. */
const ODD_QUERY = /%(?![\da-f]{2})|%(?:[01][\da-f]|7f)|^[^=]*\?/i
