import { isIPv4 } from 'node:net'
import { networkOf } from '../../core/http/client-address.ts'

/**
 * The network of an address for the security log: precise enough to recognize a foreign network, but not to identify a person:
 * `203.0.113.0/24`, `2001:db8:1::/48`. Empty for a text that is not an IP address.
 */
export function networkPrefix(address: string): string {
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`
  const network = networkOf(address)
  if (!network.endsWith('::/64')) return ''
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}
