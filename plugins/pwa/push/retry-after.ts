import { retryAfterMs } from 'pentad'

/** Maximum delay in milliseconds. Longer values may be an error of the push service. */
const LONGEST = 86_400_000

/**
 * Parses a `Retry-After` header.
 * @returns milliseconds since 1970, within a day; `undefined` if it is missing or invalid
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const pause = retryAfterMs(header, now)
  return pause === undefined ? undefined : now + Math.min(pause, LONGEST)
}
