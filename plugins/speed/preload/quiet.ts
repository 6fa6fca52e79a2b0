import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

/** Part of the time in which the process may be busy with others' work. */
const BUSY = 0.6
/** Milliseconds of one look. */
const SHORTEST = 5
const LONGEST = 500
/** Looks after which a page is rendered although the process is busy: it may never be otherwise. */
const LOOKS = 20

/**
 * Waits as long as the last page took, so that preloading takes half of the time at most, and on while others keep the
 * event loop busy.
 * @param took milliseconds that the last page took
 */
export async function untilQuiet(took: number, signal: AbortSignal): Promise<void> {
  const look = Math.min(LONGEST, Math.max(SHORTEST, took))
  for (let looks = 0; looks < LOOKS; looks++) {
    const before = performance.eventLoopUtilization()
    await pause(look, undefined, { signal, ref: false })
    if (performance.eventLoopUtilization(before).utilization < BUSY) return
  }
}
