import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Maximum memoized results: pages of a site share styles and scripts. */
const MOST_REMEMBERED = 500

/** Memoizes a function of a text. Only a hash of the text is stored. */
export function memoize<Result extends {}>(make: (text: string) => Promise<Result>): (text: string) => Promise<Result> {
  const known = new LRUCache<string, Result>({ max: MOST_REMEMBERED })
  return async (text) => {
    const key = hash('sha256', text, 'base64')
    const result = known.get(key) ?? (await make(text))
    known.set(key, result)
    return result
  }
}
