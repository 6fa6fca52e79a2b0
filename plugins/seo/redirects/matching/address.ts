/** URLs as redirects compare them, in one canonical form for all spellings of path and query. */

/** A URL of this site. */
export interface Address {
  /** Canonical path (`canonicalPath`), with a trailing slash if it was requested with one. */
  readonly path: string
  /** Without the trailing slash; `/` for the home page. */
  readonly key: string
  /** In the format of `URLSearchParams`, without the question mark. */
  readonly query: string
}

/** Nothing to decode, and no empty segment. */
const PLAIN = /^(?:\/[\w.~!$&'()*+,;=:@-]+)+\/?$|^\/$/
/** Percent signs that encode nothing are literal. */
const LONE_PERCENT = /%(?![\da-f]{2})/gi
/** A character in UTF-8, and bytes that are not one. */
const ENCODED =
  /%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3}|[89a-f][\da-f])/gi
/** Characters that change their meaning when decoded, or that are not allowed in a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const STAYS_ENCODED = /[%/?#\\\u0000-\u001f\u007f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const MUST_BE_ENCODED = /[?#\\\u0000-\u001f\u007f]/g

/**
 * A path with everything decoded once that has the same meaning either way: `/caf%C3%A9` and `/café`, in any Unicode
 * normalization. Everything else stays encoded, so that `%2F`, `%2520` and control characters are never confused with
 * `/`, `%20` and nothing (RFC 3986, 2.2). Consecutive slashes count as one. Invalid encoding is literal; no path
 * throws.
 */
export function canonicalPath(raw: string): string {
  if (PLAIN.test(raw)) return raw
  return raw
    .toWellFormed()
    .replace(LONE_PERCENT, '%25')
    .replace(ENCODED, decodeOnce)
    .replace(MUST_BE_ENCODED, encodeURIComponent)
    .normalize('NFC')
    .replace(/\/{2,}/g, '/')
}

function decodeOnce(encoded: string): string {
  const upper = encoded.toUpperCase()
  try {
    const character = decodeURIComponent(upper)
    return STAYS_ENCODED.test(character) ? upper : character
  } catch {
    return upper
  }
}

/** The canonical path, percent-encoded. */
export function encodePath(canonical: string): string {
  return encodeURI(canonical.toWellFormed()).replace(/%25(?=[\dA-F]{2})/g, '%')
}

export function toAddress(path: string, query: string): Address {
  const canonical = canonicalPath(path)
  const key = canonical.length > 1 && canonical.endsWith('/') ? canonical.slice(0, -1) : canonical
  return { path: canonical, key, query }
}

/** Parses a path with a query string: `/a/?b=1#c`. */
export function parseAddress(url: string): Address {
  const [whole = ''] = url.split('#', 1)
  const at = whole.indexOf('?')
  if (at < 0) return toAddress(whole, '')
  return toAddress(whole.slice(0, at), new URLSearchParams(whole.slice(at + 1)).toString())
}

/** Path and query, percent-encoded. */
export function toUrl({ path, query }: Pick<Address, 'path' | 'query'>): string {
  return encodePath(path) + (query === '' ? '' : `?${query}`)
}

/** Comparison key: equal for URLs that only differ in the order of parameters or a trailing slash. */
export function identityOf({ key, query }: Pick<Address, 'key' | 'query'>): string {
  return query === '' ? key : `${key}?${sortedQuery(query)}`
}

/** Sorted by name; repeated names keep their order. */
export function sortedQuery(query: string): string {
  if (!query.includes('&')) return query
  const parameters = new URLSearchParams(query)
  parameters.sort()
  return parameters.toString()
}

/** Case folding. */
export function folded(text: string): string {
  return text.toLowerCase()
}
