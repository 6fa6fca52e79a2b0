/** Work that may outlast a tick: it continues between ticks, and a later tick picks up the result. */
export interface Background<Result> {
  /** The result, or `undefined` if the signal fires first. After a failure the work can be restarted. */
  wait(start: () => Promise<Result>, signal: AbortSignal): Promise<Result | undefined>
}

export function createBackground<Result>(): Background<Result> {
  let running: Promise<Result> | undefined
  return {
    async wait(start, signal) {
      if (!running) {
        running = start()
        // Avoids an unhandled rejection; the next `wait` receives the error.
        running.catch(() => {})
      }
      const { promise: stopped, resolve } = Promise.withResolvers<undefined>()
      const stop = () => resolve(undefined)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      try {
        return await Promise.race([running, stopped])
      } catch (error) {
        running = undefined
        throw error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
  }
}
