import type { Callback, Entry } from './listeners.ts'

/** So many runs of a bucket are all measured, later ones now and then: reading the clock takes as long as a callback. */
const ALWAYS = 64
const EVERY = 64

/** How many runs the time of one stands for; 0 where it is not measured. */
export type Weight = 0 | 1 | typeof EVERY

/** @param runs of the bucket, this one included */
export function weightOf(runs: number): Weight {
  if (runs <= ALWAYS) return 1
  return runs % EVERY === 0 ? EVERY : 0
}

/** Notes what one call took; hooks that the callback dispatched are in it, and what it waited for. */
export function noteTime(entry: Entry, began: number, weight: Weight): void {
  entry.spent.milliseconds += (performance.now() - began) * weight
}

/** The callback, measured. */
export function measured(entry: Entry, callback: Callback, weight: Weight): Callback {
  if (weight === 0) return callback
  return (...args) => {
    const began = performance.now()
    try {
      return callback(...args)
    } finally {
      noteTime(entry, began, weight)
    }
  }
}
