/** Bits for each key: one key in sixteen that is not there looks as if it were. */
const BITS_PER_KEY = 16
const LEAST_KEYS = 64

/**
 * Says of most keys that are not in a map that they are not, by one look at memory that the processor has at hand: a map
 * of 100,000 keys takes several looks at memory that it has not, and most requests are for none of them.
 */
export interface BloomFilter {
  add(key: string): void
  /** `false` only if the key was not added. */
  mayHave(key: string): boolean
}

/** @param keys all that are there, for when there is no room any more; those that went are then forgotten */
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

/** FNV-1a over the characters, its halves mixed, since the lower bits alone are used. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}
