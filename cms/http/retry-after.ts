/**
 * Parses a `Retry-After` header: seconds or a date (RFC 9110, 10.2.3).
 *
 * @param now milliseconds since 1970
 * @returns milliseconds from now; `undefined` if it is neither
 */
export function retryAfterMs(header: string | null | undefined, now = Date.now()): number | undefined {
  const value = header?.trim()
  if (!value) return undefined
  const pause = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(pause) ? Math.max(0, pause) : undefined
}
