import { setTimeout as wait } from 'node:timers/promises'
import type { Changes } from './types.ts'

/** Follows the change log while the site is listening. */
export interface Loop {
  start(): void
  /** Works now. */
  wake(): void
  stop(): void
  /** Resolves when no work is in progress any more. */
  ended(): Promise<void>
}

/**
 * @param next waits for new entries
 * @param work is called at the start, and whenever there may be new entries; must not reject. Returns the milliseconds after which it is
 *   called at the latest, or `undefined`.
 */
export function createLoop(next: Changes['next'], work: () => Promise<number | undefined>): Loop {
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let woken = Promise.withResolvers<void>()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const over = new AbortController()
      const signal = AbortSignal.any([stopping.signal, over.signal])
      woken = Promise.withResolvers()
      const reasons = [next(signal), woken.promise]
      const delay = await work()
      if (delay !== undefined) reasons.push(wait(delay, undefined, { signal }).catch(() => {}))
      await Promise.race(reasons)
      over.abort()
    }
  }

  return {
    start() {
      running = run()
    },
    wake: () => woken.resolve(),
    stop: () => stopping.abort(),
    ended: () => running,
  }
}
