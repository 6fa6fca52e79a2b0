import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds between two looks. */
const POLL_INTERVAL = 20

/**
 * Waits until a condition holds, and fails where it does not in time, with the condition's source in the message.
 *
 * @param seconds - The deadline on an idle machine. With more runnable processes than cores it grows by their ratio,
 *   so that a test does not fail because the machine is busy with something else.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { seconds = 10 }: { seconds?: number } = {},
): Promise<void> {
  const timeout = new Error()
  // `Date` may be a fake clock's.
  const start = process.hrtime.bigint()
  while (!(await condition())) {
    const elapsed = Number(process.hrtime.bigint() - start) / 1e9
    if (elapsed > seconds * slowdown()) {
      timeout.message = `Waited ${elapsed.toFixed(1)} s in vain for: ${condition}`
      throw timeout
    }
    await wait(POLL_INTERVAL)
  }
}

/** By how much other processes slow this one down, at least 1: the load of the last minute for each core. */
export function slowdown(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}
