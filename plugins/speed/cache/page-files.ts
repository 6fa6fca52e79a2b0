import { existsSync, rmSync, statSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pentad'
import type { Page, PageRecord } from './page.ts'
import { type FindMoment, fileNameOf, readPage, readRecord, writePage } from './page-file.ts'
import { isMissing, type PageFolder } from './page-folder.ts'
import type { Origin } from './purges.ts'

/** Disk overhead per file in bytes: inode, name, partial block. */
const FILE_OVERHEAD = 4_096
/** How long `close` waits for pending writes, in ms. */
const CLOSE_TIMEOUT = 2_000
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
  close(): Promise<void>
}

/**
 * @param parts.limits.bytes disk limit; least recently used pages are removed first
 * @param parts.limits.files maximum number of files, to limit inodes and index size
 */
export function createPageFiles(parts: {
  folder: PageFolder
  limits: { bytes: number; files: number }
  momentOf: FindMoment
  isValid: (record: PageRecord) => boolean
  log: Logger
}): PageFiles {
  const { folder, limits, momentOf, isValid, log } = parts
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

  async function writeNow(key: string, find: () => Promise<Writable | undefined>): Promise<void> {
    const found = await find()
    if (!found || isClosed) return
    const { page, origin } = found
    const target = folder.path ?? folder.open()
    try {
      await writeTo(join(target, fileNameOf(key)), page, origin)
    } catch (error) {
      if (!isMissing(error) || existsSync(target)) throw error
      // Another process has discarded all pages.
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
    for (const entry of entries) {
      if (isClosed) return
      const path = join(target, entry.name)
      const file = entry.isFile() ? await readRecord(path, momentOf) : undefined
      if (file && entry.name === fileNameOf(file.record.key) && isValid(file.record)) found.push({ path, ...file })
      else if (removesInvalid) await rm(path, { recursive: true, force: true })
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
      return folder.path === undefined ? undefined : readPage(join(folder.path, fileNameOf(key)), key, momentOf)
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
    async close() {
      const timer = setTimeout(() => {
        isClosed = true
      }, CLOSE_TIMEOUT)
      for (let last: unknown; last !== queue; ) {
        last = queue
        await queue
      }
      clearTimeout(timer)
      isClosed = true
      isEnded = true
    },
  }
}

/** Another process may have replaced the file by a newer page. */
function removeFile({ path, writtenAt }: IndexedFile): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats && stats.mtimeMs <= writtenAt) rmSync(path, { force: true })
}
