import type { Entry } from './entry.ts'

/** Number of runs of a bucket that are all measured; later ones are sampled, because reading the clock takes as long as a callback. */
const ALWAYS = 64
/** Sampling interval after that, and for buckets that run continuously. */
const OFTEN = 64
const SELDOM = 4096
const MANY = 16_384

/** Number of runs that one measurement represents; 0 if the run is not measured. */
export type Weight = 0 | 1 | typeof OFTEN | typeof SELDOM

/** @param runs runs of the bucket, including this one */
export function weightOf(runs: number): Weight {
  if (runs <= ALWAYS) return 1
  if (runs % OFTEN !== 0) return 0
  if (runs <= MANY) return OFTEN
  return runs % SELDOM === 0 ? SELDOM : 0
}

/** Records the duration of one call, including hooks that it dispatched and time spent waiting. */
export function noteTime(entry: Entry, began: number, weight: Weight): void {
  const took = performance.now() - began
  entry.spent.milliseconds += took * weight
  if (took > entry.spent.longest) entry.spent.longest = took
}
