import { existsSync } from 'node:fs'
import { mkdir, open, readdir, realpath, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { deprecate } from 'node:util'
import { flushFolder } from '../core/files/flush-folder.ts'

/** Folder, within one of extensions or themes, with an empty file named after each marked entry. */
const MARKS = '.foreign'

/**
 * Marks extensions or themes from a backup that this site did not sign. Marked code does not run until an administrator or the command line
 * trusts it.
 */
export interface UntrustedCode {
  /** Whether the entry with that name is marked. */
  has(name: string): boolean
  /** Whether any of the paths is, or is in, a marked entry, including through a symbolic link. */
  covers(...paths: readonly string[]): Promise<boolean>
  /** Marks the entry with that name. */
  mark(name: string): Promise<void>
  /** Removes the marks of all entries that contain any of the paths. */
  trust(...paths: readonly string[]): Promise<void>
}

/**
 * Marks everything in a folder of extensions or themes. The marks are in the folder itself, so they take effect together with it, are
 * deleted with it, and are included in backups.
 *
 * @param except - Names of entries that the site trusts.
 */
export async function markUntrustedCode(folder: string, except: readonly string[] = []): Promise<void> {
  const marks = join(folder, MARKS)
  // Replaces anything that the archive contains under that name.
  await rm(marks, { recursive: true, force: true })
  const names = (await readdir(folder)).filter((name) => !except.includes(name))
  await mkdir(marks, { mode: 0o700 })
  for (const name of names) await (await open(join(marks, name), 'wx', 0o600)).close()
  await flushFolder(marks)
  await flushFolder(folder)
}

/** @deprecated Use `markUntrustedCode`. */
export const markForeignCode = deprecate(
  markUntrustedCode,
  'markForeignCode was renamed to markUntrustedCode.',
  'PENTAD_MARK_FOREIGN_CODE',
)

/** Resolves symbolic links, as far as the path exists. */
const onDisk = (path: string) => realpath(path).catch(() => path)

/** @param folder - A folder of extensions or themes; it need not exist. */
export function createUntrustedCode(folder: string): UntrustedCode {
  const marks = join(folder, MARKS)

  async function marksOf(paths: readonly string[]): Promise<string[]> {
    if (!existsSync(marks)) return []
    const wanted = await Promise.all(paths.map(onDisk))
    const covering: string[] = []
    for (const name of await readdir(marks)) {
      const entry = await onDisk(join(folder, name))
      if (wanted.some((path) => path === entry || path.startsWith(entry + sep))) covering.push(name)
    }
    return covering
  }

  return {
    has: (name) => existsSync(join(marks, name)),
    covers: async (...paths) => (await marksOf(paths)).length > 0,
    async mark(name) {
      await mkdir(marks, { recursive: true, mode: 0o700 })
      await (await open(join(marks, name), 'w', 0o600)).close()
      await flushFolder(marks)
    },
    async trust(...paths) {
      const found = await marksOf(paths)
      for (const name of found) await rm(join(marks, name), { force: true })
      if (found.length > 0) await flushFolder(marks)
    },
  }
}
