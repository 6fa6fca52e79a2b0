import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { checkName, linkStays } from '../archive/names.ts'
import { categoryOf } from '../categories.ts'
import { isNotFound } from '../missing-files.ts'
import type { Category, SourceEntry, Warning } from '../types.ts'

/**
 * Bytes of the longest name that is backed up. Systems take paths of 4095, and a restore unpacks below
 * `<site>/tmp/restore-…/`: one file that has no place there would keep the whole backup from being restored.
 */
const LONGEST = 3500

/** What a scan finds, one thing at a time. */
export type Found = { readonly entry: SourceEntry } | { readonly warning: Warning }

export interface ScanOptions {
  readonly siteDir: string
  readonly contents: readonly Category[]
  isExcluded(path: string): boolean
  readonly signal: AbortSignal
}

/**
 * All files, folders and links of the site that go into a backup. Links are never followed; one that leads out of the
 * site is left out with a warning, since no archive with such a link is ever unpacked. So is what is no file: pipes,
 * sockets, devices.
 */
export async function* scanSite(options: ScanOptions): AsyncGenerator<Found> {
  yield* scanFolder('', options)
}

async function* scanFolder(folder: string, options: ScanOptions): AsyncGenerator<Found> {
  const { siteDir, contents, isExcluded, signal } = options
  let names: Buffer[]
  try {
    names = await readdir(join(siteDir, folder), { encoding: 'buffer' })
  } catch (error) {
    if (!isNotFound(error)) yield { warning: { name: folder, message: `The folder is left out: ${reason(error)}.` } }
    return
  }
  for (const bytes of names.sort(Buffer.compare)) {
    signal.throwIfAborted()
    const path = folder === '' ? bytes.toString() : `${folder}/${bytes.toString()}`
    if (!Buffer.from(bytes.toString()).equals(bytes)) {
      yield { warning: { name: path, message: 'It is left out: its name is not UTF-8.' } }
      continue
    }
    if (Buffer.byteLength(path) > LONGEST) {
      yield { warning: { name: path, message: 'It is left out: its path is too long to be unpacked again.' } }
      continue
    }
    if (!isUsable(`files/${path}`)) {
      yield { warning: { name: path, message: 'It is left out: no archive with such a name is ever unpacked.' } }
      continue
    }
    const category = categoryOf(path)
    if (!contents.includes(category) || isExcluded(path)) continue
    const found = await describe(siteDir, path, category)
    if (found) yield found
    if (found && 'entry' in found && found.entry.type === 'directory') yield* scanFolder(path, options)
  }
}

async function describe(siteDir: string, path: string, category: Category): Promise<Found | undefined> {
  const absolute = join(siteDir, path)
  const left = (why: string): Found => ({ warning: { name: path, message: `It is left out: ${why}.` } })
  try {
    const stats = await lstat(absolute)
    const common = {
      name: `files/${path}`,
      path: absolute,
      category,
      mode: stats.mode & 0o7777,
      mtimeMs: stats.mtimeMs,
    }
    if (stats.isFile()) return { entry: { ...common, type: 'file', size: stats.size } }
    if (stats.isDirectory()) return { entry: { ...common, type: 'directory', size: 0 } }
    if (!stats.isSymbolicLink()) return left('it is no file')
    const linkTarget = await readlink(absolute)
    if (!linkStays(common.name, linkTarget)) return left('it is a link that leads out of the site')
    return { entry: { ...common, type: 'symlink', size: 0, linkTarget } }
  } catch (error) {
    // Gone since the folder was read: there is nothing to tell.
    return isNotFound(error) ? undefined : left(reason(error))
  }
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return code === 'EACCES' || code === 'EPERM' ? 'it may not be read' : `it cannot be read (${code})`
}

function isUsable(name: string): boolean {
  try {
    checkName(name)
    return true
  } catch {
    return false
  }
}
