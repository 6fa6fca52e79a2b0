import type { RestRequest } from 'pentad'
import { type Countries, countryCode } from './country.ts'

/** What is kept of who visits. Names come from fixed lists, so that nobody can make them up; no address is among them. */
export interface Visitor {
  readonly browser: string
  readonly operatingSystem: string
  readonly device: string
  /** ISO 3166-1, two letters; empty where it is not known. */
  readonly country: string
  readonly isBot: boolean
}

export interface Visitors {
  describe(request: Pick<RestRequest, 'headers' | 'clientAddress' | 'stream'>): Promise<Visitor>
}

const OTHER = 'Other'

/** Characters of a user agent that are looked at; longer ones are no browser's. */
const LONGEST_USER_AGENT = 1000

/** @param countryHeader name of the header in which a trusted proxy tells the country; empty for none */
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
        country: toldByProxy(request, countryHeader()) || (await countries.of(request.clientAddress)),
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

/** Where the peer is not the client, it is a proxy that the configuration trusts. */
function toldByProxy(
  { headers, stream, clientAddress }: Pick<RestRequest, 'headers' | 'clientAddress' | 'stream'>,
  header: string,
): string {
  const peer = stream?.socket.remoteAddress?.replace(/^::ffff:/, '')
  return header === '' || peer === undefined || peer === clientAddress ? '' : countryCode(headers[header])
}
