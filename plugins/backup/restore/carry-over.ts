import { constants } from 'node:fs'
import { copyFile, link, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { linkStays } from '../archive/names.ts'
import { categoryOf, isMachineLocal } from '../categories.ts'
import { isNotFound, pathExists } from '../missing-files.ts'
import type { Category } from '../types.ts'

/** For file systems without hard links: copy-on-write if possible, never overwriting. */
const COPY = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL

export interface CarryOver {
  readonly siteDir: string
  /** The unpacked files that will replace those of the site. */
  readonly unpacked: string
  readonly parts: readonly Category[]
  /** Whether backups exclude the path (and with a folder everything in it). */
  isExcluded(path: string): boolean
}

/**
 * Carries over into the new site what backups do not contain: excluded files, and links that point outside the site. A
 * restore must not delete them. Files from the archive take precedence. Files are hard-linked, which needs no space and
 * preserves concurrent writes.
 *
 * Yields a warning for each file that cannot be carried over, and `undefined` between folders.
 */
export async function* carryOver(task: CarryOver): AsyncGenerator<string | undefined> {
  yield* carryFolder('', false, task)
}

async function* carryFolder(folder: string, isKept: boolean, task: CarryOver): AsyncGenerator<string | undefined> {
  const { siteDir, parts, isExcluded } = task
  const entries = await readdir(join(siteDir, folder), { withFileTypes: true }).catch((error) => {
    if (isNotFound(error) || isInaccessible(error)) return undefined
    throw error
  })
  if (!entries) return yield notCarriedOver(folder)
  for (const entry of entries) {
    if (folder === '' && (isMachineLocal(entry.name) || !parts.includes(categoryOf(entry.name)))) continue
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    const isWanted = isKept || isExcluded(path)
    if (entry.isDirectory()) {
      if (isWanted) yield await carry(path, task)
      yield* carryFolder(path, isWanted, task)
    } else if (isWanted || (entry.isSymbolicLink() && (await leadsOut(siteDir, path)))) {
      const warning = await carry(path, task)
      if (warning !== undefined) yield warning
    }
  }
  yield undefined
}

/** @returns a warning if it could not be carried over */
async function carry(path: string, { siteDir, unpacked }: CarryOver): Promise<string | undefined> {
  const from = join(siteDir, path)
  const to = join(unpacked, path)
  try {
    if (await pathExists(to)) return undefined
    if (!(await makeFolders(dirname(path), { siteDir, unpacked }))) return notCarriedOver(path)
    const stats = await lstat(from)
    if (stats.isDirectory()) await mkdir(to, { mode: stats.mode })
    else if (stats.isSymbolicLink()) await symlink(await readlink(from), to)
    else if (stats.isFile()) await link(from, to).catch(() => copyFile(from, to, COPY))
    else return notCarriedOver(path)
    return undefined
  } catch (error) {
    if (isNotFound(error)) return undefined
    if (isInaccessible(error)) return notCarriedOver(path)
    throw error
  }
}

/** `false` if the archive contains something other than a folder at this path: never writes through its links. */
async function makeFolders(path: string, place: Pick<CarryOver, 'siteDir' | 'unpacked'>): Promise<boolean> {
  const target = join(place.unpacked, path)
  if (await pathExists(target)) return (await lstat(target)).isDirectory()
  if (path !== '.' && !(await makeFolders(dirname(path), place))) return false
  await mkdir(target, { recursive: true, mode: (await lstat(join(place.siteDir, path))).mode })
  return true
}

async function leadsOut(siteDir: string, path: string): Promise<boolean> {
  const target = await readlink(join(siteDir, path)).catch((error) => {
    if (isNotFound(error) || isInaccessible(error)) return undefined
    throw error
  })
  return target !== undefined && !linkStays(`files/${path}`, target)
}

function notCarriedOver(path: string): string {
  return `${JSON.stringify(path)} is not part of the backup and could not be carried over to the restored site.`
}

/** No permission, or the path is too long. */
function isInaccessible(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:EACCES|EPERM|ENAMETOOLONG)$/.test(String(error.code))
}
