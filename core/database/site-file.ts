import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** The SQLite database in the site folder. */
export const SITE_DATABASE = 'site.db'

/** SQLite's primary result codes for "somebody else has it" (sqlite.org/rescode.html). */
const BUSY = 5
const LOCKED = 6

/**
 * Whether nobody has the SQLite file open, and if so, brings all of it into that one file: leaving WAL mode asks for
 * the file alone. A file that is no database is free.
 */
export function isDatabaseFree(file: string): boolean {
  if (!existsSync(file)) return true
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
    database.exec('pragma journal_mode = delete')
    return true
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
    return code !== BUSY && code !== LOCKED
  } finally {
    database?.close()
  }
}
