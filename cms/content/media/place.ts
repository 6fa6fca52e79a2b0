import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileName } from './file-name.ts'
import type { Source, UploadFiles } from './upload-files.ts'

/** A name that an image size, or an edited version, of another image could have. */
const DERIVED = /-(?:\d+x\d+|scaled|rotated)$/

/**
 * Moves a file into a folder of the uploads, with its name or a numbered one (`photo-1.jpg`), and resolves to the name. Atomic, and never
 * replaces another file, even with concurrent uploads. WordPress's `wp_unique_filename`: a name is also taken if sizes of it exist, and no
 * name looks like a size.
 * @param below path of the folder below the uploads folder
 */
export async function placeFile(source: Source, files: UploadFiles, below: string, name: FileName): Promise<string> {
  const folder = join(files.folder, below)
  await mkdir(folder, { recursive: true })
  const part = await writePart(source, folder)
  try {
    return await claimName(part, files, below, name)
  } finally {
    await rm(part, { force: true })
  }
}

/** Replaces a file atomically, and creates its folder if necessary. */
export async function replaceFile(source: Source, files: UploadFiles, file: string): Promise<void> {
  const target = join(files.folder, file)
  await mkdir(dirname(target), { recursive: true })
  const part = await writePart(source, dirname(target))
  try {
    await files.push(part, file)
    await rename(part, target)
  } finally {
    await rm(part, { force: true })
  }
}

/** In the target folder, so that it can be renamed; names with a leading dot are not served. */
async function writePart(source: Source, folder: string): Promise<string> {
  const part = join(folder, `.${randomBytes(9).toString('base64url')}.part`)
  if (typeof source === 'string') await copyFile(source, part)
  else await writeFile(part, source, { flag: 'wx' })
  return part
}

async function claimName(
  part: string,
  files: UploadFiles,
  below: string,
  { base, extension }: FileName,
): Promise<string> {
  let taken = await namesIn(files, below, base)
  for (let number = DERIVED.test(base) ? 1 : 0; ; ) {
    const own = number === 0 ? base : `${base}-${number}`
    const name = `${own}.${extension}`
    if (isTaken(taken, own, extension)) {
      number++
      continue
    }
    if (await files.place(part, join(below, name))) return name
    taken = await namesIn(files, below, base)
  }
}

/** In lowercase, because some file systems are case-insensitive. */
async function namesIn(files: UploadFiles, below: string, base: string): Promise<ReadonlySet<string>> {
  return new Set((await files.names(below, base)).map((name) => name.toLowerCase()))
}

function isTaken(names: ReadonlySet<string>, base: string, extension: string): boolean {
  const [own, end] = [base.toLowerCase(), `.${extension.toLowerCase()}`]
  if (names.has(own + end)) return true
  for (const name of names) {
    if (!name.startsWith(`${own}-`) || !name.endsWith(end)) continue
    if (DERIVED.test(name.slice(0, -end.length)) && !name.slice(own.length + 1, -end.length).includes('-')) return true
  }
  return false
}
