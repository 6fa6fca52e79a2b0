import { LRUCache } from 'lru-cache'
import type { ExtensionHost, Logger, Purge } from 'pentad'
import { compress } from './encodings.ts'
import type { Fingerprint } from './fingerprint.ts'
import { createPage, memoryOf, type Page, type PageRecord } from './page.ts'
import type { PageFiles } from './page-files.ts'
import type { Purgeable, PurgeRule, Purges } from './purges.ts'

/** Number of entries of the change log by which pages on disk are compared; pages older than these are invalid. */
const EARLIER = 1000
/** Maximum number of pages queued for compression; others are compressed after their next hit. */
const MAX_WAITING = 100

/** Recorded if the log is empty, so that pages have a position in it; after a restore, that of pages from before is unknown. */
export const EMPTY_LOG: Purge = {
  scope: 'pages',
  urls: [],
  tags: [],
  reason: 'The page cache started with an empty change log.',
}

/** Cached pages in memory and on disk, with their validity. */
export interface PageStore {
  /** Increases whenever cached pages may have become invalid. */
  readonly version: number
  /** The state that a rendering started now is based on. */
  now(): { moment: number; software: string }
  /** A valid page in memory, fresh or stale. */
  inMemory(key: string): Page | undefined
  /** A valid page from disk, which is then loaded into memory. */
  onDisk(key: string): Promise<Page | undefined>
  /** Stores a page. `false` if it was purged since its rendering started, or if that is unknown. */
  put(page: Page): Promise<boolean>
  drop(key: string): void
  /** Whether a page, or a response that is not stored, was purged since its rendering started. */
  isOutdated(page: Purgeable & Pick<PageRecord, 'software'>): boolean
  /** Whether a valid page was marked stale by `purge`. */
  isMarkedStale(page: PageRecord): boolean
  /** Queues compression and the write to disk. Not worth it for pages requested only once. */
  settle(page: Page): void
  /** Writes a page in memory to disk, after the files that it waited for were generated. */
  save(key: string): void
  /** The page in all encodings. */
  compressed(page: Page): Promise<Page>
  /** Purges pages and returns their keys. */
  purge(rule: PurgeRule | 'all'): string[]
  /** Purges what another process has changed; `follow` removes the pages. */
  purgeExternally(rule: PurgeRule | 'all'): void
  /** Applies changes to the fingerprint. */
  refresh(): void
  /** Applies purges by other processes. Returns whether this process has all that were recorded before the call. */
  follow(): Promise<boolean>
  /**
   * Loads purges before the start of this process, and begins to load the index of pages on disk. Call it before rendering or reading a page.
   * Returns `false` if the change log could not be read; then nothing is stored, and the next call tries again.
   * @param isServing Whether this process stores pages; a command only lists them.
   */
  start(isServing?: boolean): Promise<boolean>
  /** Resolves when `list` contains the pages on disk. */
  loadIndex(): Promise<void>
  list(): PageRecord[]
  /** Resolves when nothing is being compressed or written, or after a few seconds. */
  idle(): Promise<void>
  /** Completes work in flight. Afterwards nothing is stored and the folder is not touched. */
  close(): Promise<void>
}

/** @param maxBytes memory limit for pages, including overhead */
export function createPageStore(parts: {
  purges: Purges
  changes: Pick<ExtensionHost['changes'], 'catchUp' | 'settled' | 'hasUnrecorded' | 'position' | 'latest' | 'record'>
  /** Whether files are being generated for the page with that key, which is stale once they are finished. */
  isUnfinished: (key: string) => boolean
  toRule: (purge: Purge) => PurgeRule | 'all'
  fingerprint: Fingerprint
  files: PageFiles
  maxBytes: number
  log: Logger
}): PageStore {
  const { purges, changes, fingerprint, files, log } = parts
  const memory = new LRUCache<string, Page>({ maxSize: parts.maxBytes, sizeCalculation: memoryOf })
  const waiting = new Map<string, Promise<Page>>()
  let queue: Promise<unknown> = Promise.resolve()
  let version = 0
  let isClosed = false
  let seen = { purges: purges.version, software: fingerprint.value }
  /** By `isServing`. */
  const starting = new Map<boolean, Promise<boolean>>()
  let hasEarlier = false
  let indexing: Promise<void> | undefined

  const isValid = (record: Purgeable & Pick<PageRecord, 'software'>) =>
    record.software === fingerprint.value && !purges.isPurged(record)

  /** Checks purges only after a change, so that hits stay cheap. */
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
    const outdated = [...files.records].flatMap((record) => (isValid(record) ? [] : [record.key]))
    files.remove(outdated)
    // A page may have been re-rendered and not be on disk yet.
    for (const key of outdated) if (!memory.has(key)) swept.add(key)
    return [...swept]
  }

  function drop(key: string): void {
    memory.delete(key)
    files.remove([key])
  }

  /** Removes pages that have become invalid. */
  function removeInvalid(): string[] {
    const now = { purges: purges.version, software: fingerprint.value }
    if (now.purges === seen.purges && now.software === seen.software) return []
    version++
    seen = now
    return sweep()
  }

  function refresh(): void {
    // A pending theme refresh may complete after close.
    if (isClosed) return
    fingerprint.refresh()
    removeInvalid()
  }

  async function follow(): Promise<boolean> {
    const purged = changes.hasUnrecorded ? undefined : purges.now()
    const isKnown = await changes.catchUp()
    if (isKnown && purged !== undefined) purges.confirm(purged)
    refresh()
    return isKnown
  }

  async function load(isServing: boolean): Promise<boolean> {
    try {
      if (!(await follow())) return false
      if (isServing && changes.position() === null) await changes.record(EMPTY_LOG)
      const earlier = await changes.latest(EARLIER)
      if (!hasEarlier) purges.addEarlier(earlier, parts.toRule)
      hasEarlier = true
      if (isClosed) return false
      indexing = files.loadIndex(isServing)
      return true
    } catch (error) {
      log.error({ err: error }, 'could not read the change log, no page is cached')
      return false
    }
  }

  function start(isServing = true): Promise<boolean> {
    // A start to serve does all that one to list does.
    const known = starting.get(true) ?? starting.get(isServing)
    if (known) return known
    const started = load(isServing).then((isLoaded) => {
      if (!isLoaded) starting.delete(isServing)
      return isLoaded
    })
    starting.set(isServing, started)
    return started
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

  /** Writes a page to disk that is valid now. A later process compares it with the entries after its position. */
  function save(key: string): void {
    files.write(key, async () => {
      // Otherwise, a purge before the rendering of the page could come after its position.
      await changes.settled()
      const isKnown = await follow()
      const position = changes.position()
      const page = memory.peek(key)
      if (!isKnown || typeof position !== 'string' || !page?.isSettled || !isCurrent(page)) return undefined
      // Its position would hide that it is stale, and it will be re-rendered. Other processes would not notice when an unfinished one is finished.
      if (purges.isStale(page.record) || parts.isUnfinished(key)) return undefined
      return { page, origin: { writer: purges.writer, position } }
    })
  }

  function settle(page: Page): void {
    const { key, maxAge } = page.record
    if (isClosed || page.isSettled || waiting.size >= MAX_WAITING) return
    page.isSettled = true
    const work = compressed(page)
    work.then(
      () => {
        if (maxAge === null) save(key)
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
      if (!(await start())) return undefined
      const page = await files.read(key)
      // It may have been rendered meanwhile.
      const known = memory.get(key)
      if (known && isCurrent(known)) return known
      if (!page || !isCurrent(page)) return undefined
      page.isSettled = true
      page.record.hits = Math.max(page.record.hits, files.hitsOf(key))
      memory.set(key, page)
      return page
    },
    async put(page) {
      const isKnown = await follow()
      // A rendering may complete after close.
      if (isClosed || !isKnown || !isCurrent(page)) return false
      const { key } = page.record
      page.record.hits = memory.peek(key)?.record.hits ?? files.hitsOf(key)
      memory.set(key, page)
      return true
    },
    drop,
    isOutdated(page) {
      refresh()
      return !isValid(page)
    },
    isMarkedStale: (record) => purges.isStale(record),
    settle,
    save,
    compressed,
    purge(rule) {
      if (isClosed) return []
      refresh()
      // Leftovers of an earlier purge, such as a file that was still being written, do not count for this one.
      sweep()
      if (rule !== 'all') {
        purges.add(rule)
        return removeInvalid()
      }
      const known = new Set([...memory.keys(), ...[...files.records].map(({ key }) => key)])
      purges.add('all')
      files.clear()
      removeInvalid()
      return [...known]
    },
    purgeExternally(rule) {
      purges.add(rule, true)
      version++
      if (rule === 'all' && !isClosed) files.reopen()
    },
    refresh,
    follow,
    start,
    async loadIndex() {
      await start(false)
      await indexing
    },
    list() {
      const inMemory = [...memory.values()].map(({ record }) => record)
      const onDisk = [...files.records].filter(({ key }) => !memory.has(key))
      return [...inMemory, ...onDisk].filter(isValid)
    },
    async idle() {
      await queue
      await files.idle()
    },
    async close() {
      isClosed = true
      await queue
      await files.close()
    },
  }
}
