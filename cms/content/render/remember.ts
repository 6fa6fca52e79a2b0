import { LRUCache } from 'lru-cache'

/** Characters that one step may hold, texts and results together, and the least that an entry counts as. */
const CAPACITY = 4_000_000
const LEAST = 2000

/** Caches the result of a step by its text. The step must depend on the text alone, so entries never become outdated. */
export function remember<Result extends {}>(
  step: (html: string) => Result,
  lengthOf: (result: Result) => number = (result) => String(result).length,
): (html: string) => Result {
  const known = createMemory(lengthOf)
  return (html) => {
    const found = known.get(html)
    if (found !== undefined) return found
    const result = step(html)
    known.set(html, result)
    return result
  }
}

/** Like `remember`, for a step that may be asynchronous. Concurrent calls for the same text run it several times. */
export function rememberEventually<Result extends {}>(
  step: (html: string) => Result | Promise<Result>,
  lengthOf: (result: Result) => number = (result) => String(result).length,
): (html: string) => Result | Promise<Result> {
  const known = createMemory(lengthOf)
  const keep = (html: string, result: Result) => {
    known.set(html, result)
    return result
  }
  return (html) => {
    const found = known.get(html)
    if (found !== undefined) return found
    const result = step(html)
    return result instanceof Promise ? result.then((made) => keep(html, made)) : keep(html, result)
  }
}

/** Results by text. Without `max`, for which the library allocates all entries in advance. */
export function createMemory<Result extends {}>(lengthOf: (result: Result) => number): LRUCache<string, Result> {
  return new LRUCache<string, Result>({
    maxSize: CAPACITY,
    sizeCalculation: (result, html) => Math.max(LEAST, html.length + lengthOf(result)),
  })
}
