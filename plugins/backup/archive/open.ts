import { mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { RestError } from 'pentad'
import type { Compression } from '../types.ts'
import { openCatalog } from './catalog.ts'
import { createExtraction, type Extraction, type ExtractTask } from './extract.ts'
import type { Manifest, StoredEntry } from './format.ts'
import type { ReadProgress } from './read-progress.ts'
import { isSignedWith } from './signature.ts'
import { type ArchiveSource, createLocalCopy } from './source.ts'
import { createThreads } from './threads.ts'
import { decodeTrailer, trailerBytes } from './trailer.ts'
import { createUnitReader } from './units.ts'

export interface OpenOptions {
  /** For the catalogue, and for what is fetched from a location. Belongs to this archive alone. */
  readonly workFolder: string
  readonly threads?: number
}

/** An archive whose list was read and found harmless. Its contents are checked when they are read. */
export interface Archive {
  readonly manifest: Manifest
  /** Whether it has its index; without one every reading goes through all of it. */
  readonly indexed: boolean
  /**
   * Whether it is signed with this key and nothing of it was changed since. An archive that was packed again by other tools
   * has no index, which the signature is about: it counts as changed.
   */
  isSignedWith(key: Buffer): boolean
  /** All entries in the order of the archive; memory stays bounded. */
  list(): AsyncGenerator<StoredEntry>
  /**
   * Reads everything and checks every sum, until the signal fires; called again until it is done.
   * @throws RestError `archive_corrupt` and its relatives
   */
  verify(signal: AbortSignal): Promise<ReadProgress>
  /**
   * Unpacks into a folder that was empty before, until the signal fires; called again with the same task until it is
   * done. Every sum is checked on the way; what was unpacked is good for nothing until this is done.
   * @throws RestError as `verify`, and `archive_too_large` if there is no room
   */
  extract(task: ExtractTask, signal: AbortSignal): Promise<ReadProgress>
  close(): Promise<void>
}

/** Packed again by standard tools, an archive may unpack to this much whatever its size, and beyond it to so many times its size. */
const ALWAYS_ALLOWED = 1024 ** 3
const HIGHEST_RATIO = 200
/** The same of its catalogue: what it tells of an entry packs to a tenth at best, and one of many like it to less. */
const CATALOG_ALLOWED = 256 * 1024 * 1024
const CATALOG_RATIO = 100

/**
 * Opens an archive and refuses it as a whole if it is damaged or could harm. Nothing is written outside the work
 * folder.
 *
 * @throws RestError `archive_corrupt`, `archive_unsafe`, `archive_unsupported` or `archive_too_large`, status 400
 */
export async function openArchive(
  source: ArchiveSource,
  { workFolder, threads: count }: OpenOptions,
): Promise<Archive> {
  await mkdir(workFolder, { recursive: true })
  const compression = await detectCompression(source)
  const copy = createLocalCopy(source, join(workFolder, 'archive'))
  await needLists(source, compression, copy)
  const disk = await statfs(workFolder)
  const free = disk.bavail * disk.bsize
  const limit = Math.min(free, Math.max(ALWAYS_ALLOWED, source.size * HIGHEST_RATIO))
  // Names of 4,096 bytes that are all alike pack to next to nothing.
  const room = Math.min(free / 2, Math.max(CATALOG_ALLOWED, source.size * CATALOG_RATIO))
  const catalogPath = join(workFolder, 'catalog.db')
  const threads = createThreads(count)
  const listed = await threads
    .run('catalog', { path: copy.path, bytes: source.size, compression, catalog: catalogPath, limit, room })
    .catch(async (error) => {
      await threads.close()
      throw error
    })
  const { manifest, indexed } = listed
  const catalog = openCatalog(catalogPath)

  /** Reads one unit; with a folder, unpacks the wanted files of it. */
  const readUnit = async (unit: number, folder?: string, wanted?: readonly string[]): Promise<number> => {
    const members = catalog.membersOf(unit)
    for (const { at, bytes } of members) await copy.need(at, bytes)
    const entries = catalog.entriesOf(unit)
    const whole = indexed ? undefined : { bytes: source.size, limit }
    await threads.run('unit', { path: copy.path, compression, members, entries, whole, folder, wanted })
    return entries.reduce((sum, { size }) => sum + size, 0)
  }
  const units = catalog.units(undefined)
  const verifying = createUnitReader<number>(threads.count)
  let verified = { units: 0, bytes: 0 }
  const extractions = new Map<string, Extraction>()

  return {
    manifest,
    indexed,
    isSignedWith: (key) => indexed && isSignedWith(manifest, key),
    async *list() {
      for (let after = 0; ; ) {
        const page = catalog.page(after, 500)
        for (const { entry } of page) yield entry
        const last = page.at(-1)
        if (!last) return
        after = last.id
      }
    },
    async verify(signal) {
      const read = (unit: number) => readUnit(units[unit] ?? 0)
      const done = await verifying.advance({ from: verified.units, count: units.length, read }, signal)
      verified = {
        units: verified.units + done.length,
        bytes: done.reduce((sum, bytes) => sum + bytes, verified.bytes),
      }
      return { done: verified.units === units.length, bytes: verified.bytes, totalBytes: manifest.counts.bytes }
    },
    async extract(task, signal) {
      const key = JSON.stringify(task)
      const extraction =
        extractions.get(key) ?? createExtraction(task, { catalog, readUnit, concurrency: threads.count })
      extractions.set(key, extraction)
      return extraction.advance(signal)
    },
    async close() {
      catalog.close()
      await threads.close()
    },
  }
}

/** RFC 1952, 2.3.1 and RFC 8878, 3.1.1. */
async function detectCompression(source: ArchiveSource): Promise<Compression> {
  const chunks: Buffer[] = []
  if (source.size >= 4) for await (const chunk of await source.read(0, 3)) chunks.push(chunk)
  const magic = Buffer.concat(chunks).toString('hex')
  if (magic.startsWith('1f8b08')) return 'gzip'
  if (magic === '28b52ffd') return 'zstd'
  throw new RestError('archive_corrupt', 'The file is no .tar.gz or .tar.zst archive.', { status: 400 })
}

/** Of an archive at a location: its end, and from there its lists, or all of it if it has no index. */
async function needLists(
  source: ArchiveSource,
  compression: Compression,
  copy: ReturnType<typeof createLocalCopy>,
): Promise<void> {
  if (source.path !== undefined) return
  const length = Math.min(trailerBytes(compression), source.size)
  const chunks: Buffer[] = []
  for await (const chunk of await source.read(source.size - length, source.size - 1)) chunks.push(chunk)
  const trailer = decodeTrailer(compression, Buffer.concat(chunks))
  const from = trailer && trailer.at <= source.size ? trailer.at : 0
  await copy.need(from, source.size - from)
}
