import { statSync } from 'node:fs'

/** The SQLite database in the site folder. */
export const SITE_DATABASE = 'site.db'

/**
 * SQLite continues with a file that was deleted, and everything written to it, or to its write-ahead log, would be lost.
 * @returns a function that throws if a file with the name of the open one, or of its log, is no longer the same
 */
export function createMovedCheck(file: string): () => void {
  const opened = new Map([[file, statSync(file).ino]])
  return () => {
    for (const path of [file, `${file}-wal`]) {
      const inode = statSync(path, { throwIfNoEntry: false })?.ino
      const first = opened.get(path)
      if (first !== undefined && first !== inode)
        throw Object.assign(new Error(`${path} was deleted or replaced while it was open.`), { code: 'DATABASE_MOVED' })
      // The log is created by the first write.
      if (inode !== undefined) opened.set(path, inode)
    }
  }
}
