import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pentad'
import type { Page, PageRecord } from './page.ts'
import { fileNameOf, readPage, readRecord, writePage } from './page-file.ts'

/** Disk overhead per file in bytes: inode, name, partial block. */
const FILE_OVERHEAD = 4_096
/** How long `close` waits for pending writes, in ms. */
const CLOSE_TIMEOUT = 2_000

/** Pages on disk, one file each, in one folder per epoch of the purge log. */
export interface PageFiles {
  /** Records in the index, without disk access. */
  readonly records: Iterable<PageRecord>
  /** Known number of hits of a page. */
  hitsOf(key: string): number
  /** Reads a page. The caller checks whether it is still valid. */
  read(key: string, epoch: string): Promise<Page | undefined>
  /** Queues a write. `find` returns the page when it is due, or nothing to cancel the write. */
  write(key: string, find: () => Promise<Page | undefined>): void
  remove(key: string): void
  /** Removes all files of other epochs. */
  keepOnly(epoch: string): void
  /**
   * Loads files of earlier processes into the index in the background.
   * @param removesInvalid Whether files that are not valid here are removed: not by a command, whose configuration may be a different one.
   */
  loadIndex(epoch: string, isValid: (record: PageRecord) => boolean, removesInvalid: boolean): Promise<void>
  close(): Promise<void>
}

/**
 * @param limits.bytes disk limit; least recently used pages are removed first
 * @param limits.files maximum number of files, to limit inodes and index size
 */
export function createPageFiles(folder: string, limits: { bytes: number; files: number }, log: Logger): PageFiles {
  const waiting = new Set<string>()
  let queue: Promise<void> = Promise.resolve()
  /** `isClosed` stops writes, `isEnded` stops all work. */
  let isClosed = false
  let isEnded = false
  let hasFailed = false
  let known = createIndex()

  function createIndex() {
    const index = new LRUCache<string, { record: PageRecord; bytes: number; epoch: string }>({
      maxSize: limits.bytes,
      sizeCalculation: ({ bytes }) => bytes + FILE_OVERHEAD,
      dispose(file, key, reason) {
        // A replaced file was overwritten; files of an old index are removed with their folder.
        if (reason === 'set' || index !== known) return
        enqueue(async () => {
          if (!known.has(key)) await rm(pathOf(key, file.epoch), { force: true })
        })
      },
    })
    return index
  }

  function addToIndex(record: PageRecord, bytes: number, epoch: string): void {
    known.set(record.key, { record, bytes, epoch })
    // LRUCache's `max` would preallocate memory for all entries.
    while (known.size > limits.files) known.pop()
  }

  const pathOf = (key: string, epoch: string) => join(folder, epoch, fileNameOf(key))

  /** Serializes disk access. */
  function enqueue(work: () => Promise<void>): void {
    if (isEnded) return
    queue = queue.then(work).then(
      () => {
        hasFailed = false
      },
      (error: unknown) => {
        if (!hasFailed) log.warn({ err: error }, 'page cache folder not usable')
        hasFailed = true
      },
    )
  }

  async function writeNow(key: string, find: () => Promise<Page | undefined>): Promise<void> {
    const page = await find()
    if (!page || isClosed) return
    const { epoch } = page.record.moment
    await mkdir(join(folder, epoch), { recursive: true })
    const bytes = await writePage(pathOf(key, epoch), page)
    addToIndex(page.record, bytes, epoch)
  }

  async function removeOthers(epoch: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true })
    // A link in place of the folder is removed too, without touching its target.
    const others = entries.filter((entry) =>
      entry.name === epoch ? !entry.isDirectory() : entry.isDirectory() || entry.isSymbolicLink(),
    )
    for (const { name } of others) await rm(join(folder, name), { recursive: true, force: true })
  }

  async function scan(epoch: string, isValid: (record: PageRecord) => boolean, removesInvalid: boolean): Promise<void> {
    if (removesInvalid) await removeOthers(epoch)
    const entries = await readdir(join(folder, epoch), { withFileTypes: true }).catch(() => [])
    const found: { record: PageRecord; bytes: number }[] = []
    for (const entry of entries) {
      if (isClosed) return
      const path = join(folder, epoch, entry.name)
      const file = entry.isFile() ? await readRecord(path) : undefined
      if (file && entry.name === fileNameOf(file.record.key) && isValid(file.record)) found.push(file)
      else if (removesInvalid) await rm(path, { recursive: true, force: true })
    }
    found.sort((a, b) => a.record.renderedAt - b.record.renderedAt)
    for (const { record, bytes } of found) if (!known.has(record.key)) addToIndex(record, bytes, epoch)
  }

  return {
    get records() {
      return [...known.values()].map(({ record }) => record)
    },
    hitsOf: (key) => known.peek(key)?.record.hits ?? 0,
    async read(key, epoch) {
      known.get(key)
      return readPage(pathOf(key, epoch), key)
    },
    write(key, find) {
      if (waiting.has(key) || isClosed) return
      waiting.add(key)
      enqueue(() => {
        waiting.delete(key)
        return isClosed ? Promise.resolve() : writeNow(key, find)
      })
    },
    remove(key) {
      known.delete(key)
    },
    keepOnly(epoch) {
      known = createIndex()
      enqueue(() => removeOthers(epoch))
    },
    loadIndex(epoch, isValid, removesInvalid) {
      enqueue(() => scan(epoch, isValid, removesInvalid))
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
