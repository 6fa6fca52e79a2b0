import { randomBytes } from 'node:crypto'
import { copyFile, link, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileName } from './file-name.ts'

/** A file on disk, or bytes. */
export type Source = string | Uint8Array

/** A name that an image size, or an edited version, of another image could have. */
const DERIVED = /-(?:\d+x\d+|scaled|rotated)$/

/**
 * Moves a file into a folder of the uploads, with its name or a numbered one (`photo-1.jpg`), and resolves to the name. Atomic, and never
 * replaces another file, even with concurrent uploads. WordPress's `wp_unique_filename`: a name is also taken if sizes of it exist, and no
 * name looks like a size.
 */
export async function placeFile(source: Source, folder: string, name: FileName): Promise<string> {
  await mkdir(folder, { recursive: true })
  const part = await writePart(source, folder)
  try {
    return await claimName(part, folder, name)
  } finally {
    await rm(part, { force: true })
  }
}

/** Replaces a file atomically. */
export async function replaceFile(source: Source, to: string): Promise<void> {
  const part = await writePart(source, dirname(to))
  try {
    await rename(part, to)
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

async function claimName(part: string, folder: string, { base, extension }: FileName): Promise<string> {
  let taken = await namesIn(folder)
  for (let number = DERIVED.test(base) ? 1 : 0; ; ) {
    const own = number === 0 ? base : `${base}-${number}`
    const name = `${own}.${extension}`
    if (isTaken(taken, own, extension)) {
      number++
      continue
    }
    if (await moveUnlessThere(part, join(folder, name))) return name
    taken = await namesIn(folder)
  }
}

/** In lowercase, because some file systems are case-insensitive. */
async function namesIn(folder: string): Promise<ReadonlySet<string>> {
  return new Set((await readdir(folder)).map((name) => name.toLowerCase()))
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

/** Moves without replacing; `false` if the target exists. */
async function moveUnlessThere(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // File systems without hard links: the name is claimed by an empty file, which the complete file then replaces.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error
  }
  try {
    await (await open(to, 'wx')).close()
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  await rename(from, to)
  return true
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
