/** What the errors of the databases' drivers mean. */

/** SQLite's primary result codes (sqlite.org/rescode.html). */
export const BUSY = 5
const LOCKED = 6
const TOOBIG = 18
const CONSTRAINT = 19
const MISMATCH = 20

/** Classes of SQLSTATE: data exceptions, broken constraints, values beyond the server's limits. */
const VALUES = /^(?:22|23|54)/

/** Whether somebody else holds the lock of a SQLite database, so that the statement has done nothing. */
export function isLocked(error: unknown): boolean {
  return [BUSY, LOCKED].includes(primaryCode(error))
}

/** Whether the values themselves cannot be stored, however often that is tried. */
export function isAboutValues(error: unknown): boolean {
  // How the drivers refuse what is no value of theirs.
  if (error instanceof TypeError || error instanceof RangeError) return true
  const state = error instanceof Error && 'code' in error ? String(error.code) : ''
  return VALUES.test(state) || [TOOBIG, CONSTRAINT, MISMATCH].includes(primaryCode(error))
}

function primaryCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
}
