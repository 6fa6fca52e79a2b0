import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Logger } from '../log.ts'
import type { RequestHead } from './front.ts'

/** Trusted information about a request's client. */
export interface TrustedProxies {
  /**
   * The client's address: the peer's, or if the peer is a trusted proxy, the last untrusted entry of `X-Forwarded-For`. Headers of
   * untrusted peers are ignored.
   */
  addressOf(request: RequestHead): string
  /** Whether the client used `http` or `https`, from `X-Forwarded-Proto` of a trusted proxy. `undefined` without one. */
  protocolOf(request: RequestHead): 'http' | 'https' | undefined
}

/**
 * Reads forwarding headers, which only count from the configured proxies.
 *
 * @param trustedProxies addresses or CIDR ranges
 * @param log receives one warning about a peer that sends `X-Forwarded-For` but is not trusted
 * @throws Error for an entry that is neither an IP address nor a range
 */
export function createTrustedProxies(trustedProxies: readonly string[], log: Pick<Logger, 'warn'>): TrustedProxies {
  const trusted = new BlockList()
  for (const entry of trustedProxies) trust(trusted, entry)
  const isTrusted = (address: string) =>
    trustedProxies.length > 0 && isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  let hasWarned = false

  /** Behind a proxy that is not configured, all visitors have the same address, so rate limits and lockouts affect all of them. */
  function warnOnce(peer: string): void {
    if (hasWarned) return
    hasWarned = true
    log.warn(
      { peer },
      'ignored X-Forwarded-For from an untrusted IP address; if it is your reverse proxy or CDN, add it to PENTAD_TRUSTED_PROXIES',
    )
  }

  return {
    addressOf(request) {
      let address = unmap(request.socket.remoteAddress ?? '')
      const forwarded = request.headers['x-forwarded-for']
      if (forwarded === undefined) return address
      if (!isTrusted(address)) {
        warnOnce(address)
        return address
      }
      const hops = [forwarded].flat().join(',').split(',')
      for (const hop of hops.reverse()) {
        const next = unmap(hop.trim())
        if (!isIP(next)) break
        address = next
        if (!isTrusted(address)) break
      }
      return address
    },
    protocolOf({ headers, socket }) {
      const forwarded = headers['x-forwarded-proto']
      if (forwarded === undefined || !isTrusted(unmap(socket.remoteAddress ?? ''))) return undefined
      const [outermost = ''] = [forwarded].flat().join(',').split(',')
      const protocol = outermost.trim().toLowerCase()
      return protocol === 'http' || protocol === 'https' ? protocol : undefined
    },
  }
}

function trust(list: BlockList, entry: string): void {
  const [address = '', prefix] = entry.split('/')
  const version = isIP(address)
  const bits = prefix === undefined ? (version === 6 ? 128 : 32) : Number(prefix)
  if (!version || !Number.isInteger(bits) || bits < 0 || bits > (version === 6 ? 128 : 32)) {
    throw new Error(`trustedProxies: "${entry}" is neither an IP address nor a range such as 10.0.0.0/8.`)
  }
  list.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4')
}

/** Converts an IPv4-mapped address, as a dual-stack socket reports it: `::ffff:127.0.0.1` to `127.0.0.1`. */
function unmap(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}

/** The network that rate limits count by: an IPv6 client usually controls a whole /64 (RFC 6177). */
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
