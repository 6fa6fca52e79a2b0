import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder } from '../../core/files/flush-folder.ts'

/** The previous version, while it is replaced. The dot hides it from the loader. */
const OLD = '.old-'
const NEW = '.new-'

/** The site's folder of extensions or themes, in which versions are replaced atomically. */
export interface PackageFolders {
  /** An unused path in the same file system. */
  stage(): string
  /** The entry of the folder that is at the path, or that links to it; `undefined` if it is elsewhere. */
  entryOf(path: string): Promise<{ readonly path: string; readonly isFolder: boolean } | undefined>
  /** Puts a new version in place; `undo` restores the previous one, `done` deletes it. */
  replace(version: string, id: string): Promise<{ undo(): Promise<void>; done(): Promise<void> }>
  /** Deletes a staged folder. */
  discard(path: string): Promise<void>
  /** Deletes an entry; a link only, not its target. */
  remove(path: string): Promise<void>
  /** Restores what a process that ended in the middle of a replacement has left behind. */
  recover(): Promise<void>
}

export function createFolders(folder: string): PackageFolders {
  const stage = () => join(folder, `${NEW}${randomUUID()}`)

  async function discard(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true })
  }

  return {
    stage,
    discard,
    async entryOf(path) {
      for (const name of await readdir(folder).catch(() => [])) {
        if (name.startsWith('.')) continue
        const entry = join(folder, name)
        if ((await realpath(entry).catch(() => entry)) !== path) continue
        return { path: entry, isFolder: (await lstat(entry)).isDirectory() }
      }
      return undefined
    },
    async replace(version, target) {
      const old = join(folder, `${OLD}${target}`)
      const path = join(folder, target)
      await discard(old)
      const hadOld = existsSync(path)
      if (hadOld) await rename(path, old)
      await rename(version, path)
      await flushFolder(folder)
      return {
        async undo() {
          const failed = stage()
          await rename(path, failed)
          if (hadOld) await rename(old, path)
          await flushFolder(folder)
          await discard(failed)
        },
        done: () => discard(old),
      }
    },
    async remove(path) {
      const gone = stage()
      await rename(path, gone)
      await flushFolder(folder)
      await discard(gone)
    },
    async recover() {
      for (const name of await readdir(folder).catch(() => [])) {
        if (name.startsWith(NEW)) await discard(join(folder, name))
        if (!name.startsWith(OLD)) continue
        const path = join(folder, name.slice(OLD.length))
        if (existsSync(path)) await discard(join(folder, name))
        else await rename(join(folder, name), path)
      }
    },
  }
}
