/** Classifies the errors of the database drivers. */

/** SQLite's primary result codes (sqlite.org/rescode.html). */
export const BUSY = 5
const LOCKED = 6
const TOOBIG = 18
const CONSTRAINT = 19
const MISMATCH = 20

/** SQLSTATE classes: data exceptions, constraint violations, program limits exceeded. */
const VALUES = /^(?:22|23|54)/

/** Whether a statement failed without effect because another connection holds the lock of a SQLite database. */
export function isLocked(error: unknown): boolean {
  return [BUSY, LOCKED].includes(primaryCode(error))
}

/** Whether the values themselves cannot be stored, so that a retry is useless. */
export function isAboutValues(error: unknown): boolean {
  // Errors of the drivers for values of unsupported types.
  if (error instanceof TypeError || error instanceof RangeError) return true
  const state = error instanceof Error && 'code' in error ? String(error.code) : ''
  return VALUES.test(state) || [TOOBIG, CONSTRAINT, MISMATCH].includes(primaryCode(error))
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

function primaryCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}
