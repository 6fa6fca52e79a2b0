import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** Event loop utilization up to which the process counts as idle. */
const BUSY = 0.6
/** Range of the sampling period, in ms. */
const SHORTEST = 5
const LONGEST = 500
/** Maximum samples; afterward the page is rendered even if the process is busy. */
const MAX_SAMPLES = 20

/**
 * Waits as long as the last page took, so that preloading uses at most half of the time, and longer while the event
 * loop is busy.
 * @param took duration of the last page in ms
 */
export async function waitUntilIdle(took: number, signal: AbortSignal): Promise<void> {
  const period = Math.min(LONGEST, Math.max(SHORTEST, took))
  for (let periods = 0; periods < MAX_SAMPLES; periods++) {
    const before = performance.eventLoopUtilization()
    await pause(period, undefined, { signal, ref: false })
    if (performance.eventLoopUtilization(before).utilization < BUSY) return
  }
}
