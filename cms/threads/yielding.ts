import { performance } from 'node:perf_hooks'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'

/** Milliseconds of work in a row. */
const SLICE = 20

/**
 * Yields the event loop while something goes through many small steps.
 * @returns await it between two steps: it waits for a turn of the event loop where 20 ms went by since the last one
 */
export function createYield(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < SLICE) return undefined
    return setImmediate().then(() => {
      began = performance.now()
    })
  }
}

/** Milliseconds of background work in a row, of one look whether others are busy, and of all looks in a row. */
const BACKGROUND_SLICE = 10
const LOOK = 1
const LONGEST_REST = 250
/** Part of the time in which others keep the event loop busy. */
const BUSY = 0.5

/**
 * `createYield` for long work that nobody waits for: each slice is shorter, and the next one begins once others leave the
 * event loop idle. Answering a request takes many turns of the event loop, and would wait for a slice in each of them.
 */
export function createBackgroundYield(): () => Promise<void> | undefined {
  let began = performance.now()

  async function rest(): Promise<void> {
    const since = performance.now()
    do {
      const before = performance.eventLoopUtilization()
      await pause(LOOK)
      if (performance.eventLoopUtilization(before).utilization < BUSY) break
    } while (performance.now() - since < LONGEST_REST)
    began = performance.now()
  }
  return () => (performance.now() - began < BACKGROUND_SLICE ? undefined : rest())
}
