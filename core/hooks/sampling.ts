import type { Entry } from './entry.ts'

/** So many runs of a bucket are all measured, later ones now and then: reading the clock takes as long as a callback. */
const ALWAYS = 64
/** From then on one of so many, and of a bucket that runs all the time one of more. */
const OFTEN = 64
const SELDOM = 4096
const MANY = 16_384

/** How many runs the time of one stands for; 0 where it is not measured. */
export type Weight = 0 | 1 | typeof OFTEN | typeof SELDOM

/** @param runs of the bucket, this one included */
export function weightOf(runs: number): Weight {
  if (runs <= ALWAYS) return 1
  if (runs % OFTEN !== 0) return 0
  if (runs <= MANY) return OFTEN
  return runs % SELDOM === 0 ? SELDOM : 0
}

/** Notes what one call took; hooks that the callback dispatched are in it, and what it waited for. */
export function noteTime(entry: Entry, began: number, weight: Weight): void {
  const took = performance.now() - began
  entry.spent.milliseconds += took * weight
  if (took > entry.spent.longest) entry.spent.longest = took
}
