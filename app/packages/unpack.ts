import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { archiveKind, startOf } from '../../cms/content/import/archive-kind.ts'
import { readEntry } from '../../cms/content/import/export-files.ts'
import { zipEntries } from '../../cms/content/import/zip-entries.ts'
import { isCode, RestError } from '../../core/errors.ts'
import { invalidPackage } from './errors.ts'

const MAX_FILES = 5_000
/** Bytes of all files together. */
const MAX_SIZE = 100 * 1024 * 1024
const MAX_PATH = 400
/** Not copied from a folder: its history, and what its author has installed. */
const SKIPPED = new Set(['.git', 'node_modules'])
/** Folder that macOS adds to zip archives. */
const MAC_METADATA = '__MACOSX/'
/** Characters that are not allowed in file names on all systems. */
const FORBIDDEN = /[\p{Cc}\\:*?"<>|]/u

/** Writes the files of a package, within its limits. */
interface Writer extends Pick<PackageLimits, 'count'> {
  /** @throws RestError for a name that is unsafe, or exists already */
  add(name: string, content: AsyncIterable<Buffer>): Promise<void>
}

/**
 * Unpacks a package (tar, tar.gz, zip) or copies a folder into a new folder. Nothing is written outside of it, links are rejected, and the
 * number and size of the files are limited.
 *
 * @returns the folder of the extension: archives of npm and GitHub contain a single folder
 * @throws RestError `package_invalid`
 */
export async function unpackPackage(source: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const writer = createWriter(folder)
  try {
    const found = await stat(source).catch(() => undefined)
    if (!found) throw invalidPackage(`${source} does not exist.`)
    if (found.isDirectory()) await copyFolder(source, folder, writer)
    else if (archiveKind(await startOf(source)) === 'zip') await unpackZip(source, writer)
    else await unpackTar(source, writer)
  } catch (error) {
    if (error instanceof RestError || isOfDisk(error)) throw error
    throw invalidPackage('The file is damaged, or not an archive (.tgz, .tar, .zip).')
  }
  const [first, ...others] = await readdir(folder, { withFileTypes: true })
  if (!first) throw invalidPackage('The package contains no files.')
  return others.length === 0 && first.isDirectory() ? join(folder, first.name) : folder
}

/** Counts the files of a package. */
export interface PackageLimits {
  /** Counts bytes that were unpacked. @throws RestError */
  count(bytes: number): void
  /** Counts a file. @returns the segments of its path @throws RestError for a name that is unsafe */
  countFile(name: string): string[]
}

export function createPackageLimits(): PackageLimits {
  let files = 0
  let size = 0
  return {
    count(bytes) {
      size += bytes
      if (size > MAX_SIZE) throw invalidPackage(`The package is larger than ${MAX_SIZE / 1024 ** 2} MB unpacked.`)
    },
    countFile(name) {
      if (++files > MAX_FILES) throw invalidPackage(`The package contains more than ${MAX_FILES} files.`)
      return safeSegments(name)
    },
  }
}

function createWriter(folder: string): Writer {
  const { count, countFile } = createPackageLimits()
  return {
    count,
    async add(name, content) {
      const path = join(folder, ...countFile(name))
      await mkdir(dirname(path), { recursive: true })
      await using file = await open(path, 'wx', 0o644).catch((error: unknown) => {
        if (!isCode(error, 'EEXIST')) throw error
        throw invalidPackage(`The package contains two files with the same name: ${name.slice(0, MAX_PATH)}`)
      })
      for await (const chunk of content) await file.write(chunk)
    },
  }
}

/** @throws RestError `package_invalid` for a path that would leave the folder, or that some system cannot store */
function safeSegments(name: string): string[] {
  const segments = name.replace(/^(?:\.\/)+/, '').split('/')
  const isUnsafe = (segment: string) =>
    segment === '' || segment === '.' || segment === '..' || FORBIDDEN.test(segment) || /[. ]$/.test(segment)
  if (name.length > MAX_PATH || segments.some(isUnsafe)) {
    throw invalidPackage(`The package contains a file with an unsafe name: ${JSON.stringify(name.slice(0, MAX_PATH))}`)
  }
  return segments
}

const linkIn = (name: string) =>
  invalidPackage(`The package contains a link or device, which is not allowed: ${name.slice(0, MAX_PATH)}`)

async function* counted(source: AsyncIterable<Buffer>, writer: Writer): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    writer.count(chunk.length)
    yield chunk
  }
}

async function unpackTar(archive: string, writer: Writer): Promise<void> {
  const { extract } = await import('tar-stream')
  const isCompressed = archiveKind(await startOf(archive)) === 'gzip'
  const entries = extract()
  const source = createReadStream(archive)
  const count = (chunks: AsyncIterable<Buffer>) => counted(chunks, writer)
  const flow = isCompressed ? pipeline(source, createGunzip(), count, entries) : pipeline(source, count, entries)
  // Its errors come by the loop too.
  flow.catch(() => {})
  let limit: unknown
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header
      if (type === 'directory') entry.resume()
      else if (type === 'file' || type === 'contiguous-file') await writer.add(name, buffersOf(entry))
      else throw linkIn(name)
    }
  } catch (error) {
    limit = error
  } finally {
    source.destroy()
  }
  // The limit of the size is an error of the pipeline, which the loop sees as an aborted stream.
  const failed = await flow.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failed instanceof RestError) throw failed
  if (limit ?? failed) throw limit ?? failed
}

async function* buffersOf(entry: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  for await (const chunk of entry) if (Buffer.isBuffer(chunk)) yield chunk
}

async function unpackZip(archive: string, writer: Writer): Promise<void> {
  const entries = await zipEntries(archive, { entries: MAX_FILES * 2, directory: 4 * 1024 * 1024 })
  for (const entry of entries) {
    if (entry.isLink) throw linkIn(entry.name)
    if (!entry.name.endsWith('/') && !entry.name.startsWith(MAC_METADATA))
      await writer.add(entry.name, counted(chunksOf(readEntry(archive, entry)), writer))
  }
}

async function* chunksOf(pieces: ReturnType<typeof readEntry>): AsyncGenerator<Buffer> {
  for await (const { chunk } of pieces) yield chunk
}

async function copyFolder(from: string, to: string, writer: Writer): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(from.length + 1).replaceAll('\\', '/')
    if (name.split('/').some((segment) => SKIPPED.has(segment)) || entry.isDirectory()) continue
    if (!entry.isFile()) throw linkIn(name)
    writer.count((await stat(path)).size)
    await writer.add(name, none())
    await copyFile(path, join(to, name))
  }
}

async function* none(): AsyncGenerator<Buffer> {}

function isOfDisk(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EIO', 'EACCES', 'EROFS'].some((code) => isCode(error, code))
}
