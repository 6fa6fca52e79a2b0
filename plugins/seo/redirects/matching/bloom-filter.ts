/** Bits per key, for about one false positive in sixteen. */
const BITS_PER_KEY = 16
const LEAST_KEYS = 64

/**
 * A Bloom filter: rules out most missing keys with a single access to a small bit array. A map of 100,000 keys takes
 * several cache misses, and most requests match no key.
 */
export interface BloomFilter {
  add(key: string): void
  /** Whether the key may have been added; `false` is certain. */
  mayHave(key: string): boolean
}

/** @param keys all current keys, to rebuild the filter when it is full; removed keys are dropped then */
export function createBloomFilter(keys: () => Iterable<string>): BloomFilter {
  let room = LEAST_KEYS
  let added = 0
  let bits = new Uint32Array((room * BITS_PER_KEY) / 32)

  function set(key: string): void {
    const bit = hashOf(key) & (bits.length * 32 - 1)
    bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
    added++
  }

  function makeRoom(): void {
    const all = [...keys()]
    while (room < all.length * 2) room *= 2
    bits = new Uint32Array((room * BITS_PER_KEY) / 32)
    added = 0
    for (const key of all) set(key)
  }

  return {
    add(key) {
      if (added >= room) makeRoom()
      set(key)
    },
    mayHave(key) {
      const bit = hashOf(key) & (bits.length * 32 - 1)
      return ((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
    },
  }
}

/** FNV-1a hash with mixed halves, since only the lower bits are used. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}
