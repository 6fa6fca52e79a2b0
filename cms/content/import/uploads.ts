import { randomBytes } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { UploadFiles } from '../media/upload-files.ts'
import { isMedia } from '../media/upload-path.ts'
import type { ImportJournal } from './journal.ts'
import { type ImportReport, note } from './report.ts'
import type { WantedFile } from './wanted-files.ts'

/** Why a file is not stored. */
export const ANOTHER = 'another file has the same name'

/** Possible locations of the uploads below a folder. */
const PLACES = ['uploads', 'wp-content/uploads']
const YEAR = /^\d{4}$/
/** Files that macOS adds to archives. */
const ADDED_BY_MACOS = /^__MACOSX$|^\._/
/** Maximum number of enclosing folders, as in `backup-2026/public_html/wp-content/uploads`. */
const MOST_AROUND = 10

/**
 * Finds the folders that contain files such as `2026/01/map.png`: the given one, `uploads` and `wp-content/uploads` in it, or else those in
 * its only subfolder; in the uploads of a WordPress network, those of the site, which is identified by the URLs of its files. The contents
 * of a nested folder belong to that folder only.
 * @throws Error if there is no such folder
 */
export async function findUploads(dir: string, wanted: readonly WantedFile[]): Promise<string[]> {
  if (!(await isFolder(dir))) throw new Error(`There is no folder ${dir}.`)
  const ofSite = wanted.flatMap(({ sources }) => sources.flatMap((url) => /\/(sites\/\d+)\//.exec(url)?.[1] ?? []))[0]
  const found = await uploadsBelow(dir, MOST_AROUND)
  return Promise.all(
    found.map(async (folder) =>
      ofSite !== undefined && (await isFolder(join(folder, ofSite))) ? join(folder, ofSite) : folder,
    ),
  )
}

async function uploadsBelow(dir: string, depth: number): Promise<string[]> {
  const isThere = await Promise.all(PLACES.map((place) => isFolder(join(dir, place))))
  const places = PLACES.filter((_, at) => isThere[at]).map((place) => join(dir, place))
  if (places.length > 0) return [dir, ...places]
  const entries = await readdir(dir, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && !ADDED_BY_MACOS.test(entry.name))
  const [only] = folders
  if (only === undefined || folders.length > 1 || YEAR.test(only.name) || depth === 0) return [dir]
  return [dir, ...(await uploadsBelow(join(dir, only.name), depth - 1))]
}

/** Whether the folder is a whole uploads folder, with a folder for each year, and not just some files. */
export async function hasYears(folder: string): Promise<boolean> {
  return (await readdir(folder, { withFileTypes: true })).some((entry) => entry.isDirectory() && YEAR.test(entry.name))
}

/** Scripts and styles that a Pentad site generates in its uploads folder; the new site generates its own. */
const GENERATED = /^(?:uploads\/)?(?:pwa\/scripts|speed\/(?:assets|scripts))\//

export function isGenerated(path: string): boolean {
  return GENERATED.test(path)
}

/**
 * All media files in a folder and its subfolders, as relative paths. Does not follow symbolic links; reports files that are not media.
 * @param others - Nested folders to exclude.
 */
export async function* mediaFiles(
  folder: string,
  report: ImportReport,
  others: readonly string[],
  below = '',
): AsyncGenerator<string> {
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (ADDED_BY_MACOS.test(entry.name) || others.includes(join(folder, path))) continue
    if (entry.isDirectory()) yield* mediaFiles(folder, report, others, path)
    else {
      const reason = reasonAgainst(entry)
      if (reason === undefined) yield path
      else if (!isGenerated(path)) note(report.files.refused, { file: path, reason })
    }
  }
}

function reasonAgainst(entry: Dirent): string | undefined {
  if (entry.isSymbolicLink()) return 'a symbolic link'
  if (!entry.isFile()) return 'not a file'
  return isMedia(entry.name) ? undefined : 'not a media file'
}

/**
 * Copies a file between uploads folders, atomically, unless it exists. `path` must be validated by `safeUploadPath` or come from
 * `mediaFiles`.
 */
export async function copyUpload(
  from: string,
  to: UploadFiles,
  path: string,
  { report, journal }: { report: ImportReport; journal: ImportJournal },
): Promise<void> {
  const source = join(from, path)
  const target = join(to.folder, path)
  const given = await lstat(source)
  const there = (await to.pull(path)) && (await lstat(target).catch(() => undefined))
  if (there) {
    const same = there.isFile() && there.size === given.size && (await isSame(source, target))
    if (same) report.files[journal.take('file', path) ? 'copied' : 'kept']++
    else note(report.files.refused, { file: path, reason: ANOTHER })
    return
  }
  await journal.note('file', path)
  await mkdir(dirname(target), { recursive: true })
  const temporary = join(dirname(target), `.${randomBytes(9).toString('base64url')}.part`)
  try {
    await copyFile(source, temporary)
    await utimes(temporary, given.atime, given.mtime)
    await to.push(temporary, path)
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
