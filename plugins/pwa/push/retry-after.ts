/**
 * When to try again by a `Retry-After` header: seconds or a date (RFC 9110, 10.2.3).
 * @returns milliseconds since 1970; `undefined` if it says neither
 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header.trim())) return now + Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(now, date)
}
