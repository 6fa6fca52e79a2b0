/** Milliseconds: a push service that asks for more is asked again each day, so that one slip of its does not last. */
const LONGEST = 86_400_000

/**
 * When to try again by a `Retry-After` header: seconds or a date (RFC 9110, 10.2.3).
 * @returns milliseconds since 1970, within a day; `undefined` if it says neither
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const moment = /^\d{1,9}$/.test(header.trim()) ? now + Number(header) * 1000 : Date.parse(header)
  return Number.isNaN(moment) ? undefined : Math.min(Math.max(now, moment), now + LONGEST)
}
