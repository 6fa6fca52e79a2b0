import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** IPv4 ranges that are not public (IANA special-purpose address registry). */
const SPECIAL_V4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]

/** Ranges within public IPv6 that lead to other networks: tunnels to IPv4 (Teredo, 6to4), documentation. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const special = new BlockList()
for (const range of SPECIAL_V4) special.addSubnet(...parts(range), 'ipv4')
for (const range of SPECIAL_V6) special.addSubnet(...parts(range), 'ipv6')

/** The global unicast range of IPv6; loopback, local, mapped and translated addresses are outside of it. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

function parts(range: string): [network: string, prefix: number] {
  const [network = '', prefix] = range.split('/')
  return [network, Number(prefix)]
}

/** Whether an IP address is public, and not one of this machine or its network. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

/** The URL must not be requested. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress'
}

/**
 * Resolves a host name for a connection, and fails if one of its addresses is not public: the `lookup` option of a `node:http` request to a
 * URL entered by a user. It is not called for hosts that are IP addresses: check those before.
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
