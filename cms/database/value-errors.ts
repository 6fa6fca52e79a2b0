import { primaryCode } from '../../core/database/errors.ts'

/** SQLSTATE classes: data exceptions, constraint violations, program limits exceeded. */
const STATES = /^(?:22|23|54)/
/** SQLite's `SQLITE_TOOBIG`, `SQLITE_CONSTRAINT`, and `SQLITE_MISMATCH`. */
const SQLITE_CODES = [18, 19, 20]

/** Whether the values themselves cannot be stored, so that a retry is useless. */
export function isAboutValues(error: unknown): boolean {
  // Errors of the drivers for values of unsupported types.
  if (error instanceof TypeError || error instanceof RangeError) return true
  const state = error instanceof Error && 'code' in error ? String(error.code) : ''
  return STATES.test(state) || SQLITE_CODES.includes(primaryCode(error))
}
