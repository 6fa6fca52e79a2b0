import { type Address, parseAddress } from './address.ts'

/** Distinguishes URLs of this site from others. */
export interface SiteAddresses {
  /**
   * The URL on this site that a target leads to; `undefined` for other sites. Other schemes and `www.` count as this
   * site, because another redirect between them would close a loop.
   */
  ofTarget(location: string): Address | undefined
  /** A source as a path without the origin of this site; `undefined` for other sites. */
  ofSource(source: string): string | undefined
}

const ABSOLUTE = /^[a-z][a-z\d+.-]*:/i
/** The segments `.` and `..`, also encoded, which browsers resolve before a request. */
const DOTS = /\/(?:\.|%2e){1,2}(?=[/?#]|$)/i

export function createSiteAddresses(siteUrl: string): SiteAddresses {
  const own = placeOf(new URL(siteUrl))

  function pathOf(url: string): string | undefined {
    const parsed = URL.parse(url)
    if (!parsed || !/^https?:$/.test(parsed.protocol) || placeOf(parsed) !== own) return undefined
    return parsed.pathname + parsed.search
  }

  return {
    ofTarget(location) {
      const path = location.startsWith('/') ? withoutDots(location) : pathOf(location)
      return path === undefined ? undefined : parseAddress(path)
    },
    ofSource(source) {
      if (!ABSOLUTE.test(source)) return source
      return pathOf(source)
    },
  }
}

/** A path as browsers request it: `/a/../b` is `/b`. */
function withoutDots(path: string): string {
  if (!DOTS.test(path)) return path
  const { pathname, search } = new URL(`http://site.invalid${path}`)
  return pathname + search
}

/** Host and port, without the default port of the scheme. */
function placeOf({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, '')}:${port}`
}
