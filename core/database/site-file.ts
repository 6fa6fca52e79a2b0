import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isLocked } from './errors.ts'

/** The SQLite database in the site folder. */
export const SITE_DATABASE = 'site.db'

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
    return !isLocked(error)
  } finally {
    database?.close()
  }
}
