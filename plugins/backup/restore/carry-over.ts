import { constants } from 'node:fs'
import { copyFile, link, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { linkStays } from '../archive/names.ts'
import { categoryOf, isMachineLocal } from '../categories.ts'
import { isNotFound, pathExists } from '../missing-files.ts'
import type { Category } from '../types.ts'

/** Where there are no hard links: without taking room if that can be, and never over what is there. */
const COPY = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL

export interface CarryOver {
  readonly siteDir: string
  /** What takes the place of the site's files. */
  readonly unpacked: string
  readonly parts: readonly Category[]
  /** Whether backups leave the path out, and with a folder all that is in it. */
  isExcluded(path: string): boolean
}

/**
 * Puts what no backup holds into the site that is to come: what the owner leaves out of backups, and links that lead out
 * of the site. A restore brings back what was backed up; it must not delete the rest. What the archive holds goes first.
 * Files become hard links, which need no room, and what is written to them meanwhile is not lost.
 *
 * Yields a warning for what stays behind, and `undefined` between two folders.
 */
export async function* carryOver(task: CarryOver): AsyncGenerator<string | undefined> {
  yield* carryFolder('', false, task)
}

async function* carryFolder(folder: string, isKept: boolean, task: CarryOver): AsyncGenerator<string | undefined> {
  const { siteDir, parts, isExcluded } = task
  const entries = await readdir(join(siteDir, folder), { withFileTypes: true }).catch((error) => {
    if (isNotFound(error) || isOutOfReach(error)) return undefined
    throw error
  })
  if (!entries) return yield staysBehind(folder)
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

/** @returns a warning if it stays behind */
async function carry(path: string, { siteDir, unpacked }: CarryOver): Promise<string | undefined> {
  const from = join(siteDir, path)
  const to = join(unpacked, path)
  try {
    if (await pathExists(to)) return undefined
    if (!(await makeFolders(dirname(path), { siteDir, unpacked }))) return staysBehind(path)
    const stats = await lstat(from)
    if (stats.isDirectory()) await mkdir(to, { mode: stats.mode })
    else if (stats.isSymbolicLink()) await symlink(await readlink(from), to)
    else if (stats.isFile()) await link(from, to).catch(() => copyFile(from, to, COPY))
    else return staysBehind(path)
    return undefined
  } catch (error) {
    if (isNotFound(error)) return undefined
    if (isOutOfReach(error)) return staysBehind(path)
    throw error
  }
}

/** `false` if the archive holds something else by the name of a folder: nothing is written through its links. */
async function makeFolders(path: string, place: Pick<CarryOver, 'siteDir' | 'unpacked'>): Promise<boolean> {
  const target = join(place.unpacked, path)
  if (await pathExists(target)) return (await lstat(target)).isDirectory()
  if (path !== '.' && !(await makeFolders(dirname(path), place))) return false
  await mkdir(target, { recursive: true, mode: (await lstat(join(place.siteDir, path))).mode })
  return true
}

async function leadsOut(siteDir: string, path: string): Promise<boolean> {
  const target = await readlink(join(siteDir, path)).catch((error) => {
    if (isNotFound(error) || isOutOfReach(error)) return undefined
    throw error
  })
  return target !== undefined && !linkStays(`files/${path}`, target)
}

function staysBehind(path: string): string {
  return `${JSON.stringify(path)} is in no backup and has no place in the restored site: it is gone.`
}

/** Forbidden, or by a path that is longer than systems take. */
function isOutOfReach(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:EACCES|EPERM|ENAMETOOLONG)$/.test(String(error.code))
}
