/** Work that may take longer than a tick: it goes on between ticks, and a later tick finds it. */
export interface Background<Result> {
  /** The result, or `undefined` if the signal fires first. After a failure the work can be started again. */
  wait(start: () => Promise<Result>, signal: AbortSignal): Promise<Result | undefined>
}

export function createBackground<Result>(): Background<Result> {
  let running: Promise<Result> | undefined
  return {
    async wait(start, signal) {
      if (!running) {
        running = start()
        // Nobody may be waiting when it fails; whoever waits next is told.
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
