import { AsyncLocalStorage } from 'node:async_hooks'

/** Calls work in the async context of the statement's owner. */
export type RunAsOwner = <Result>(work: () => Result) => Result

const storage = new AsyncLocalStorage<RunAsOwner>()

/** Runs a query whose statements are attributed to the owner, even if they wait for a lock first. */
export function queryAs<Result>(run: RunAsOwner, query: () => Result): Result {
  return storage.run(run, query)
}

/** Runs a SQLite statement, which blocks the thread, in its owner's context. */
export function runStatement<Result>(statement: () => Result): Result {
  const run = storage.getStore()
  return run ? run(statement) : statement()
}
