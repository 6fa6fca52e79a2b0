import { setImmediate } from 'node:timers/promises'

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
