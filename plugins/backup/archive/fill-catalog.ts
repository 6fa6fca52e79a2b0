import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import type { Compression } from '../types.ts'
import { CATALOG_TABLES } from './catalog.ts'
import { ArchiveError, corrupt, quoted, unsafe } from './errors.ts'
import { CHECKSUMS, INDEX, MANIFEST, type Manifest, type ManifestFile, MEMBER_LIMIT, TAIL_NAMES } from './format.ts'
import { linesIn } from './lines.ts'
import { parseIndexLine, readManifest } from './manifest.ts'
import { checkName, linkStays } from './names.ts'
import { type TarEntry, tarEntries } from './tar-entries.ts'
import { decodeTrailer, type Trailer, trailerBytes } from './trailer.ts'
import { unpackRange } from './unpacked.ts'

/**
 * An archive file to catalog. For a remote archive, the file is sparse: it holds the tail at its offset and may have
 * holes before it.
 */
export interface CatalogTask {
  readonly path: string
  /** Size of the archive. */
  readonly bytes: number
  readonly compression: Compression
  /** Path of the catalog to write. */
  readonly catalog: string
  /** Maximum unpacked size of an archive without an index, in bytes. */
  readonly limit: number
  /** Maximum size of the catalog, in bytes. Unlimited for an archive that this site has just written. */
  readonly room?: number | undefined
}

/** The archive's metadata, once its entries are in the catalog. */
export interface Listed {
  readonly manifest: Manifest
  readonly indexed: boolean
}

/** SQLite page size in bytes, and the pages an empty catalog needs. */
const PAGE = 4096
const MOST_EMPTY_PAGES = 64
/** https://www.sqlite.org/rescode.html#full */
const SQLITE_FULL = 13

/** Deflate compresses at most 1,032 to 1; real lists stay far below. */
const LIST_RATIO = 1100

/**
 * Catalogs an archive from its index, or by reading all of it if standard tools repacked it. Rejects it before anything
 * is unpacked if an entry is dangerous.
 */
export async function fillCatalog(task: CatalogTask): Promise<Listed> {
  await rm(task.catalog, { force: true })
  const database = new DatabaseSync(task.catalog)
  try {
    // The catalog is temporary: it is deleted with the work folder, so it needs no crash safety.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;')
    if (task.room !== undefined) {
      const pages = Math.max(MOST_EMPTY_PAGES, Math.floor(task.room / PAGE))
      database.exec(`PRAGMA page_size = ${PAGE}; PRAGMA max_page_count = ${pages}`)
    }
    database.exec(CATALOG_TABLES)
    database.exec('BEGIN')
    const insert = createInserts(database)
    const trailer = await readTrailer(task)
    const manifest = trailer ? await fromIndex(task, trailer, insert) : await byReading(task, insert)
    database.exec('COMMIT')
    checkTogether(database, manifest, trailer !== undefined)
    return { manifest, indexed: trailer !== undefined }
  } catch (error) {
    // Without a limit, SQLITE_FULL means that the disk is full.
    if (task.room === undefined || !isFull(error)) throw error
    throw new ArchiveError('archive_too_large', 'The list of files in the archive is too large.')
  } finally {
    database.close()
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_FULL
}

type Inserts = ReturnType<typeof createInserts>

function createInserts(database: DatabaseSync) {
  const entry = database.prepare(
    'INSERT INTO entry (unit, name, type, size, mode, mtimeMs, sha256, linkTarget, offset) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const member = database.prepare('INSERT INTO member (unit, at, bytes, tarBytes, sha256) VALUES (?, ?, ?, ?, ?)')
  const sum = database.prepare('INSERT INTO sum (name, sha256) VALUES (?, ?)')
  return {
    entry(unit: number, value: TarEntry['entry'] & { sha256?: string | undefined }, offset: number) {
      const { name, type, size, mode, mtimeMs, sha256 = null, linkTarget = null } = value
      once(name, () => entry.run(unit, name, type, size, mode, mtimeMs, sha256, linkTarget, offset))
    },
    member: (unit: number, at: number, bytes: number, tarBytes: number, sha256: string) =>
      member.run(unit, at, bytes, tarBytes, sha256),
    sum: ({ name, sha256 }: ManifestFile) => once(name, () => sum.run(name, sha256)),
  }
}

function once(name: string, insert: () => unknown): void {
  try {
    insert()
  } catch (error) {
    if (error instanceof Error && error.message.includes('UNIQUE'))
      throw unsafe(`The archive contains a duplicate name: ${quoted(name)}.`)
    throw error
  }
}

async function readTrailer({ path, bytes, compression }: CatalogTask): Promise<Trailer | undefined> {
  const length = trailerBytes(compression)
  if (bytes < length) return undefined
  const file = await open(path)
  try {
    const last = Buffer.alloc(length)
    await file.read(last, 0, length, bytes - length)
    const trailer = decodeTrailer(compression, last)
    if (trailer && trailer.at + trailer.bytes + length !== bytes)
      throw corrupt('The archive is damaged: its trailer is invalid.')
    return trailer
  } finally {
    await file.close()
  }
}

async function fromIndex(task: CatalogTask, trailer: Trailer, insert: Inserts): Promise<Manifest> {
  const hash = createHash('sha256')
  const packed = createReadStream(task.path, { start: trailer.at, end: trailer.at + trailer.bytes - 1 })
  for await (const chunk of packed) hash.update(chunk)
  if (hash.digest('hex') !== trailer.sha256)
    throw corrupt('The archive is damaged: the checksum of its index does not match.')

  const names: string[] = []
  const sums: Record<string, string> = {}
  let manifest: Manifest | undefined
  for await (const { entry, content } of tarEntries(
    unpackRange(task.path, task.compression, trailer, trailer.bytes * LIST_RATIO),
  )) {
    names.push(entry.name)
    const hashed = hashing(content)
    if (entry.name === MANIFEST) manifest = await readManifest(hashed.content, insert.sum)
    else if (entry.name === CHECKSUMS) for await (const _ of hashed.content);
    else if (entry.name === INDEX && manifest) await readIndex(hashed.content, trailer.at, insert)
    else break
    sums[entry.name] = hashed.sum()
  }
  if (!manifest || names.join() !== TAIL_NAMES.join()) throw corrupt('The archive is damaged: its index is incomplete.')
  if (sums[INDEX] !== manifest.index.sha256 || sums[CHECKSUMS] !== manifest.checksums.sha256) {
    throw corrupt('The archive is damaged: its file lists do not match its manifest.')
  }
  return manifest
}

/** The index must cover every byte up to the tail, without gaps or overlaps. */
async function readIndex(content: AsyncIterable<Buffer>, end: number, insert: Inserts): Promise<void> {
  let at = 0
  let unit = -1
  let room = 0
  let offset = -1
  let large = false
  for await (const { text } of linesIn(content)) {
    const { member, entry } = parseIndexLine(text)
    if (member) {
      if (member.at !== at || member.tarBytes > MEMBER_LIMIT || (member.continues && unit < 0)) throw invalidIndex()
      if (!member.continues) {
        unit++
        room = 0
        offset = -1
        large = false
      } else large = true
      at += member.bytes
      room += member.tarBytes
      insert.member(unit, member.at, member.bytes, member.tarBytes, member.sha256)
    } else if (entry) {
      checkName(entry.name)
      if (TAIL_NAMES.includes(entry.name)) throw invalidIndex()
      if (entry.type === 'symlink' && !linkStays(entry.name, entry.linkTarget ?? '')) {
        throw unsafe(`The archive contains a link that points outside its folder: ${quoted(entry.name)}.`)
      }
      if (unit < 0 || large || entry.offset <= offset || entry.offset >= room) throw invalidIndex()
      if ((entry.type === 'file') !== (entry.sha256 !== undefined)) throw invalidIndex()
      offset = entry.offset
      insert.entry(unit, entry, entry.offset)
    }
  }
  if (at !== end) throw invalidIndex()
}

function invalidIndex(): ArchiveError {
  return corrupt('The archive is damaged: its index does not match its content.')
}

/** Repacked by standard tools: the archive is one unit, and its manifest is only known at the end. */
async function byReading(task: CatalogTask, insert: Inserts): Promise<Manifest> {
  let manifest: Manifest | undefined
  let checksums: string | undefined
  let offset = 0
  const whole = unpackRange(task.path, task.compression, { at: 0, bytes: task.bytes }, task.limit)
  for await (const { entry, content } of tarEntries(whole)) {
    const { content: read, sum } = hashing(content)
    if (entry.name === MANIFEST) manifest = await readManifest(read, insert.sum)
    else {
      for await (const _ of read);
      if (entry.name === CHECKSUMS) checksums = sum()
      else if (entry.name !== INDEX && entry.name !== '.') {
        insert.entry(0, { ...entry, sha256: entry.type === 'file' ? sum() : undefined }, offset++)
      }
    }
  }
  if (!manifest) throw corrupt('The file is not a Pentad backup: it contains no manifest.json.')
  if (checksums !== undefined && checksums !== manifest.checksums.sha256) {
    throw corrupt('The archive is damaged: its file lists do not match its manifest.')
  }
  return manifest
}

function hashing(content: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  async function* through() {
    for await (const chunk of content) {
      hash.update(chunk)
      yield chunk
    }
  }
  return { content: through(), sum: () => hash.digest('hex') }
}

/** Checks that need all entries. */
function checkTogether(database: DatabaseSync, { counts }: Manifest, indexed: boolean): void {
  const name = (sql: string): string | undefined => {
    const value = database.prepare(`${sql} LIMIT 1`).get()?.name
    return typeof value === 'string' ? value : undefined
  }
  const through = name(`SELECT below.name FROM entry JOIN entry AS below
    ON below.name > entry.name || '/' AND below.name < entry.name || '0' WHERE entry.type <> 'directory'`)
  if (through !== undefined) throw unsafe(`The archive contains an entry inside a file or link: ${quoted(through)}.`)
  const without = name(
    `SELECT name FROM entry WHERE type = 'file' AND sha256 IS NOT (SELECT sha256 FROM sum WHERE sum.name = entry.name)`,
  )
  if (without !== undefined) throw corrupt(`The checksum of a file in the archive does not match: ${quoted(without)}.`)
  const missing = name(`SELECT name FROM sum WHERE name NOT IN (SELECT name FROM entry WHERE type = 'file')`)
  if (missing !== undefined) throw corrupt(`A file is missing from the archive: ${quoted(missing)}.`)
  const found = database
    .prepare(`SELECT count(*) FILTER (WHERE type = 'file') AS files, count(*) FILTER (WHERE type = 'directory') AS directories,
      count(*) FILTER (WHERE type = 'symlink') AS links, coalesce(sum(size), 0) AS bytes FROM entry`)
    .get()
  // Other tools also add entries for parent folders.
  const exact = Object.entries(counts).filter(([what]) => indexed || what !== 'directories')
  if (exact.some(([what, count]) => found?.[what] !== count) || Number(found?.directories) < counts.directories) {
    throw corrupt('The contents of the archive do not match its manifest.')
  }
}
