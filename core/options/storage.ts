import { unwatchFile, watchFile } from 'node:fs'
import { createDurableFile } from '../files/durable-file.ts'
import { createFileLock, LockLost } from '../files/lock.ts'
import type { JsonRecord } from './json.ts'

/** Poll interval for changes by other processes, in milliseconds. */
const POLL_INTERVAL = 500

/** Stores the records of a site for all its processes: an adapter of lowdb, whose types are not part of the package. */
export interface RecordStorage {
  read(): Promise<JsonRecord | null>
  write(records: JsonRecord): Promise<void>
  /** Whether another process changed the records since they were read or written here. */
  changed(): Promise<boolean>
  /** Runs `work` while no other process writes. What it has written is durable when the promise resolves. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>
  /** Calls `look` when another process may have changed the records. @returns a function that stops this */
  watch(look: () => void): () => void
}

/** Records in a JSON file, whose folder exists; a missing file has none. */
export async function openRecordFile(path: string): Promise<RecordStorage> {
  const lock = createFileLock(`${path}.lock`)
  const { read, write, changed, removeLeftovers } = createDurableFile(path, lock.confirm)
  await lock.hold(removeLeftovers)
  return {
    ...{ read, write, changed },
    async hold(work) {
      for (;;) {
        try {
          return await lock.hold(work)
        } catch (error) {
          if (!(error instanceof LockLost)) throw error
        }
      }
    },
    watch(look) {
      watchFile(path, { persistent: false, interval: POLL_INTERVAL }, look)
      return () => unwatchFile(path, look)
    },
  }
}
