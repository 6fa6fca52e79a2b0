import { randomBytes } from 'node:crypto'
import { type Dirent, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolderSync, type Logger } from 'pentad'

const CURRENT = /^[\da-f]{24}$/

/**
 * The folder of the pages on disk: the one in `cache/pages/` whose name consists of 24 hexadecimal digits. A purge of all pages renames it,
 * so that no later process finds them, even if this one is killed before the purge is in the change log.
 */
export interface PageFolder {
  /** Path of the folder; `undefined` if it was not found, or cannot be used. */
  readonly path: string | undefined
  /** Finds the folder, without changing anything. */
  find(): void
  /** Finds or creates the folder. Returns its path. @throws Error if it cannot be used */
  open(): string
  /** Discards all pages. */
  clear(): void
  /** Removes the files of discarded pages, and everything else that is next to the folder. */
  removeOthers(): Promise<void>
}

export function createPageFolder(parent: string, log: Logger): PageFolder {
  let path: string | undefined

  const isCurrent = (entry: Dirent) => entry.isDirectory() && CURRENT.test(entry.name)

  function current(): string[] {
    try {
      const entries = readdirSync(parent, { withFileTypes: true })
      return entries.flatMap((entry) => (isCurrent(entry) ? join(parent, entry.name) : [])).sort()
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }

  function discard(folders: readonly string[]): void {
    for (const folder of folders) {
      try {
        renameSync(folder, `${folder}.old`)
      } catch (error) {
        // Another process has discarded it.
        if (!isMissing(error)) throw error
      }
    }
    if (folders.length > 0) flushFolderSync(parent)
  }

  function open(): string {
    mkdirSync(parent, { recursive: true })
    const [found, ...others] = current()
    // Two processes have created one each; the other one will find this.
    discard(others)
    const folder = found ?? join(parent, randomBytes(12).toString('hex'))
    if (!found) mkdirSync(folder)
    path = folder
    return folder
  }

  return {
    get path() {
      return path
    },
    find() {
      path = current()[0]
    },
    open,
    clear() {
      const wasOpen = path !== undefined
      path = undefined
      try {
        discard(current())
        if (wasOpen) open()
      } catch (error) {
        log.error({ err: error }, 'page cache folder not usable, purged pages remain on disk')
      }
    },
    async removeOthers() {
      const entries = await readdir(parent, { withFileTypes: true }).catch((error: unknown) => {
        if (!isMissing(error)) throw error
        return []
      })
      // Another process may just have created the next folder.
      for (const entry of entries) {
        if (!isCurrent(entry)) await rm(join(parent, entry.name), { recursive: true, force: true })
      }
    },
  }
}

/** Whether a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
