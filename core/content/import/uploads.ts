import { randomBytes } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isMedia } from '../media/upload-path.ts'
import { type ImportReport, note } from './report.ts'
import type { WantedFile } from './wanted-files.ts'

/** Why a file is not stored. */
export const ANOTHER = 'another file of that name is there'

/**
 * The folder whose files lie as `2026/01/map.png` in it: the one given, or `uploads` or `wp-content/uploads` in it; in
 * the uploads of a network that of the site, which the addresses of its files tell.
 * @throws Error if there is no such folder
 */
export async function findUploads(dir: string, wanted: readonly WantedFile[]): Promise<string> {
  if (!(await isFolder(dir))) throw new Error(`There is no folder ${dir}.`)
  const ofSite = wanted.flatMap(({ sources }) => sources.flatMap((url) => /\/(sites\/\d+)\//.exec(url)?.[1] ?? []))[0]
  let found = dir
  for (const below of ['uploads', 'wp-content/uploads']) {
    if (found === dir && (await isFolder(join(dir, below)))) found = join(dir, below)
  }
  return ofSite !== undefined && (await isFolder(join(found, ofSite))) ? join(found, ofSite) : found
}

/** Whether the folder is a whole uploads folder, with a folder for each year, and not just some files. */
export async function hasYears(folder: string): Promise<boolean> {
  return (await readdir(folder, { withFileTypes: true })).some(
    (entry) => entry.isDirectory() && /^\d{4}$/.test(entry.name),
  )
}

/** Scripts and styles that a Pentad site generates below its uploads folder; the new site makes its own. */
const GENERATED = /^(?:uploads\/)?(?:pwa\/scripts|speed\/(?:assets|scripts))\//

export function isGenerated(path: string): boolean {
  return GENERATED.test(path)
}

/** Every media file in a folder and below, as paths below it. Symbolic links are not followed; what is not media is reported. */
export async function* mediaFiles(folder: string, report: ImportReport, below = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) yield* mediaFiles(folder, report, path)
    else {
      const reason = reasonAgainst(entry)
      if (reason === undefined) yield path
      else if (!isGenerated(path)) note(report.files.refused, { file: path, reason })
    }
  }
}

function reasonAgainst(entry: Dirent): string | undefined {
  if (entry.isSymbolicLink()) return 'a symbolic link'
  if (!entry.isFile()) return 'no file'
  return isMedia(entry.name) ? undefined : 'not a media file'
}

/**
 * Copies a file between uploads folders. It appears whole or not at all; one that is there stays as it is.
 * `path` must have gone through `safeUploadPath` or come from `mediaFiles`.
 */
export async function copyUpload(from: string, to: string, path: string, report: ImportReport): Promise<void> {
  const source = join(from, path)
  const target = join(to, path)
  const given = await lstat(source)
  const there = await lstat(target).catch(() => undefined)
  if (there) {
    const same = there.isFile() && there.size === given.size && (await isSame(source, target))
    if (same) report.files.kept++
    else note(report.files.refused, { file: path, reason: ANOTHER })
    return
  }
  await mkdir(dirname(target), { recursive: true })
  const temporary = join(dirname(target), `.${randomBytes(9).toString('base64url')}.part`)
  try {
    await copyFile(source, temporary)
    await utimes(temporary, given.atime, given.mtime)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  report.files.copied++
}

async function isSame(a: string, b: string): Promise<boolean> {
  const others = createReadStream(b)[Symbol.asyncIterator]()
  for await (const chunk of createReadStream(a)) {
    const { value, done } = await others.next()
    if (done || !Buffer.from(chunk).equals(value)) return false
  }
  return true
}

async function isFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isDirectory() ?? false
}
