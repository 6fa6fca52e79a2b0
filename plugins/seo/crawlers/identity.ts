import { LRUCache } from 'lru-cache'
import type { AddressLists } from './address-lists.ts'
import { belongsTo } from './host-names.ts'
import { isSigner, type KnownCrawler } from './known-crawlers.ts'
import type { SignedRequest } from './signatures.ts'

/** `spoofed`: its operator says where it comes from, and that was somewhere else. */
export type Identity = 'verified' | 'unverified' | 'spoofed'

/** Addresses whose names were looked up, in memory only, and milliseconds for which the answer is good. */
const MOST_ADDRESSES = 5000
const GOOD_FOR = 60 * 60 * 1000

/** Says who a crawler is. Never on the way of a request. */
export interface Identities {
  /** @param signal ends look-ups: what is not known by then is `unverified` */
  of(
    crawler: KnownCrawler,
    claim: { readonly address: string; readonly signed?: SignedRequest | undefined },
    signal: AbortSignal,
  ): Promise<Identity>
}

/**
 * A signature proves the most, then the operator's own list of addresses, then the names of the address. What a request
 * says about itself proves nothing.
 */
export function createIdentities(parts: {
  lists: AddressLists
  isSignatureGood: (request: SignedRequest) => Promise<boolean>
}): Identities {
  const { lists, isSignatureGood } = parts
  // `max` would lay out the room for all of them now: milliseconds of each start.
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
