import type { Entry } from './entry.ts'

/** Number of runs of a bucket that are all measured; later ones are sampled, because reading the clock takes as long as a callback. */
const ALWAYS_MEASURED = 64
/** Sampling interval after that, and for buckets with more than `HOT_RUNS` runs. */
const SAMPLE_INTERVAL = 64
const HOT_SAMPLE_INTERVAL = 4096
const HOT_RUNS = 16_384

/** Number of runs that one measurement represents; 0 if the run is not measured. */
export type Weight = 0 | 1 | typeof SAMPLE_INTERVAL | typeof HOT_SAMPLE_INTERVAL

/** @param runs runs of the bucket, including this one */
export function weightOf(runs: number): Weight {
  if (runs <= ALWAYS_MEASURED) return 1
  if (runs % SAMPLE_INTERVAL !== 0) return 0
  if (runs <= HOT_RUNS) return SAMPLE_INTERVAL
  return runs % HOT_SAMPLE_INTERVAL === 0 ? HOT_SAMPLE_INTERVAL : 0
}

/** Records the duration of one call, including hooks that it dispatched and time spent waiting. */
export function recordTime(entry: Entry, startedAt: number, weight: Weight): void {
  const duration = performance.now() - startedAt
  entry.spent.milliseconds += duration * weight
  if (duration > entry.spent.longest) entry.spent.longest = duration
}
