/** Poll interval for entries of other processes, in ms. */
const POLL = 2000

/** Notices new entries of the change log, with one poll for all readers of a process. */
export interface Arrivals {
  /** There may be new entries: one of this process was stored, or the database reported one. */
  notify(): void
  /** Resolves when there may be new entries, or when the signal is aborted. Call it before reading, so that no entry goes unnoticed. */
  next(signal: AbortSignal): Promise<void>
  close(): void
}

/**
 * @param newest returns the number of the newest entry
 * @param interval in ms
 */
export function createArrivals(newest: () => Promise<number | null>, interval = POLL): Arrivals {
  const waiting = new Set<() => void>()
  /** Number of the newest entry at the last poll; `undefined` before the first one. */
  let seen: number | null | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function notify(): void {
    for (const resolve of [...waiting]) resolve()
  }

  async function poll(): Promise<void> {
    try {
      const found = await newest()
      // Readers that began to wait before the first poll may have missed an entry.
      if (found !== seen) notify()
      seen = found
    } catch {
      // Readers report errors of the database.
    }
    timer = undefined
    schedule()
  }

  function schedule(): void {
    if (waiting.size > 0 && !isClosed) timer ??= setTimeout(poll, interval)
  }

  return {
    notify,
    next(signal) {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (signal.aborted || isClosed) return Promise.resolve()
      const done = () => {
        waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done, { once: true })
      waiting.add(done)
      schedule()
      return promise
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      notify()
    },
  }
}
