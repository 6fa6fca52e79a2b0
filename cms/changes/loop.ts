import { setTimeout as wait } from 'node:timers/promises'
import type { JoiningHost } from '../../core/types.ts'
import type { Changes } from './types.ts'

/** What follows the change log. */
export interface LoopParts {
  /** Waits for new entries. */
  readonly next: Changes['next']
  /**
   * Called at the start, and whenever there may be new entries; must not reject. Returns the milliseconds after which it is called at the
   * latest, or `undefined`.
   */
  work(): Promise<number | undefined>
  /** Resolves when nothing that the work started is in progress. */
  idle(): Promise<void>
  /** Aborted when the site closes. */
  readonly stopping: AbortController
}

/** Why waits are given up. Without a reason, each abort would create an error with its stack, after each entry. */
const OVER = 'over'

/** Follows the change log while the site is listening. @returns a function that makes it work now */
export function joinLoop(
  { onListen, onClosing, onClosed }: Pick<JoiningHost, 'onListen' | 'onClosing' | 'onClosed'>,
  { next, work, idle, stopping }: LoopParts,
): () => void {
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
      over.abort(OVER)
    }
  }

  onListen(() => {
    running = run()
  })
  onClosing(() => stopping.abort())
  onClosed(async () => {
    await running
    await idle()
  })
  return () => woken.resolve()
}
