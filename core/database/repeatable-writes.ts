import { AsyncLocalStorage } from 'node:async_hooks'

const storage = new AsyncLocalStorage<true>()

/**
 * Runs work that is repeated after a power failure, such as an import. SQLite does not flush its transactions to disk: after a power
 * failure the last ones may be missing (never earlier ones), after a mere crash of the process none. The next regular transaction
 * flushes them too.
 */
export function writeRepeatably<Result>(work: () => Result): Result {
  return storage.run(true, work)
}

/** Whether the running code is inside such work. */
export function isRepeatable(): boolean {
  return storage.getStore() ?? false
}
