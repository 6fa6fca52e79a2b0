import { LRUCache } from 'lru-cache'

/** Characters that one step may hold, texts and results together. */
const CAPACITY = 4_000_000

/**
 * Remembers what a step makes of a text. The step must depend on the text alone, so what is remembered can never be
 * out of date; an uncached page then costs a look-up instead of a parse.
 */
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

/** As `remember`, for a step that may take its time: what waits for it again starts it again. */
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

function createMemory<Result extends {}>(lengthOf: (result: Result) => number): LRUCache<string, Result> {
  return new LRUCache<string, Result>({
    max: 2000,
    maxSize: CAPACITY,
    sizeCalculation: (result, html) => html.length + lengthOf(result) + 1,
  })
}
