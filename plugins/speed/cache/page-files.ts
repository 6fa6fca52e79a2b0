import { existsSync, rmSync, statSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pentad'
import type { Page, PageRecord } from './page.ts'
import { type FindMoment, fileNameOf, readPage, readRecord, writePage } from './page-file.ts'
import { isMissing, type PageFolder } from './page-folder.ts'
import type { Origin } from './purges.ts'

/** Disk overhead per file in bytes: inode, name, partial block. */
const FILE_OVERHEAD = 4_096
/** How long `idle` waits for pending writes, in ms. */
const IDLE_TIMEOUT = 2_000
/** Age in ms from which a temporary file is a leftover: no write takes that long. */
const LEFTOVER_AGE = 60_000
/** Number of files that are removed synchronously; others are removed in the background. */
const MOST_AT_ONCE = 500

/** A page to be written. */
export interface Writable {
  readonly page: Page
  readonly origin: Pick<Origin, 'writer' | 'position'>
}

interface IndexedFile {
  readonly record: PageRecord
  readonly path: string
  readonly bytes: number
  /** In ms since 1970. */
  readonly writtenAt: number
}

/** Pages on disk, one file each. */
export interface PageFiles {
  /** Records in the index, without disk access. */
  readonly records: Iterable<PageRecord>
  /** Known number of hits of a page. */
  hitsOf(key: string): number
  /** Reads a page. The caller checks whether it is still valid. */
  read(key: string): Promise<Page | undefined>
  /** Queues a write. `find` returns the page when it is due, or nothing to cancel the write. */
  write(key: string, find: () => Promise<Writable | undefined>): void
  /** Removes pages, at once if they are few: the process may be killed before their purge is in the change log. */
  remove(keys: readonly string[]): void
  /** Finds the folder again if another process has discarded all pages. */
  reopen(): void
  /** Removes all pages at once, and their files in the background. */
  clear(): void
  /**
   * Loads files of earlier processes into the index in the background.
   * @param removesInvalid Whether files that are not valid here are removed: not by a command, whose configuration may be a different one.
   */
  loadIndex(removesInvalid: boolean): Promise<void>
  /** Resolves when nothing is queued, or after two seconds. */
  idle(): Promise<void>
  /** Completes the write in progress and queued removals. Writes that `idle` has not waited for are canceled. */
  close(): Promise<void>
}

/**
 * @param parts.momentOf returns the moment of a page in this process; `undefined` if it may be outdated
 * @param parts.follow applies purges by other processes, after which `momentOf` may know more
 * @param parts.limits.bytes disk limit; least recently used pages are removed first
 * @param parts.limits.files maximum number of files, to limit inodes and index size
 */
export function createPageFiles(parts: {
  folder: PageFolder
  limits: { bytes: number; files: number }
  momentOf: (origin: Origin) => number | undefined
  follow: () => Promise<boolean>
  isValid: (record: PageRecord) => boolean
  log: Logger
}): PageFiles {
  const { folder, limits, momentOf, follow, isValid, log } = parts
  const waiting = new Set<string>()
  let queue: Promise<void> = Promise.resolve()
  /** `isClosed` stops writes, `isEnded` stops all work. */
  let isClosed = false
  let isEnded = false
  let hasFailed = false
  let known = createIndex()

  function createIndex() {
    const index = new LRUCache<string, IndexedFile>({
      maxSize: limits.bytes,
      sizeCalculation: ({ bytes }) => bytes + FILE_OVERHEAD,
      dispose(file, key, reason) {
        // A replaced file was overwritten; files of an old index are removed with their folder.
        if (reason === 'set' || index !== known) return
        enqueue(async () => {
          if (!known.has(key)) removeFile(file)
        })
      },
    })
    return index
  }

  function addToIndex(file: IndexedFile): void {
    known.set(file.record.key, file)
    // LRUCache's `max` would preallocate memory for all entries.
    while (known.size > limits.files) known.pop()
  }

  function report(error: unknown): void {
    if (!hasFailed) log.warn({ err: error }, 'page cache folder not usable')
    hasFailed = true
  }

  function findFolder(createsIt: boolean): void {
    try {
      if (createsIt) folder.open()
      else folder.find()
    } catch (error) {
      report(error)
    }
  }

  /** Serializes disk access. */
  function enqueue(work: () => Promise<void>): void {
    if (isEnded) return
    queue = queue.then(work).then(() => {
      hasFailed = false
    }, report)
  }

  async function emptied(): Promise<void> {
    for (let last: unknown; last !== queue; ) {
      last = queue
      await queue
    }
  }

  async function writeNow(key: string, find: () => Promise<Writable | undefined>): Promise<void> {
    const found = await find()
    if (!found || isClosed) return
    const { page, origin } = found
    const target = folder.path ?? folder.open()
    try {
      await writeTo(join(target, fileNameOf(key)), page, origin)
    } catch (error) {
      if (!isMissing(error) || existsSync(target)) throw error
      // This process has discarded all pages, or another one has.
      if (!isValid(page.record)) return
      known = createIndex()
      await writeTo(join(folder.open(), fileNameOf(key)), page, origin)
    }
  }

  async function writeTo(path: string, page: Page, origin: Writable['origin']): Promise<void> {
    const bytes = await writePage(path, page, origin)
    // Purged meanwhile.
    if (!isValid(page.record)) await rm(path, { force: true })
    else if (dirname(path) === folder.path) addToIndex({ record: page.record, path, bytes, writtenAt: Date.now() })
  }

  async function scan(removesInvalid: boolean): Promise<void> {
    const target = folder.path
    if (removesInvalid) await folder.removeOthers()
    if (target === undefined) return
    const entries = await readdir(target, { withFileTypes: true }).catch(() => [])
    const found: IndexedFile[] = []
    let followed: Promise<boolean> | undefined
    // Only once, as files of an earlier log may be many.
    const findMoment: FindMoment = async (origin) => {
      const moment = momentOf(origin)
      if (moment !== undefined || followed) return moment
      followed = follow()
      return (await followed) ? momentOf(origin) : undefined
    }
    for (const entry of entries) {
      if (isClosed) return
      const path = join(target, entry.name)
      const file = entry.isFile() ? await readRecord(path, findMoment) : undefined
      if (file && entry.name === fileNameOf(file.record.key) && isValid(file.record)) found.push({ path, ...file })
      else if (removesInvalid && !(await isBeingWritten(path))) await rm(path, { recursive: true, force: true })
    }
    if (folder.path !== target) return
    found.sort((a, b) => a.record.renderedAt - b.record.renderedAt)
    for (const file of found) {
      if (!known.has(file.record.key) && isValid(file.record)) addToIndex(file)
    }
  }

  return {
    get records() {
      return [...known.values()].map(({ record }) => record)
    },
    hitsOf: (key) => known.peek(key)?.record.hits ?? 0,
    async read(key) {
      known.get(key)
      if (folder.path === undefined) return undefined
      // The page may be one of a process that has already applied a newer entry of the change log.
      const findMoment: FindMoment = async (origin) =>
        momentOf(origin) ?? ((await follow()) ? momentOf(origin) : undefined)
      return readPage(join(folder.path, fileNameOf(key)), key, findMoment)
    },
    write(key, find) {
      if (waiting.has(key) || isClosed) return
      waiting.add(key)
      enqueue(() => {
        waiting.delete(key)
        return isClosed ? Promise.resolve() : writeNow(key, find)
      })
    },
    remove(keys) {
      for (const [index, key] of keys.entries()) {
        const file = known.peek(key)
        known.delete(key)
        if (!file || index >= MOST_AT_ONCE) continue
        try {
          removeFile(file)
        } catch (error) {
          report(error)
        }
      }
    },
    reopen() {
      if (folder.path !== undefined && !existsSync(folder.path)) findFolder(true)
    },
    clear() {
      known = createIndex()
      folder.clear()
      enqueue(folder.removeOthers)
    },
    loadIndex(removesInvalid) {
      findFolder(removesInvalid)
      enqueue(() => scan(removesInvalid))
      return queue
    },
    idle: () => Promise.race([emptied(), wait(IDLE_TIMEOUT, undefined, { ref: false })]),
    async close() {
      isClosed = true
      await emptied()
      isEnded = true
    },
  }
}

/** Whether another process may be writing the temporary file at that path. */
async function isBeingWritten(path: string): Promise<boolean> {
  if (!basename(path).startsWith('.')) return false
  const { mtimeMs = 0 } = (await stat(path).catch(() => undefined)) ?? {}
  return Date.now() - mtimeMs < LEFTOVER_AGE
}

/** Another process may have replaced the file by a newer page. */
function removeFile({ path, writtenAt }: IndexedFile): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats && stats.mtimeMs <= writtenAt) rmSync(path, { force: true })
}
