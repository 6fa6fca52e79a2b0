/** Addresses as redirects compare them: one spelling for all ways in which a path and a query can be written. */

/** An address of this site. */
export interface Address {
  /** In its one spelling (`canonicalPath`), with a slash at the end if it was asked for with one. */
  readonly path: string
  /** Without the slash at the end; `/` for the home page. */
  readonly key: string
  /** As `URLSearchParams` writes it, without the question mark. */
  readonly query: string
}

/** Nothing to decode, no empty segment. */
const PLAIN = /^(?:\/[\w.~!$&'()*+,;=:@-]+)+\/?$|^\/$/
/** Percent signs that encode nothing: they stand for themselves. */
const LONE_PERCENT = /%(?![\da-f]{2})/gi
/** What UTF-8 writes as one character, and octets that are none. */
const ENCODED =
  /%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[0-7](?:%[89ab][\da-f]){3}|[89a-f][\da-f])/gi
/** Characters that mean something else when they are not encoded, or nothing that belongs into an address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const STAYS_ENCODED = /[%/?#\\\u0000-\u001f\u007f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const MUST_BE_ENCODED = /[?#\\\u0000-\u001f\u007f]/g

/**
 * A path with everything decoded once that means the same either way: `/caf%C3%A9` and `/café`, composed or not. What
 * does not stays encoded, so that `%2F`, `%2520` and a control character are never taken for `/`, `%20` and nothing
 * (RFC 3986, 2.2). Slashes in a row count as one. Broken encoding is text; no path makes this throw.
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

/** A path in its one spelling as it goes into a URL. */
export function encodePath(canonical: string): string {
  return encodeURI(canonical.toWellFormed()).replace(/%25(?=[\dA-F]{2})/g, '%')
}

export function toAddress(path: string, query: string): Address {
  const canonical = canonicalPath(path)
  const key = canonical.length > 1 && canonical.endsWith('/') ? canonical.slice(0, -1) : canonical
  return { path: canonical, key, query }
}

/** Reads a path with a query: `/a/?b=1#c`. */
export function parseAddress(url: string): Address {
  const [whole = ''] = url.split('#', 1)
  const at = whole.indexOf('?')
  if (at < 0) return toAddress(whole, '')
  return toAddress(whole.slice(0, at), new URLSearchParams(whole.slice(at + 1)).toString())
}

/** Path and query as they go into a URL. */
export function toUrl({ path, query }: Pick<Address, 'path' | 'query'>): string {
  return encodePath(path) + (query === '' ? '' : `?${query}`)
}

/** The same for addresses that differ in nothing but the order of their parameters and a slash at the end. */
export function identityOf({ key, query }: Pick<Address, 'key' | 'query'>): string {
  return query === '' ? key : `${key}?${sortedQuery(query)}`
}

/** Sorted by name; what a name repeats keeps its order. */
export function sortedQuery(query: string): string {
  if (!query.includes('&')) return query
  const parameters = new URLSearchParams(query)
  parameters.sort()
  return parameters.toString()
}

/** As no two spellings of different case differ. */
export function folded(text: string): string {
  return text.toLowerCase()
}
