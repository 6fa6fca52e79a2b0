import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Tells the client's address from a request: the peer's, or where the peer is a trusted proxy the
 * last untrusted entry of `X-Forwarded-For`. What an untrusted peer claims is never believed.
 *
 * @param trustedProxies addresses or CIDR ranges
 * @throws Error for an entry that is neither
 */
export function createClientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const trusted = new BlockList()
  for (const entry of trustedProxies) trust(trusted, entry)
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (request) => {
    let address = unmap(request.socket.remoteAddress ?? '')
    if (trustedProxies.length === 0 || !isIP(address) || !isTrusted(address)) return address
    const forwarded = request.headers['x-forwarded-for']
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
      .split(',')
      .map((hop) => hop.trim())
    for (const hop of hops.reverse()) {
      const next = unmap(hop)
      if (!isIP(next)) break
      address = next
      if (!isTrusted(address)) break
    }
    return address
  }
}

function trust(list: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/')
  const version = isIP(address)
  const bits = prefix === undefined ? (version === 6 ? 128 : 32) : Number(prefix)
  if (!version || !Number.isInteger(bits) || bits < 0 || bits > (version === 6 ? 128 : 32)) {
    throw new Error(`trustedProxies: "${entry}" is neither an address nor a range such as 10.0.0.0/8.`)
  }
  list.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4')
}

/** `::ffff:127.0.0.1`, as a dual-stack socket shows it, is `127.0.0.1`. */
function unmap(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/**
 * What attempts from an address are counted for: whoever has one IPv6 address has its whole /64 (RFC 6177).
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array.from({ length: Math.max(gap, 0) }, () => '0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
