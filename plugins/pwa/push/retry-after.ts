import { retryAfterMs } from 'pentad'

/** Milliseconds: a push service that asks for more is asked again each day, so that one slip of its does not last. */
const LONGEST = 86_400_000

/**
 * When to try again by a `Retry-After` header.
 * @returns milliseconds since 1970, within a day; `undefined` if it says nothing
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const pause = retryAfterMs(header, now)
  return pause === undefined ? undefined : now + Math.min(pause, LONGEST)
}
