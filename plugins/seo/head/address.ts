const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/u

/**
 * Parses a URL that was entered or imported: absolute with http or https, or a path on this site.
 * @param base URL that paths are resolved against, the site URL
 * @returns the normalized URL; `undefined` for anything else, such as `javascript:`, `//host` and `/\host`
 */
export function readAddress(text: string, base = 'http://this-site.invalid'): string | undefined {
  if (CONTROL_CHARACTERS.test(text) || !/^(?:https?:\/\/|\/(?![/\\]))/i.test(text)) return undefined
  const url = URL.parse(text, base)
  return url === null || url.username !== '' || url.password !== '' ? undefined : url.href
}

/**
 * Whether two absolute URLs name the same page, ignoring scheme, fragment, trailing slash and percent-encoding of
 * letters.
 */
export function isSameAddress(one: string, other: string): boolean {
  return comparable(one) === comparable(other)
}

function comparable(address: string): string {
  const { host, pathname, search } = new URL(address)
  return `${host}${decoded(pathname).replace(/\/+$/, '')}${search}`
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
