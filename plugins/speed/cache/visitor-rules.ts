import type { RequestHead } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import { type AddressBypass, createAddressReader, type PageAddress } from './page-address.ts'
import { createNameMatcher } from './patterns.ts'

/** Cookies of the host: session and post password. */
const HOST_COOKIES = ['pentad_session', '__Host-pentad_session', 'wp-postpass*']

/** Maximum number of memoized URLs. */
const MAX_ADDRESSES = 2_000
const MAX_REMEMBERED = 512

/** Decides which requests are served from the cache. */
export interface VisitorRules {
  readonly address: (url: string) => PageAddress | AddressBypass
  /** Memoizes a parsed URL. */
  remember(url: string, address: PageAddress): void
  /** Why the request bypasses the cache, regardless of its URL. */
  bypassReason(request: RequestHead): 'authorization' | 'cookie' | 'body' | undefined
}

export function createVisitorRules(settings: SpeedSettings): VisitorRules {
  const read = createAddressReader(settings)
  const known = new Map<string, PageAddress>()
  const isPersonal = createNameMatcher([...HOST_COOKIES, ...settings.bypassCookies].map((name) => name.toLowerCase()))

  return {
    address: (url) => known.get(url) ?? read(url),
    remember(url, address) {
      if (url.length > MAX_REMEMBERED || known.has(url)) return
      if (known.size >= MAX_ADDRESSES) known.clear()
      known.set(url, address)
    },
    bypassReason({ headers }) {
      if (headers.authorization !== undefined) return 'authorization'
      if (headers.cookie !== undefined && cookieNames(headers.cookie).some(isPersonal)) return 'cookie'
      // A GET with a body: a proxy may have treated it as parameters.
      const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
      return hasBody ? 'body' : undefined
    },
  }
}

/** Case-insensitive: bypassing too often is better than serving another visitor's page. */
function cookieNames(header: string): string[] {
  return header.split(';').map((cookie) => cookie.split('=', 1)[0]?.trim().toLowerCase() ?? '')
}
