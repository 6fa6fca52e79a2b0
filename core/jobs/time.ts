import { toGmt } from '../gmt.ts'

/** The first whole second that is not before the moment, as core tables keep it. */
export function toGmtAtLeast(milliseconds: number): string {
  return toGmt(Math.ceil(milliseconds / 1000) * 1000)
}

/**
 * Milliseconds before the next try: what the error asks for with `retryAfterSeconds` (as a `Retry-After` header does),
 * else 1, 2, 4, … seconds. Never more than an hour.
 *
 * @param failures - How often it has failed by now, from 1.
 */
export function backOff(failures: number, error: unknown): number {
  const asked =
    typeof error === 'object' && error !== null && 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined
  const seconds = typeof asked === 'number' && asked >= 0 ? asked : 2 ** (failures - 1)
  return Math.min(seconds, 3600) * 1000
}
