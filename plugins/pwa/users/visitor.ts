import type { RestRequest } from 'pentad'
import { type Countries, countryCode } from './country.ts'

/** Anonymous visitor data. Names come from fixed lists, so that they cannot be forged. Contains no IP address. */
export interface Visitor {
  readonly browser: string
  readonly operatingSystem: string
  readonly device: string
  /** ISO 3166-1 alpha-2 code; empty if unknown. */
  readonly country: string
  readonly isBot: boolean
}

export interface Visitors {
  describe(request: Pick<RestRequest, 'headers' | 'clientAddress' | 'stream'>): Promise<Visitor>
}

const OTHER = 'Other'

/** Maximum characters of a user agent that are parsed. */
const LONGEST_USER_AGENT = 1000

/** @param countryHeader header in which a trusted proxy sends the country, or an empty string */
export function createVisitors(countries: Countries, countryHeader: () => string): Visitors {
  return {
    async describe(request) {
      const userAgent = (request.headers['user-agent'] ?? '').slice(0, LONGEST_USER_AGENT)
      const [{ default: Bowser }, { isbot }] = await Promise.all([import('bowser'), import('isbot')])
      const parsed = Bowser.parse(userAgent === '' ? '-' : userAgent)
      return {
        browser: oneOf(Object.values(Bowser.BROWSER_MAP), parsed.browser.name),
        operatingSystem: oneOf(Object.values(Bowser.OS_MAP), parsed.os.name),
        device: deviceName(parsed.platform.type),
        country: countryFromProxy(request, countryHeader()) || (await countries.of(request.clientAddress)),
        isBot: userAgent === '' || isbot(userAgent),
      }
    },
  }
}

function oneOf(known: readonly string[], name: string | undefined): string {
  return name !== undefined && known.includes(name) ? name : OTHER
}

function deviceName(type: string | undefined): string {
  switch (type) {
    case 'mobile':
      return 'Phone'
    case 'tablet':
      return 'Tablet'
    case 'desktop':
      return 'Desktop'
    case 'tv':
      return 'TV'
    default:
      return OTHER
  }
}

/** If the peer is not the client, it is a trusted proxy. */
function countryFromProxy(
  { headers, stream, clientAddress }: Pick<RestRequest, 'headers' | 'clientAddress' | 'stream'>,
  header: string,
): string {
  const peer = stream?.socket.remoteAddress?.replace(/^::ffff:/, '')
  return header === '' || peer === undefined || peer === clientAddress ? '' : countryCode(headers[header])
}
