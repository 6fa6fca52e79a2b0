import { LRUCache } from 'lru-cache'
import type { AddressLists } from './address-lists.ts'
import { belongsTo } from './host-names.ts'
import { isSigner, type KnownCrawler } from './known-crawlers.ts'
import type { SignedRequest } from './signatures.ts'

/** `spoofed`: the address is not among those that the operator publishes. */
export type Identity = 'verified' | 'unverified' | 'spoofed'

/** Addresses whose DNS results are cached in memory, and the lifetime of an entry in ms. */
const MOST_ADDRESSES = 5000
const GOOD_FOR = 60 * 60 * 1000

/** Verifies crawlers. Runs in the background, never during a request. */
export interface Identities {
  /** @param signal aborts lookups; the result is then `unverified` */
  of(
    crawler: KnownCrawler,
    claim: { readonly address: string; readonly signed?: SignedRequest | undefined },
    signal: AbortSignal,
  ): Promise<Identity>
}

/**
 * Order of proof: signature, IP list of the operator, forward-confirmed reverse DNS. Request headers alone prove
 * nothing.
 */
export function createIdentities(parts: {
  lists: AddressLists
  isSignatureGood: (request: SignedRequest) => Promise<boolean>
}): Identities {
  const { lists, isSignatureGood } = parts
  // `max` would allocate all entries now, which takes milliseconds at each start.
  const named = new LRUCache<string, Identity>({ maxSize: MOST_ADDRESSES, sizeCalculation: () => 1, ttl: GOOD_FOR })

  async function byName(crawler: KnownCrawler, address: string, signal: AbortSignal): Promise<Identity> {
    const { hostNames = [], vendor } = crawler
    const key = `${vendor} ${address}`
    const known = named.get(key)
    if (known) return known
    const belongs = await belongsTo(address, hostNames, signal)
    if (belongs === 'unknown') return 'unverified'
    const identity = belongs === 'yes' ? 'verified' : 'spoofed'
    named.set(key, identity)
    return identity
  }

  return {
    async of(crawler, { address, signed }, signal) {
      if (signed && isSigner(crawler, signed.signer) && (await isSignatureGood(signed))) return 'verified'
      const standing = crawler.addressList === undefined ? 'unknown' : lists.standing(crawler.addressList, address)
      if (standing === 'inside') return 'verified'
      if (crawler.hostNames) return byName(crawler, address, signal)
      return standing === 'outside' ? 'spoofed' : 'unverified'
    },
  }
}
