import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isLocked } from '../../core/database/errors.ts'

/**
 * Whether no connection has the SQLite file open; if so, merges the WAL into the file. Leaving WAL mode requires exclusive access, which
 * detects other connections. A file that is not a database counts as not open.
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
