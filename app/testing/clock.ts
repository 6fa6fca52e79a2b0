import { mock } from 'node:test'

/** A clock that stands still until the test moves it; for the whole process, so one at a time. */
export interface FakeClock extends Disposable {
  /** Milliseconds since 1970. */
  now(): number
  /** Moves the clock: timers that become due fire in their order, and what they started gets to run. */
  advance(milliseconds: number): Promise<void>
}

/** Longest stretch that passes without the work it set off getting its turn. */
const STEP = 60_000

/** Replaces `Date`, `setTimeout` and `setInterval` until disposed of; sockets and files go on in real time. */
export function createFakeClock(start: Date): FakeClock {
  mock.timers.enable({ apis: ['Date', 'setTimeout', 'setInterval'], now: start })
  return {
    now: () => Date.now(),
    async advance(milliseconds) {
      for (let left = milliseconds; left > 0; left -= STEP) {
        mock.timers.tick(Math.min(left, STEP))
        // Two turns of the event loop: one for what the timers started, one for what that awaited.
        for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
      }
    },
    [Symbol.dispose]: () => mock.timers.reset(),
  }
}
