import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** What of IPv4 is not the public internet (IANA's registry of special-purpose addresses). */
const SPECIAL_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]

/** What of the public part of IPv6 leads elsewhere: tunnels to IPv4 (Teredo, 6to4), documentation. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const special = new BlockList()
for (const range of SPECIAL_V4) special.addSubnet(...parts(range), 'ipv4')
for (const range of SPECIAL_V6) special.addSubnet(...parts(range), 'ipv6')

/** All addresses that IPv6 gives out for the public internet; loopback, local, mapped and translated ones lie outside. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

function parts(range: string): [network: string, prefix: number] {
  const [network = '', prefix] = range.split('/')
  return [network, Number(prefix)]
}

/** Whether an IP address is one of the public internet, and not of this machine or the network around it. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** An address that must not be asked. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/**
 * Resolves a name for a connection, unless one of its addresses is not public: the `lookup` of a `node:http` request to
 * an address that somebody typed. A host that is an address itself is not looked up: check it before.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error) callback(error, '')
    else if (!first || addresses.some(({ address }) => !isPublicAddress(address)))
      callback(new RefusedAddress(`${hostname} has an address that is not public.`), '')
    else if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}
