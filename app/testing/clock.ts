import { mock } from 'node:test'

/** A clock that advances only when the test moves it. It affects the whole process, so only one can be in use. */
export interface FakeClock extends Disposable {
  /** Milliseconds since 1970. */
  now(): number
  /** Moves the clock: due timers fire in order, and the work that they start can run. */
  advance(milliseconds: number): Promise<void>
}

/** Maximum step in milliseconds before pending work can run. */
const STEP = 60_000

/** Replaces `Date`, `setTimeout` and `setInterval` until disposed of; sockets and files continue in real time. */
export function createFakeClock(start: Date): FakeClock {
  const { clearTimeout, clearInterval } = globalThis
  mock.timers.enable({ apis: ['Date', 'setTimeout', 'setInterval'], now: start })
  // A site that was created before has timers in real time, which it must be able to stop.
  globalThis.clearTimeout = stopsBoth(globalThis.clearTimeout, clearTimeout)
  globalThis.clearInterval = stopsBoth(globalThis.clearInterval, clearInterval)
  return {
    now: () => Date.now(),
    async advance(milliseconds) {
      for (let left = milliseconds; left > 0; left -= STEP) {
        mock.timers.tick(Math.min(left, STEP))
        // Two iterations of the event loop: one for the work started by timers, one for what it awaits.
        for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
      }
    },
    [Symbol.dispose]: () => mock.timers.reset(),
  }
}

function stopsBoth(fake: typeof clearTimeout, real: typeof clearTimeout): typeof clearTimeout {
  return (timer) => {
    fake(timer)
    real(timer)
  }
}
