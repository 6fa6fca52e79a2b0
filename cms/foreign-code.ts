import { existsSync } from 'node:fs'
import { mkdir, open, readdir, realpath, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { flushFolder } from '../core/files/flush-folder.ts'

/** Lies in a folder of extensions or themes, with an empty file by the name of each of them that is marked. */
const MARKS = '.foreign'

/**
 * Marks on extensions or themes that came with a backup that this site did not sign. Nothing marked runs, until an
 * administrator or the command line vouches for it.
 */
export interface ForeignCode {
  /** Whether the entry of that name is marked. */
  has(name: string): boolean
  /** Whether any of the paths is, or lies in, a marked entry; also where the entry is a link to it. */
  covers(...paths: readonly string[]): Promise<boolean>
  /** Removes the marks that cover any of the paths. */
  trust(...paths: readonly string[]): Promise<void>
}

/**
 * Marks everything in a folder of extensions or themes. The marks are a part of the folder, so they take effect at the
 * moment at which the folder does, are gone with it, and come along in backups.
 *
 * @param except - Names that the site vouches for.
 */
export async function markForeignCode(folder: string, except: readonly string[] = []): Promise<void> {
  const marks = join(folder, MARKS)
  // Whatever the archive holds by that name.
  await rm(marks, { recursive: true, force: true })
  const names = (await readdir(folder)).filter((name) => !except.includes(name))
  await mkdir(marks, { mode: 0o700 })
  for (const name of names) await (await open(join(marks, name), 'wx', 0o600)).close()
  await flushFolder(marks)
  await flushFolder(folder)
}

/** Without links, as far as the path is there. */
const onDisk = (path: string) => realpath(path).catch(() => path)

/** @param folder - Of extensions or themes; it need not exist. */
export function createForeignCode(folder: string): ForeignCode {
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
    async trust(...paths) {
      const found = await marksOf(paths)
      for (const name of found) await rm(join(marks, name), { force: true })
      if (found.length > 0) await flushFolder(marks)
    },
  }
}
