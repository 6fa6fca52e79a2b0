/** Milliseconds by which the clocks of a site's servers may differ. */
const SKEW = 5 * 60_000

/**
 * Whether a stored moment is later than now, although it was written in the past: the clock was set back since, for example after a start
 * with a wrong one. Waiting until that moment could take years.
 */
export function isFromFuture(milliseconds: number): boolean {
  return milliseconds > Date.now() + SKEW
}

/** The earliest such moment. */
export const startOfFuture = (now: number): number => now + SKEW
