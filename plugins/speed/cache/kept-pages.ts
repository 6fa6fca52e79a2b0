import { LRUCache } from 'lru-cache'
import type { Logger } from 'pentad'
import { compress } from './encodings.ts'
import type { Fingerprint } from './fingerprint.ts'
import { createPage, memoryOf, type Page, type PageRecord } from './page.ts'
import type { PageFiles } from './page-files.ts'
import type { Moment, PurgeLog, PurgeRule } from './purge-log.ts'

/** How many pages may wait to be compressed, beside the budget; the others wait for their next visitor. */
const MAX_WAITING = 100

/** Pages in memory over pages on disk, and what says which of them are valid. */
export interface KeptPages {
  /** Counts up whenever kept pages may have become invalid. */
  readonly version: number
  /** What a rendering that begins now knows of. */
  now(): { moment: Moment; software: string }
  /** A valid page, fresh or not, without a look at the disk. */
  inMemory(key: string): Page | undefined
  /** As `inMemory`; from then on it is there. */
  onDisk(key: string): Promise<Page | undefined>
  /** Answers whether the page is kept: not if a purge since its rendering began concerns it. */
  keep(page: Page): boolean
  drop(key: string): void
  /** Whether it is to be rendered anew though it is valid: somebody asked for that. */
  isMarkedStale(page: PageRecord): boolean
  /** Compresses the page and writes it to the disk, soon; what is asked for once is not worth either. */
  settle(page: Page): void
  /** The page in all encodings, now. */
  compressed(page: Page): Promise<Page>
  /** Takes pages away. Answers their keys. */
  purge(rule: PurgeRule | 'all'): string[]
  /** Takes in what other processes purged, and what else has changed. */
  follow(): void
  /** Learns what is on the disk. */
  takeStock(): void
  list(): PageRecord[]
  /** Ends what is under way. From then on nothing is kept, and the folder is not touched. */
  close(): Promise<void>
}

/** @param maxBytes of memory for pages with all that belongs to them */
export function createKeptPages(parts: {
  purges: PurgeLog
  fingerprint: Fingerprint
  files: PageFiles
  maxBytes: number
  log: Logger
}): KeptPages {
  const { purges, fingerprint, files, log } = parts
  const memory = new LRUCache<string, Page>({ maxSize: parts.maxBytes, sizeCalculation: memoryOf })
  const waiting = new Map<string, Promise<Page>>()
  let queue: Promise<unknown> = Promise.resolve()
  let version = 0
  let isClosed = false
  let seen = { purges: purges.version, epoch: purges.now().epoch, software: fingerprint.value }

  const isValid = (record: PageRecord) => record.software === fingerprint.value && !purges.isPurged(record)

  /** The log is asked again only after something has changed: a page that is asked for often must cost nothing. */
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
      // The page may have been rendered anew, and not be on the disk yet.
      if (!memory.has(record.key)) swept.add(record.key)
    }
    return [...swept]
  }

  function drop(key: string): void {
    memory.delete(key)
    files.remove(key)
  }

  /** Removes what has become invalid. */
  function noteChanges(): string[] {
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
    // A look at the theme may end after that; the folder may be gone by then, and would be made anew.
    if (isClosed) return
    purges.follow()
    fingerprint.refresh()
    noteChanges()
  }

  /** One page after the other, because all of them share the threads with images and files. */
  function compressed(page: Page): Promise<Page> {
    const { key } = page.record
    const underWay = waiting.get(key)
    if (underWay) return underWay
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
        log.error({ err: error, page: key }, 'a page could not be compressed')
      },
    )
    return work
  }

  function settle(page: Page): void {
    const { key, maxAge } = page.record
    if (isClosed || page.isSettled || waiting.size >= MAX_WAITING) return
    page.isSettled = true
    const work = compressed(page)
    const stillThere = async () => {
      const whole = memory.peek(key)
      return whole && isCurrent(whole) ? whole : undefined
    }
    work.then(
      () => {
        if (maxAge === null) files.write(key, stillThere)
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
      // Somebody may have rendered it in the meantime.
      const known = memory.get(key)
      if (known && isCurrent(known)) return known
      if (!page || !isCurrent(page)) return undefined
      page.isSettled = true
      page.record.hits = Math.max(page.record.hits, files.hitsOf(key))
      memory.set(key, page)
      return page
    },
    keep(page) {
      // A rendering may end after that.
      if (isClosed) return false
      follow()
      if (!isCurrent(page)) return false
      const { key } = page.record
      page.record.hits = memory.peek(key)?.record.hits ?? files.hitsOf(key)
      memory.set(key, page)
      return true
    },
    drop,
    isMarkedStale: (record) => purges.isStale(record),
    settle,
    compressed,
    purge(rule) {
      if (isClosed) return []
      follow()
      // What an older purge left over, such as a file that was still being written, is not of this one.
      sweep()
      if (rule === 'all') purges.beginAnew()
      else purges.append(rule)
      return noteChanges()
    },
    follow,
    takeStock: () => files.takeStock(purges.now().epoch, isValid),
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
