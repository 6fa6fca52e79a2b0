import type { ExtensionHost } from 'pentad'

/** Delay before counts in memory are written, in ms; a killed process loses at most these. */
const WAIT = 10_000

/** Writes pending data to the database after a delay, and when the service stops. */
export interface WriteBehind {
  /** Signals that there is data to write. */
  note(): void
  /** Writes all pending data now. */
  flush(): Promise<void>
}

/** @param write writes pending data; never called concurrently */
export function createWriteBehind(
  { setTimeout, onDispose, log }: Pick<ExtensionHost, 'setTimeout' | 'onDispose' | 'log'>,
  write: () => Promise<void>,
): WriteBehind {
  let isWaiting = false
  let last = Promise.resolve()

  function flush(): Promise<void> {
    last = last.then(write).catch((error) => log.warn({ err: error }, 'visit counts not written'))
    return last
  }

  onDispose(flush)
  return {
    note() {
      if (isWaiting) return
      isWaiting = true
      setTimeout(() => {
        isWaiting = false
        void flush()
      }, WAIT)
    },
    flush,
  }
}
