import { type Address, parseAddress } from './address.ts'

/** Tells this site's addresses from others'. */
export interface SiteAddresses {
  /**
   * The address that a target leads to, or `undefined` if it is another site's. With another scheme or with `www.` it
   * is this site's too: whoever sends it from one to the other closes the circle.
   */
  ofTarget(location: string): Address | undefined
  /** A source as a path: without this site's own origin; `undefined` if it is another site's. */
  ofSource(source: string): string | undefined
}

const ABSOLUTE = /^[a-z][a-z\d+.-]*:/i
/** The segments `.` and `..`, which browsers take out of an address before they ask for it, encoded ones too. */
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

/** A path as browsers ask for it: `/a/../b` is `/b`. */
function withoutDots(path: string): string {
  if (!DOTS.test(path)) return path
  const { pathname, search } = new URL(`http://site.invalid${path}`)
  return pathname + search
}

/** Host and port, where a scheme's own port is none. */
function placeOf({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, '')}:${port}`
}
