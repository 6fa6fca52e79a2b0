import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pentad'
import type { Page, PageRecord } from './page.ts'
import { fileNameOf, readPage, readRecord, writePage } from './page-file.ts'

/** Bytes that a file takes of the disk beside its content: its inode, its name, the rest of its last block. */
const FILE_OVERHEAD = 4_096
/** Milliseconds that `close` waits for files that are still to be written. */
const CLOSE_PATIENCE = 2_000

/** Pages on disk, one file each, in a folder for each epoch of the purge log. */
export interface PageFiles {
  /** What is known to be there, without a look at the disk. */
  readonly records: Iterable<PageRecord>
  /** How often a page was asked for, as far as is known. */
  hitsOf(key: string): number
  /** Whoever asks says whether it is still valid. */
  read(key: string, epoch: string): Promise<Page | undefined>
  /** Writes a page some time; `find` answers it then, or nothing if it is not wanted any more. */
  write(key: string, find: () => Promise<Page | undefined>): void
  remove(key: string): void
  /** Removes all files of other epochs. */
  keepOnly(epoch: string): void
  /** Learns in the background what an earlier process left, and removes what is not valid. */
  takeStock(epoch: string, isValid: (record: PageRecord) => boolean): void
  close(): Promise<void>
}

/**
 * @param limits.bytes of the disk; the pages that were not asked for the longest go first
 * @param limits.files how many there may be, for the sake of inodes and of what is remembered about each
 */
export function createPageFiles(folder: string, limits: { bytes: number; files: number }, log: Logger): PageFiles {
  const waiting = new Set<string>()
  let queue: Promise<void> = Promise.resolve()
  /** Nothing more is written; nothing at all is done after the end. */
  let isClosed = false
  let isEnded = false
  let hasFailed = false
  let known = createIndex()

  function createIndex() {
    const index = new LRUCache<string, { record: PageRecord; bytes: number; epoch: string }>({
      maxSize: limits.bytes,
      sizeCalculation: ({ bytes }) => bytes + FILE_OVERHEAD,
      dispose(file, key, reason) {
        // A file that is set again has taken the place of the old one; all of an old index go with their folder.
        if (reason === 'set' || index !== known) return
        inTurn(async () => {
          if (!known.has(key)) await rm(pathOf(key, file.epoch), { force: true })
        })
      },
    })
    return index
  }

  function keep(record: PageRecord, bytes: number, epoch: string): void {
    known.set(record.key, { record, bytes, epoch })
    // `max` does the same, but lays out the room for all of them at each start.
    while (known.size > limits.files) known.pop()
  }

  const pathOf = (key: string, epoch: string) => join(folder, epoch, fileNameOf(key))

  /** One piece of work after the other: the disk is never busy with more than one file of ours. */
  function inTurn(work: () => Promise<void>): void {
    if (isEnded) return
    queue = queue.then(work).then(
      () => {
        hasFailed = false
      },
      (error: unknown) => {
        if (!hasFailed) log.warn({ err: error }, 'the page cache cannot use its folder')
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
    keep(page.record, bytes, epoch)
  }

  async function removeOthers(epoch: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true })
    // A link in the place of our folder goes too: what lies where it leads is not ours to use or to remove.
    const others = entries.filter((entry) =>
      entry.name === epoch ? !entry.isDirectory() : entry.isDirectory() || entry.isSymbolicLink(),
    )
    for (const { name } of others) await rm(join(folder, name), { recursive: true, force: true })
  }

  async function look(epoch: string, isValid: (record: PageRecord) => boolean): Promise<void> {
    await removeOthers(epoch)
    const entries = await readdir(join(folder, epoch), { withFileTypes: true }).catch(() => [])
    const found: { record: PageRecord; bytes: number }[] = []
    for (const entry of entries) {
      if (isClosed) return
      const path = join(folder, epoch, entry.name)
      const file = entry.isFile() ? await readRecord(path) : undefined
      if (file && entry.name === fileNameOf(file.record.key) && isValid(file.record)) found.push(file)
      else await rm(path, { recursive: true, force: true })
    }
    found.sort((a, b) => a.record.renderedAt - b.record.renderedAt)
    for (const { record, bytes } of found) if (!known.has(record.key)) keep(record, bytes, epoch)
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
      inTurn(() => {
        waiting.delete(key)
        return isClosed ? Promise.resolve() : writeNow(key, find)
      })
    },
    remove(key) {
      known.delete(key)
    },
    keepOnly(epoch) {
      known = createIndex()
      inTurn(() => removeOthers(epoch))
    },
    takeStock(epoch, isValid) {
      inTurn(() => look(epoch, isValid))
    },
    async close() {
      const timer = setTimeout(() => {
        isClosed = true
      }, CLOSE_PATIENCE)
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
