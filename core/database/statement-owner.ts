import { AsyncLocalStorage } from 'node:async_hooks'

/** Calls work as code of whoever made the statement. */
export type RunAsOwner = <Result>(work: () => Result) => Result

const storage = new AsyncLocalStorage<RunAsOwner>()

/** Makes a query whose statements run as the owner's code, also those that wait for a lock first. */
export function queryAs<Result>(run: RunAsOwner, query: () => Result): Result {
  return storage.run(run, query)
}

/** Runs a statement of SQLite, which blocks the thread until it is done. */
export function runStatement<Result>(statement: () => Result): Result {
  const run = storage.getStore()
  return run ? run(statement) : statement()
}
