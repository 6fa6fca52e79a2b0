import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { checkName, linkStays } from '../archive/names.ts'
import { categoryOf } from '../categories.ts'
import { isNotFound } from '../missing-files.ts'
import type { Category, SourceEntry, Warning } from '../types.ts'

/**
 * Longest path that is backed up, in bytes. Operating systems allow 4095, and a restore unpacks below
 * `<site>/tmp/restore-…/`: a single path that does not fit would make the backup unrestorable.
 */
const LONGEST = 3500

/** A result of the scan. */
export type Found = { readonly entry: SourceEntry } | { readonly warning: Warning }

export interface ScanOptions {
  readonly siteDir: string
  readonly contents: readonly Category[]
  isExcluded(path: string): boolean
  readonly signal: AbortSignal
}

/**
 * Yields all files, folders and links of the site to back up. Links are never followed. Links that point outside the
 * site are skipped with a warning, since an archive with such a link would be rejected; so are pipes, sockets and
 * devices.
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
    if (!isNotFound(error)) yield { warning: { name: folder, message: `The folder was skipped: ${reason(error)}.` } }
    return
  }
  for (const bytes of names.sort(Buffer.compare)) {
    signal.throwIfAborted()
    const path = folder === '' ? bytes.toString() : `${folder}/${bytes.toString()}`
    if (!Buffer.from(bytes.toString()).equals(bytes)) {
      yield { warning: { name: path, message: 'The file was skipped: its name is not valid UTF-8.' } }
      continue
    }
    if (Buffer.byteLength(path) > LONGEST) {
      yield { warning: { name: path, message: 'The file was skipped: its path is too long to restore.' } }
      continue
    }
    if (!isUsable(`files/${path}`)) {
      yield { warning: { name: path, message: 'The file was skipped: its name is not allowed in an archive.' } }
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
  const skipped = (why: string): Found => ({ warning: { name: path, message: `The file was skipped: ${why}.` } })
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
    if (!stats.isSymbolicLink()) return skipped('it is not a regular file')
    const linkTarget = await readlink(absolute)
    if (!linkStays(common.name, linkTarget)) return skipped('it is a link that points outside the site')
    return { entry: { ...common, type: 'symlink', size: 0, linkTarget } }
  } catch (error) {
    // Deleted since the folder was read: no warning needed.
    return isNotFound(error) ? undefined : skipped(reason(error))
  }
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  return code === 'EACCES' || code === 'EPERM' ? 'permission denied' : `it cannot be read (${code})`
}

function isUsable(name: string): boolean {
  try {
    checkName(name)
    return true
  } catch {
    return false
  }
}
