import { getServers, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from 'pentad'
import { isWithin } from './known-crawlers.ts'

/** Timeout of a DNS query, in ms. There is no retry. */
const PATIENCE = { timeout: 1500, tries: 1 }
/** Maximum number of names checked per address: the owner of an address can assign any number. */
const MOST_NAMES = 3

/** Errors that mean that a name or address does not exist, as opposed to a failed query. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Forward-confirmed reverse DNS: an address belongs to one of the domains if its reverse name does and that name
 * resolves to the address. A reverse name alone proves nothing, since its owner chooses it. `unknown` if name servers
 * do not respond.
 */
export async function belongsTo(
  address: string,
  domains: readonly string[],
  signal: AbortSignal,
): Promise<'yes' | 'no' | 'unknown'> {
  if (!isPublicAddress(address)) return 'no'
  const resolver = new Resolver(PATIENCE)
  // The servers of the process, which may differ from those of the system.
  resolver.setServers(getServers())
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const names = await nothingOr(resolver.reverse(address))
    for (const name of names.filter((each) => isWithin(each, domains)).slice(0, MOST_NAMES)) {
      const isV6 = isIP(address) === 6
      const addresses = await nothingOr(isV6 ? resolver.resolve6(name) : resolver.resolve4(name))
      if (addresses.some((each) => normalized(each) === normalized(address))) return 'yes'
    }
    return 'no'
  } catch {
    return 'unknown'
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

async function nothingOr(lookup: Promise<string[]>): Promise<string[]> {
  try {
    return await lookup
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOTHING.has(String(error.code))) return []
    throw error
  }
}

/** Canonical form of an IPv6 address. */
function normalized(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname : address
}
