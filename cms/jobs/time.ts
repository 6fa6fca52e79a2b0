import { toGmt } from '../../core/database/gmt.ts'
import { retryAfterMs } from '../http/retry-after.ts'

const HOUR = 3_600_000

/** Rounds a time up to whole seconds, in the format of core tables. */
export function toGmtAtLeast(milliseconds: number): string {
  return toGmt(Math.ceil(milliseconds / 1000) * 1000)
}

/**
 * Milliseconds before the next retry: as the error requests with `retryAfterSeconds` or `retryAfter` (the value of such a header), at most
 * an hour; otherwise 1, 2, 4, … seconds, at most `longest`.
 */
export function backOff(failures: number, error: unknown, longest = HOUR): number {
  const asked = askedWait(error)
  return asked === undefined ? Math.min(2 ** (failures - 1) * 1000, longest) : Math.min(asked, HOUR)
}

function askedWait(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const seconds = 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined
  if (typeof seconds === 'number' && seconds >= 0) return seconds * 1000
  const header = 'retryAfter' in error ? error.retryAfter : undefined
  return typeof header === 'string' ? retryAfterMs(header) : undefined
}
