import { LRUCache } from 'lru-cache'
import type { Logger } from 'pentad'
import { compress } from './encodings.ts'
import type { Fingerprint } from './fingerprint.ts'
import { createPage, memoryOf, type Page, type PageRecord } from './page.ts'
import type { PageFiles } from './page-files.ts'
import type { Moment, Purgeable, PurgeLog, PurgeRule } from './purge-log.ts'

/** Maximum number of pages queued for compression; others are compressed after their next hit. */
const MAX_WAITING = 100

/** Cached pages in memory and on disk, with their validity. */
export interface PageStore {
  /** Increases whenever cached pages may have become invalid. */
  readonly version: number
  /** The state that a rendering started now is based on. */
  now(): { moment: Moment; software: string }
  /** A valid page in memory, fresh or stale. */
  inMemory(key: string): Page | undefined
  /** A valid page from disk, which is then loaded into memory. */
  onDisk(key: string): Promise<Page | undefined>
  /** Stores a page. `false` if it was purged since its rendering started. */
  put(page: Page): boolean
  drop(key: string): void
  /** Whether a page, or a response that is not stored, was purged since its rendering started. */
  isOutdated(page: Purgeable & Pick<PageRecord, 'software'>): boolean
  /** Whether a valid page was marked stale by `purge`. */
  isMarkedStale(page: PageRecord): boolean
  /** Queues compression and the write to disk. Not worth it for pages requested only once. */
  settle(page: Page): void
  /** The page in all encodings. */
  compressed(page: Page): Promise<Page>
  /** Purges pages and returns their keys. */
  purge(rule: PurgeRule | 'all'): string[]
  /** Applies purges by other processes and changes to the fingerprint. */
  follow(): void
  /** Loads the index of pages on disk. @param removesInvalid Whether invalid files are removed. */
  loadIndex(removesInvalid: boolean): Promise<void>
  list(): PageRecord[]
  /** Completes work in flight. Afterwards nothing is stored and the folder is not touched. */
  close(): Promise<void>
}

/** @param maxBytes memory limit for pages, including overhead */
export function createPageStore(parts: {
  purges: PurgeLog
  fingerprint: Fingerprint
  files: PageFiles
  maxBytes: number
  log: Logger
}): PageStore {
  const { purges, fingerprint, files, log } = parts
  const memory = new LRUCache<string, Page>({ maxSize: parts.maxBytes, sizeCalculation: memoryOf })
  const waiting = new Map<string, Promise<Page>>()
  let queue: Promise<unknown> = Promise.resolve()
  let version = 0
  let isClosed = false
  let seen = { purges: purges.version, epoch: purges.now().epoch, software: fingerprint.value }

  const isValid = (record: Purgeable & Pick<PageRecord, 'software'>) =>
    record.software === fingerprint.value && !purges.isPurged(record)

  /** Checks the purge log only after a change, so that hits stay cheap. */
  function isCurrent(page: Page): boolean {
    if (page.checked === version) return true
    if (!isValid(page.record)) return false
    page.checked = version
    return true
  }

  function sweep(): string[] {
    const swept = new Set<string>()
    for (const [key, { record }] of memory.entries()) if (!isValid(record)) swept.add(key)
    for (const key of swept) memory.delete(key)
    for (const record of files.records) {
      if (isValid(record)) continue
      files.remove(record.key)
      // The page may have been re-rendered and not be on disk yet.
      if (!memory.has(record.key)) swept.add(record.key)
    }
    return [...swept]
  }

  function drop(key: string): void {
    memory.delete(key)
    files.remove(key)
  }

  /** Removes pages that have become invalid. */
  function removeInvalid(): string[] {
    const now = { purges: purges.version, epoch: purges.now().epoch, software: fingerprint.value }
    if (now.purges === seen.purges && now.software === seen.software) return []
    version++
    const isNewEpoch = now.epoch !== seen.epoch
    seen = now
    const swept = sweep()
    if (isNewEpoch) files.keepOnly(now.epoch)
    return swept
  }

  function follow(): void {
    // A pending theme refresh may complete after close and would recreate the folder.
    if (isClosed) return
    purges.follow()
    fingerprint.refresh()
    removeInvalid()
  }

  /** Sequential, since compression shares zlib's threads with other work. */
  function compressed(page: Page): Promise<Page> {
    const { key } = page.record
    const inFlight = waiting.get(key)
    if (inFlight) return inFlight
    const work = queue.then(async () => {
      const bodies = await compress(page.bodies.identity)
      const whole = Object.assign(createPage(page.record, bodies), { isSettled: true, retryAt: page.retryAt })
      if (memory.peek(key) === page) memory.set(key, whole)
      return whole
    })
    waiting.set(key, work)
    queue = work.then(
      () => waiting.delete(key),
      (error: unknown) => {
        waiting.delete(key)
        log.error({ err: error, page: key }, 'page compression failed')
      },
    )
    return work
  }

  function settle(page: Page): void {
    const { key, maxAge } = page.record
    if (isClosed || page.isSettled || waiting.size >= MAX_WAITING) return
    page.isSettled = true
    const work = compressed(page)
    const currentPage = async () => {
      const whole = memory.peek(key)
      return whole && isCurrent(whole) ? whole : undefined
    }
    work.then(
      () => {
        if (maxAge === null) files.write(key, currentPage)
      },
      () => {},
    )
  }

  return {
    get version() {
      return version
    },
    now: () => ({ moment: purges.now(), software: fingerprint.value }),
    inMemory(key) {
      const page = memory.get(key)
      if (page && isCurrent(page)) return page
      if (page) drop(key)
      return undefined
    },
    async onDisk(key) {
      const page = await files.read(key, purges.now().epoch)
      // It may have been rendered meanwhile.
      const known = memory.get(key)
      if (known && isCurrent(known)) return known
      if (!page || !isCurrent(page)) return undefined
      page.isSettled = true
      page.record.hits = Math.max(page.record.hits, files.hitsOf(key))
      memory.set(key, page)
      return page
    },
    put(page) {
      // A rendering may complete after close.
      if (isClosed) return false
      follow()
      if (!isCurrent(page)) return false
      const { key } = page.record
      page.record.hits = memory.peek(key)?.record.hits ?? files.hitsOf(key)
      memory.set(key, page)
      return true
    },
    drop,
    isOutdated(page) {
      follow()
      return !isValid(page)
    },
    isMarkedStale: (record) => purges.isStale(record),
    settle,
    compressed,
    purge(rule) {
      if (isClosed) return []
      follow()
      // Leftovers of an earlier purge, such as a file that was still being written, do not count for this one.
      sweep()
      if (rule === 'all') purges.purgeAll()
      else purges.append(rule)
      return removeInvalid()
    },
    follow,
    loadIndex: (removesInvalid) => files.loadIndex(purges.now().epoch, isValid, removesInvalid),
    list() {
      const inMemory = [...memory.values()].map(({ record }) => record)
      const onDisk = [...files.records].filter(({ key }) => !memory.has(key))
      return [...inMemory, ...onDisk].filter(isValid)
    },
    async close() {
      isClosed = true
      await queue
      await files.close()
    },
  }
}
