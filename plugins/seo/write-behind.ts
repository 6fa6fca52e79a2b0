import type { ExtensionHost } from 'pentad'

/** Milliseconds that counts wait in memory before they are written; a process that is killed loses no more than these. */
const WAIT = 10_000

/** Writes to the database what collected in memory, some time after the first of it came and when the service stops. */
export interface WriteBehind {
  /** Says that there is something to write. */
  note(): void
  /** Writes all that there is now. */
  flush(): Promise<void>
}

/** @param write writes what waits; never called twice at once */
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
