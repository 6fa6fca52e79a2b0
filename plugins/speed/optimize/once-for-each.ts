import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Texts whose results are remembered: pages of a site share their styles and scripts. */
const MOST_REMEMBERED = 500

/** What a function makes of a text, made once for each text. Only the hash of the text is kept. */
export function onceForEach<Result extends {}>(
  make: (text: string) => Promise<Result>,
): (text: string) => Promise<Result> {
  const known = new LRUCache<string, Result>({ max: MOST_REMEMBERED })
  return async (text) => {
    const key = hash('sha256', text, 'base64')
    const result = known.get(key) ?? (await make(text))
    known.set(key, result)
    return result
  }
}
