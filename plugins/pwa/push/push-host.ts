import { type LookupAddress, lookup } from 'node:dns'
import { getServers, Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type ExtensionHost, isPublicAddress } from 'pentad'

/** Characters of an endpoint; those of all push services have fewer than 1000. */
export const LONGEST_ENDPOINT = 2048

/** Milliseconds and tries for a name, below the limit of a connection: the second try waits twice as long. */
const PATIENCE = { timeout: 1500, tries: 2 }

/** Milliseconds that IPv6 addresses may take longer than IPv4 ones. */
const SECOND_KIND_WAIT = 100

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
    lookup: isLocal ? localLookup : lookupPublic,
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
    lookupPublic(hostname, options, callback)
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

/** Resolves a name unless one of its addresses is not public. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolvePublic(hostname).then(
    ([first, ...others]) => {
      if (options.all) callback(null, [first, ...others])
      else callback(null, first.address, first.family)
    },
    (error) => callback(error, ''),
  )
}

/**
 * Asks the name servers without `getaddrinfo`, which holds one of the few threads of the process until it has an answer:
 * whoever owns a name says how long that takes, and names that are never answered would hold up all others.
 */
async function resolvePublic(hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
  const resolver = new Resolver(PATIENCE)
  resolver.setServers(getServers())
  const ask = (family: 4 | 6) =>
    (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname)).then((found) =>
      found.map((address) => ({ address, family })),
    )
  const six = ask(6).catch(() => [])
  const four = await ask(4).catch((error) => error)
  const isFound = Array.isArray(four)
  const found: LookupAddress[] = [...(isFound ? four : []), ...(await (isFound ? Promise.race([six, noMore()]) : six))]
  const [first, ...others] = found
  if (!first) throw four
  if (found.some(({ address }) => !isPublicAddress(address)))
    throw new Error(`${hostname} has an address that is not public.`)
  return [first, ...others]
}

/** Nobody waits for a second kind of address for long (RFC 8305, 3). */
async function noMore(): Promise<LookupAddress[]> {
  await wait(SECOND_KIND_WAIT)
  return []
}
