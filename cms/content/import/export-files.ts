import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable, Transform } from 'node:stream'
import { crc32, createGunzip, createInflateRaw } from 'node:zlib'
import { archiveKind, startOf } from './archive-kind.ts'
import { explain, inFile, WxrError } from './wxr-error.ts'
import { damaged, type ZipEntry, zipEntries } from './zip-entries.ts'

/** An export file, possibly inside an archive. */
export interface ExportFile {
  /** For messages: its path, with its name in the archive. */
  readonly name: string
  /** Size on disk, in bytes. */
  readonly size: number
  /** Its text in chunks, with the number of bytes read from disk so far. */
  read(): AsyncIterable<{ readonly chunk: Buffer; readonly position: number }>
}

/** Text compresses to about a tenth; a few kilobytes of a zip bomb can unpack to terabytes. */
const LARGEST_RATIO = 200
/** Maximum size of extracted content, in bytes. */
const UNPACKED = 64 * 1024 * 1024
/** Parsing one takes a few milliseconds. */
const PIECE = 64 * 1024
/** Maximum number of files in a zip archive with exports, and maximum size of its directory in bytes. */
const ZIP = { entries: 1000, directory: 4 * 1024 * 1024 }

/**
 * The exports that a path names: one for a file, which may be gzipped, and each XML file of a zip archive, in the order of
 * their names: WordPress.com splits large exports this way.
 * @throws WxrError for a damaged archive, or one without XML files
 */
export async function openExport(path: string): Promise<ExportFile[]> {
  const { size } = await stat(path)
  const kind = archiveKind(await startOf(path))
  if (kind === 'gzip') {
    const read = () => unpacked(createReadStream(path, { highWaterMark: PIECE }), createGunzip(), size)
    return [{ name: path, size, read }]
  }
  if (kind !== 'zip') {
    return [{ name: path, size, read: () => plain(createReadStream(path, { highWaterMark: PIECE })) }]
  }
  const isExport = ({ name, isLink }: ZipEntry) =>
    !isLink && /\.xml$/i.test(name) && !/(?:^|\/)(?:__MACOSX\/|\.)/.test(name)
  const entries = (await zipEntries(path, ZIP)).filter(isExport).sort((a, b) => (a.name < b.name ? -1 : 1))
  if (entries.length === 0) throw new WxrError('is an archive that contains no XML file', 0)
  return entries.map((entry) => ({
    name: `${path}: ${entry.name}`,
    size: entry.packed,
    read: () => readEntry(path, entry),
  }))
}

/** All files at the paths, which must belong to one export. @throws WxrError */
export async function openExports(paths: readonly string[]): Promise<ExportFile[]> {
  const opened: ExportFile[] = []
  for (const path of paths) {
    try {
      const files = await openExport(path)
      if (files.every(({ size }) => size === 0)) throw new WxrError('is empty', 0)
      opened.push(...files)
    } catch (error) {
      throw error instanceof WxrError ? explain(inFile(error, { name: path }), undefined) : error
    }
  }
  return opened
}

async function* plain(source: Readable): ReturnType<ExportFile['read']> {
  let position = 0
  for await (const chunk of source) {
    position += chunk.length
    yield { chunk, position }
  }
}

/** The bytes of a file in a zip archive. @throws WxrError if it is damaged, or expands to far more than it should */
export async function* readEntry(path: string, entry: ZipEntry): ReturnType<ExportFile['read']> {
  const { start, packed, isCompressed, checksum } = entry
  if (packed === 0) return
  const source = createReadStream(path, { start, end: start + packed - 1, highWaterMark: PIECE })
  let sum = 0
  for await (const piece of isCompressed ? unpacked(source, createInflateRaw(), packed) : plain(source)) {
    sum = crc32(piece.chunk, sum)
    yield piece
  }
  if (sum !== checksum) throw damaged()
}

async function* unpacked(source: Readable, unpack: Transform, size: number): ReturnType<ExportFile['read']> {
  const most = Math.max(UNPACKED, size * LARGEST_RATIO)
  let position = 0
  let length = 0
  source.on('data', (chunk) => {
    position += chunk.length
  })
  source.once('error', (error) => unpack.destroy(error))
  try {
    for await (const chunk of source.pipe(unpack)) {
      length += chunk.length
      if (length > most) throw new WxrError(`expands to more than ${LARGEST_RATIO} times its size`, 0)
      yield { chunk, position }
    }
  } catch (error) {
    const isOfData = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    throw isOfData ? damaged() : error
  } finally {
    source.destroy()
  }
}
