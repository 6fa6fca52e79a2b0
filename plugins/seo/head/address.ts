const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/u

/**
 * Reads an address that somebody typed or an import brought: absolute with http or https, or a path of this site.
 *
 * @param base where paths lead, the site's URL
 * @returns as browsers write it; `undefined` for anything else, such as `javascript:`, `//host` and `/\host`
 */
export function readAddress(text: string, base = 'http://this-site.invalid'): string | undefined {
  if (CONTROL_CHARACTERS.test(text) || !/^(?:https?:\/\/|\/(?![/\\]))/i.test(text)) return undefined
  const url = URL.parse(text, base)
  return url === null || url.username !== '' || url.password !== '' ? undefined : url.href
}

/**
 * Whether two absolute addresses name the same page: the scheme, the fragment, the slash at the end and how letters are
 * percent-encoded do not count.
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
