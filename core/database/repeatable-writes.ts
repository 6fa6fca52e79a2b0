import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<true>()

/**
 * Does work that is done again after a power cut, such as an import. SQLite does not flush each of its transactions to
 * the disk: the last ones may be missing then, but never some in between, and none after a mere crash of the process.
 * The next other transaction flushes them, too.
 */
export function writeRepeatably<Result>(work: () => Result): Result {
  return storage.run(true, work)
}

/** Whether what is written now is written again after a power cut. */
export function isRepeatable(): boolean {
  return storage.getStore() ?? false
}
