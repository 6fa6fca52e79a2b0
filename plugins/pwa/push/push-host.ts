import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { type ExtensionHost, isPublicAddress, publicLookup } from 'pentad'

/** Characters of an endpoint; those of all push services have fewer than 1000. */
export const LONGEST_ENDPOINT = 2048

/** Push services of Chrome and all that is built on it, of Firefox and of Safari. */
const OF_BROWSERS = new Set([
  'https://fcm.googleapis.com',
  'https://updates.push.services.mozilla.com',
  'https://web.push.apple.com',
])

/** Edge's, one for each region. */
const OF_EDGE = /^https:\/\/[a-z0-9-]{1,20}\.notify\.windows\.com$/

/** Whose a push service is. Anybody can name any other one, which must not keep the visitors with these out. */
export function ownerOf(origin: string): 'browser' | 'edge' | 'other' {
  if (OF_BROWSERS.has(origin)) return 'browser'
  return OF_EDGE.test(origin) ? 'edge' : 'other'
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Which push services the site may call. Whoever visits it says where its messages go, so this is the way out. */
export interface PushHosts {
  /** The endpoint as an address; `undefined` if nothing may be sent there, whatever its name resolves to. */
  parse(endpoint: string): URL | undefined
  /** Resolves a name for the very connection that is made, unless it leads to this machine or its network. */
  readonly lookup: LookupFunction
}

/**
 * @param site one in a local environment may also call push services on its own machine, over http too. Its address has
 *   to be of that machine as well: `local` is the default, and what strangers can visit must not call what is beside it
 */
export function createPushHosts(site: Pick<ExtensionHost['site'], 'environment' | 'url'>): PushHosts {
  const isLocal = site.environment === 'local' && isLoopbackHost(new URL(site.url).hostname)

  return {
    parse(endpoint) {
      const url = endpoint.length <= LONGEST_ENDPOINT ? URL.parse(endpoint) : null
      // Other alphabets grow when they are percent-encoded.
      if (url === null || url.href.length > LONGEST_ENDPOINT) return undefined
      if (url.username + url.password + url.hash !== '') return undefined
      if (isLoopbackHost(url.hostname)) return isLocal && /^https?:$/.test(url.protocol) ? url : undefined
      const address = url.hostname.replace(/^\[|\]$/g, '')
      // Every push service of the world listens there; other ports are somebody else's.
      if (url.protocol !== 'https:' || url.port !== '') return undefined
      return isIP(address) && !isPublicAddress(address) ? undefined : url
    },
    lookup: isLocal ? localLookup : publicLookup,
  }
}

function isLoopbackHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family) return loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
  return /(?:^|\.)localhost\.?$/.test(hostname)
}

/** A name of this machine must resolve to it, any other to the public internet. */
const localLookup: LookupFunction = (hostname, options, callback) => {
  if (!isLoopbackHost(hostname)) {
    publicLookup(hostname, options, callback)
    return
  }
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error) callback(error, '')
    else if (!first || addresses.some(({ address }) => !isLoopbackHost(address)))
      callback(new Error(`${hostname} is not this machine.`), '')
    else if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}
