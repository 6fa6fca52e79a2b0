import { LRUCache } from 'lru-cache'

/** Maximum size of memoized texts, in characters: pages of a site share styles and scripts. */
const MOST_CHARACTERS = 4_000_000

/** Memoizes a function of a text. @param maxSize what the texts may occupy, in characters */
export function memoize<Result extends {}>(
  make: (text: string) => Result,
  maxSize = MOST_CHARACTERS,
): (text: string) => Result {
  const known = new LRUCache<string, Result>({
    maxSize,
    sizeCalculation: (_result, { length }) => 200 + length,
  })
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = make(text)
    // A copy: a part of a page would keep all of the page in memory.
    known.set(Buffer.from(text, 'utf16le').toString('utf16le'), result)
    return result
  }
}
