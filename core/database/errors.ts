/** Classifies the errors of the database drivers. */

/** SQLite's primary result codes (sqlite.org/rescode.html). */
export const BUSY = 5
const LOCKED = 6

/** Whether a statement failed without effect because another connection holds the lock of a SQLite database. */
export function isLocked(error: unknown): boolean {
  return [BUSY, LOCKED].includes(primaryCode(error))
}

/** SQLSTATE of a server that ends or accepts no connections: class 08, `too_many_connections`, and shutdowns. */
const NO_CONNECTION = /^(?:08...|53300|57P0[123])$/

/** Errors of connecting to PostgreSQL. Their codes, such as `ECONNREFUSED`, do not say to what. */
export const connectionErrors = new WeakSet<object>()

/** Whether the database server is gone, for example because it restarts. */
export function isUnavailable(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : ''
  return (
    connectionErrors.has(error) ||
    NO_CONNECTION.test(code) ||
    /^(?:Connection terminated|Client has encountered a connection error)/.test(error.message)
  )
}

/** SQLite's primary result code of an error, 0 for others. */
export function primaryCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}
