import type { IncomingMessage } from 'node:http'
import type { SpeedSettings } from '../settings.ts'
import { type AddressRefusal, createAddressReader, type PageAddress } from './page-address.ts'
import { createNameMatcher } from './patterns.ts'

/** Cookies of the host: the session, and the password of a protected post. */
const HOST_COOKIES = ['pentad_session', '__Host-pentad_session', 'wp-postpass*']

/** Addresses whose reading is remembered; an address that is asked for often is read once. */
const MAX_ADDRESSES = 2_000
const MAX_REMEMBERED = 512

/** Who may be answered from the cache, as the settings say it. */
export interface VisitorRules {
  readonly address: (url: string) => PageAddress | AddressRefusal
  /** Remembers how an address is read. */
  remember(url: string, address: PageAddress): void
  /** Why the request is for the application, whatever it asks for. */
  refusal(request: IncomingMessage): 'authorization' | 'cookie' | 'body' | undefined
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
    refusal({ headers }) {
      if (headers.authorization !== undefined) return 'authorization'
      if (headers.cookie !== undefined && cookieNames(headers.cookie).some(isPersonal)) return 'cookie'
      // A GET with a body: some server on the way may have read it for its parameters.
      const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
      return hasBody ? 'body' : undefined
    },
  }
}

/** In lower case, whatever the spelling: a cookie too many is better than another visitor's page. */
function cookieNames(header: string): string[] {
  return header.split(';').map((cookie) => cookie.split('=', 1)[0]?.trim().toLowerCase() ?? '')
}
