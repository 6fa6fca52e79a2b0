import { type LookupAddress, lookup } from 'node:dns'
import { getServers, Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type ExtensionHost, isPublicAddress } from 'pentad'

/** Maximum characters of an endpoint. All push services use fewer than 1000. */
export const LONGEST_ENDPOINT = 2048

/** DNS timeout in milliseconds and attempts, below the connection timeout. The second attempt waits twice as long. */
const PATIENCE = { timeout: 1500, tries: 2 }

/** Milliseconds to wait for IPv6 addresses after IPv4 ones. */
const SECOND_KIND_WAIT = 100

/** Push services of Chromium, Firefox and Safari. */
const OF_BROWSERS = new Set([
  'https://fcm.googleapis.com',
  'https://updates.push.services.mozilla.com',
  'https://web.push.apple.com',
])

/** Push services of Edge, one per region. */
const OF_EDGE = /^https:\/\/[a-z0-9-]{1,20}\.notify\.windows\.com$/

/** Owner of a push service. Anyone can register other ones, which must not use up the limits of these. */
export function ownerOf(origin: string): 'browser' | 'edge' | 'other' {
  if (OF_BROWSERS.has(origin)) return 'browser'
  return OF_EDGE.test(origin) ? 'edge' : 'other'
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Allowed push services. Visitors provide the endpoints, so this protects against SSRF. */
export interface PushHosts {
  /** Parses an endpoint; `undefined` if it is not allowed, whatever its host name resolves to. */
  parse(endpoint: string): URL | undefined
  /** Resolves a host name for a connection, unless it points to this machine or its network. */
  readonly lookup: LookupFunction
}

/**
 * @param site In a local environment, push services on the same machine are allowed, also over HTTP, but only if the
 *   URL of the site is local too, since `local` is the default environment.
 */
export function createPushHosts(site: Pick<ExtensionHost['site'], 'environment' | 'url'>): PushHosts {
  const isLocal = site.environment === 'local' && isLoopbackHost(new URL(site.url).hostname)

  return {
    parse(endpoint) {
      const url = endpoint.length <= LONGEST_ENDPOINT ? URL.parse(endpoint) : null
      // Percent-encoding can make it longer.
      if (url === null || url.href.length > LONGEST_ENDPOINT) return undefined
      if (url.username + url.password + url.hash !== '') return undefined
      if (isLoopbackHost(url.hostname)) return isLocal && /^https?:$/.test(url.protocol) ? url : undefined
      const address = url.hostname.replace(/^\[|\]$/g, '')
      // All push services use the default port.
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

/** Local names must resolve to this machine, others to public addresses. */
const localLookup: LookupFunction = (hostname, options, callback) => {
  if (!isLoopbackHost(hostname)) {
    lookupPublic(hostname, options, callback)
    return
  }
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error) callback(error, '')
    else if (!first || addresses.some(({ address }) => !isLoopbackHost(address)))
      callback(new Error(`${hostname} does not resolve to this machine.`), '')
    else if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

/** Resolves a host name if all its addresses are public. */
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
 * Queries the name servers without `getaddrinfo`, which blocks one of the few threads of the process: slow name servers
 * of others would delay everything.
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
    throw new Error(`${hostname} resolves to an address that is not public.`)
  return [first, ...others]
}

/** Waits briefly for the other address family (RFC 8305, 3). */
async function noMore(): Promise<LookupAddress[]> {
  await wait(SECOND_KIND_WAIT)
  return []
}
