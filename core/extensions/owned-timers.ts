import { outsideRequests, requestId } from '../http/request-context.ts'
import type { OwnContext } from './origin.ts'
import type { ExtensionHost } from './types.ts'

/** Timers of one extension. Errors of callbacks go to `onError`. */
export interface OwnedTimers extends Pick<ExtensionHost, 'setTimeout' | 'setInterval'>, Disposable {
  /** Number of pending timers. */
  readonly size: number
}

/** @param context - The async context in which the callbacks run. */
export function createOwnedTimers(
  onError: (error: unknown) => void,
  assertNotDisposed: () => void,
  context: OwnContext,
): OwnedTimers {
  const stops = new Set<() => void>()

  function guarded(callback: () => unknown, cause?: string): void {
    // `Promise.try` also catches rejections of async callbacks, although the type does not declare them.
    Promise.try(outsideRequests, () => context.run(callback), cause).catch(onError)
  }
  function owned(stopTimer: () => void): () => void {
    const stop = () => {
      stops.delete(stop)
      stopTimer()
    }
    stops.add(stop)
    return stop
  }

  return {
    get size() {
      return stops.size
    },
    setTimeout(callback, milliseconds) {
      assertNotDisposed()
      const cause = requestId()
      const timer = setTimeout(() => {
        stop()
        guarded(callback, cause)
      }, milliseconds)
      const stop = owned(() => clearTimeout(timer))
      return stop
    },
    setInterval(callback, milliseconds) {
      assertNotDisposed()
      const timer = setInterval(() => guarded(callback), milliseconds)
      return owned(() => clearInterval(timer))
    },
    [Symbol.dispose]() {
      for (const stop of stops) stop()
    },
  }
}
