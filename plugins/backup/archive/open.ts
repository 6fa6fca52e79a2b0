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
  /** For the catalog and for ranges fetched from a location. Must not be shared with another archive. */
  readonly workFolder: string
  readonly threads?: number
}

/** An archive whose list of entries was checked. Contents are verified as they are read. */
export interface Archive {
  readonly manifest: Manifest
  /** Whether it has an index. Without one, every read scans the whole archive. */
  readonly indexed: boolean
  /**
   * Whether it is signed with this key and unmodified. An archive repacked by other tools has no index, which the
   * signature covers, so it counts as modified.
   */
  isSignedWith(key: Buffer): boolean
  /** All entries in archive order, with bounded memory. */
  list(): AsyncGenerator<StoredEntry>
  /**
   * Reads everything and verifies every checksum until the signal fires. Call it again until it is done.
   * @throws RestError `archive_corrupt` or another code of `ArchiveProblem`
   */
  verify(signal: AbortSignal): Promise<ReadProgress>
  /**
   * Unpacks into an empty folder until the signal fires. Call it again with the same task until it is done. Every
   * checksum is verified on the way; do not use the files before this is done.
   * @throws RestError as `verify`, and `archive_too_large` if the disk is too small
   */
  extract(task: ExtractTask, signal: AbortSignal): Promise<ReadProgress>
  close(): Promise<void>
}

/**
 * Unpacked size that an archive without an index may always have, in bytes, and the maximum compression ratio beyond
 * it.
 */
const ALWAYS_ALLOWED = 1024 ** 3
const HIGHEST_RATIO = 200
/** The same for its catalog, in bytes: entry metadata compresses well, and that of many similar entries even better. */
const CATALOG_ALLOWED = 256 * 1024 * 1024
const CATALOG_RATIO = 100

/**
 * Opens an archive and rejects it if it is damaged or dangerous. Writes nothing outside the work folder.
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
  await fetchTail(source, compression, copy)
  const disk = await statfs(workFolder)
  const free = disk.bavail * disk.bsize
  const limit = Math.min(free, Math.max(ALWAYS_ALLOWED, source.size * HIGHEST_RATIO))
  // Long, similar names compress to almost nothing.
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

  /** Reads one unit. With a folder, unpacks the selected files into it. */
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
  throw new RestError('archive_corrupt', 'The file is not a .tar.gz or .tar.zst archive.', { status: 400 })
}

/** Fetches the trailer and tail of a remote archive, or all of it if it has no index. */
async function fetchTail(
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
