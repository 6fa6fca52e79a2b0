import { getServers, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from 'pentad'
import { isWithin } from './known-crawlers.ts'

/** Milliseconds for one question, which is asked once. */
const PATIENCE = { timeout: 1500, tries: 1 }
/** Names of one address that are looked at; whoever has an address can give it as many as they like. */
const MOST_NAMES = 3

/** What name servers say when there is no such name or address, and not that they don't know. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Whether an address belongs to one of the domains: its name does (reverse look-up), and that name leads back to it
 * (forward look-up), since anybody can name their own address as they like. `unknown` where name servers do not answer.
 */
export async function belongsTo(
  address: string,
  domains: readonly string[],
  signal: AbortSignal,
): Promise<'yes' | 'no' | 'unknown'> {
  if (!isPublicAddress(address)) return 'no'
  const resolver = new Resolver(PATIENCE)
  // Those of the process, which need not be those of the system.
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

async function nothingOr(answer: Promise<string[]>): Promise<string[]> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOTHING.has(String(error.code))) return []
    throw error
  }
}

/** One spelling for each IPv6 address. */
function normalized(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname : address
}
