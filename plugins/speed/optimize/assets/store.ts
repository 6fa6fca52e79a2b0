import { hash } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExtensionHost, writeAtomically } from 'pentad'
import type { Assets, AssetType, OptimizedAsset } from '../../types.ts'
import { type AssetRecord, createAssetManifest } from './manifest.ts'

/** A copy that is not smaller than this part of the original is not worth a file. */
export const WORTH_IT = 0.98

/** Where assets are served. */
export const ASSETS_PATH = '/wp-content/uploads/speed/assets/'

/** All assets together; past it those go that no page has named for longest. */
const MOST_BYTES = 2 * 1024 ** 3
/** An asset that no rendered page has named for so long goes. */
const UNUSED_DAYS = 60
const DAY = 86_400_000
/** Files in the making; past it a page goes out as it is and asks again when it is rendered next. */
const MOST_WAITING = 5000
/** Pages that wait for assets; others are rendered with them when they are rendered next. */
const MOST_PAGES = 10_000
/** After a failure, nothing is tried again for so long. */
const PAUSE_MS = 10 * 60_000
/** Records of removed assets, which send those who still ask for one to its source. */
const MOST_REMOVED = 20_000
const MAKE_TIMEOUT_MS = 60_000

/** A file that is wanted. */
export interface AssetWish {
  /**
   * Identity of the source and of the settings that count. Whoever wishes the same thing again uses the same key;
   * another state of the source is another key.
   */
  readonly key: string
  readonly type: AssetType
  /** Address of the source: where a request for the asset is sent once it was removed. */
  readonly source: string
  /** Makes it, in the background. `undefined`: nothing better than the source comes out. */
  make(signal: AbortSignal): Promise<MadeAsset | undefined>
}

export interface MadeAsset {
  /** For people, in the file's name: `style`. */
  readonly name: string
  /** Without a dot: `css`. */
  readonly extension: string
  readonly content: string | Uint8Array
  /** Bytes of what it was made from. */
  readonly originalSize: number
}

export interface Asset extends OptimizedAsset {
  /** Path of the file, for those that read it. */
  readonly file: string
}

export interface AssetStore extends Assets {
  /**
   * The asset if it is there; `null` if the source is as good; `undefined` if it is not there yet: then it is made, once
   * for all that wish it, and when everything that the page waits for is finished, the page is refreshed.
   * @param page absolute URL of the page that would name it
   */
  want(wish: AssetWish, page: string): Asset | null | undefined
  /** What to send a request to whose asset is gone; `undefined` if there never was one of that name. */
  sourceOf(name: string): string | undefined
  /** Resolves when the manifest was read. Nothing is known before. */
  readonly ready: Promise<void>
  /** Resolves when nothing is in the making. */
  idle(): Promise<void>
  /** Ends what is being written; from then on nothing is. */
  close(): Promise<void>
}

/** @param refresh gets absolute URLs of pages whose assets are finished */
export function createAssets(host: ExtensionHost, refresh: (urls: readonly string[]) => void): AssetStore {
  const folder = join(host.site.dir, 'uploads', 'speed', 'assets')
  const manifest = createAssetManifest({ file: join(host.site.dir, 'cache', 'assets.jsonl'), folder })
  const records = new Map<string, AssetRecord>()
  const byName = new Map<string, AssetRecord>()
  const pausedUntil = new Map<string, number>()
  /** Keys in the making with the pages that wait for them. */
  const waiting = new Map<string, Set<string>>()
  /** How many keys a page waits for, and whether one of them came out. */
  const pages = new Map<string, { count: number; gained: boolean }>()
  /** Grows with each `clear`: what was begun before is not kept. */
  let generation = 0
  let isClosed = false
  /** What is being written. */
  const writing = new Set<Promise<unknown>>()

  const workOn = (name: string, concurrency: number) =>
    host.jobs.createQueue<AssetWish>({
      ...{ name, concurrency, timeout: MAKE_TIMEOUT_MS, retries: 0, work: makeAsset },
      limit: MOST_WAITING * 2,
    }).queue
  // A gallery of large images must not keep the next page from its style sheet.
  const queues = { images: workOn('speed-images', 1), others: workOn('speed-assets', 2) }

  const ready = manifest.load().then((found) => {
    for (const record of found) remember(record)
  })

  function remember(record: AssetRecord): void {
    records.set(record.key, record)
    if (record.name !== null) byName.set(record.name, record)
  }

  async function makeAsset(wish: AssetWish, signal: AbortSignal): Promise<void> {
    const begun = generation
    let gained = false
    if (isClosed) return
    try {
      const made = await Promise.race([wish.make(signal), failAtEnd(signal)])
      if (begun === generation && !isClosed) gained = await written(keep(wish, made))
    } catch (error) {
      pausedUntil.set(wish.key, Date.now() + PAUSE_MS)
      if (!host.signal.aborted && !isClosed)
        host.log.warn({ err: error, source: wish.source }, 'an asset could not be made')
    } finally {
      settle(wish.key, gained)
    }
  }

  function written<Result>(work: Promise<Result>): Promise<Result> {
    const noted = work.finally(() => writing.delete(noted))
    writing.add(noted)
    return noted
  }

  async function keep(wish: AssetWish, made: MadeAsset | undefined): Promise<boolean> {
    const { key, type, source } = wish
    const common = { key, type, source, usedAt: Date.now() }
    if (!made) {
      remember({ ...common, name: null, originalSize: 0, size: 0 })
      await manifest.append({ ...common, name: null, originalSize: 0, size: 0 })
      return false
    }
    const content = Buffer.from(made.content)
    const name = fileName(made, content)
    await mkdir(folder, { recursive: true })
    await writeAtomically(join(folder, name), content, { mode: 0o644 })
    const record = { ...common, name, originalSize: made.originalSize, size: content.length }
    await manifest.append(record)
    remember(record)
    return true
  }

  function settle(key: string, gained: boolean): void {
    const done: string[] = []
    for (const url of waiting.get(key) ?? []) {
      const page = pages.get(url)
      if (!page) continue
      page.count -= 1
      page.gained ||= gained
      if (page.count > 0) continue
      pages.delete(url)
      if (page.gained) done.push(url)
    }
    waiting.delete(key)
    if (done.length > 0) refresh(done)
  }

  function wait(wish: AssetWish, page: string): void {
    const known = waiting.get(wish.key)
    if (!known && waiting.size >= MOST_WAITING) return
    const waiters = known ?? new Set<string>()
    if (!waiters.has(page) && (pages.has(page) || pages.size < MOST_PAGES)) {
      waiters.add(page)
      const state = pages.get(page) ?? { count: 0, gained: false }
      state.count += 1
      pages.set(page, state)
    }
    if (known) return
    waiting.set(wish.key, waiters)
    const queue = wish.type === 'image' ? queues.images : queues.others
    if (!queue.push(wish)) settle(wish.key, false)
  }

  /** What is removed is remembered: pages in other caches may name it for long. */
  async function remove(gone: readonly AssetRecord[]): Promise<void> {
    for (const record of gone) {
      if (record.name === null || record.isRemoved) records.delete(record.key)
      else remember({ ...record, isRemoved: true })
    }
    const removed = [...records.values()].filter(({ isRemoved }) => isRemoved).sort((a, b) => b.usedAt - a.usedAt)
    for (const record of removed.slice(MOST_REMOVED)) {
      records.delete(record.key)
      if (record.name !== null) byName.delete(record.name)
    }
    // First the manifest, then the files: after a crash in between no record promises a file that is not there.
    await manifest.rewrite(records.values())
    const kept = new Set([...records.values()].filter(isAlive).map(({ name }) => name))
    for (const { name } of gone) if (name !== null && !kept.has(name)) await rm(join(folder, name), { force: true })
  }

  /** Once a day: what is not used, what is too much, and files of which no record tells. */
  async function cleanUp(): Promise<void> {
    await ready
    if (isClosed) return
    const now = Date.now()
    const alive = [...records.values()].filter(isAlive).sort((a, b) => b.usedAt - a.usedAt)
    let bytes = 0
    const gone = alive.filter((record) => {
      bytes += record.size
      return bytes > MOST_BYTES || now - record.usedAt > UNUSED_DAYS * DAY
    })
    await remove(gone)
    for (const [key, until] of pausedUntil) if (until < now) pausedUntil.delete(key)
    for (const name of await readdir(folder).catch((): string[] => [])) {
      const isNamed = isAlive(byName.get(name))
      const state = isNamed ? undefined : await stat(join(folder, name)).catch(() => undefined)
      if (state && now - state.mtimeMs > DAY) await rm(join(folder, name), { force: true })
    }
  }

  host.jobs.schedule('speed-assets', 'daily', () => written(cleanUp()))

  return {
    ready,
    want(wish, page) {
      const record = records.get(wish.key)
      if (record && !record.isRemoved) {
        record.usedAt = Date.now()
        return record.name === null ? null : { ...listed(record, record.name), file: join(folder, record.name) }
      }
      if ((pausedUntil.get(wish.key) ?? 0) < Date.now()) wait(wish, page)
      return undefined
    },
    sourceOf(name) {
      const record = byName.get(name)
      // Somebody else may have deleted the file; it is made again when a page wants it.
      for (const other of record ? records.values() : []) if (other.name === name) other.isRemoved = true
      return record?.source
    },
    list() {
      const alive = [...records.values()].filter(isAlive)
      return new Map(
        alive.flatMap((record) => (record.name === null ? [] : [[record.name, listed(record, record.name)]])),
      ).values()
    },
    get waiting() {
      return waiting.size
    },
    async clear() {
      await ready
      generation += 1
      pausedUntil.clear()
      await remove([...records.values()].filter(isAlive))
    },
    async idle() {
      await Promise.all([queues.images.idle(), queues.others.idle()])
    },
    async close() {
      isClosed = true
      await Promise.allSettled([ready, ...writing])
    },
  }
}

function isAlive(record: AssetRecord | undefined): boolean {
  return record !== undefined && !record.isRemoved
}

/** Nobody waits for work that does not heed its signal. */
function failAtEnd(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

function listed({ type, originalSize, size }: AssetRecord, name: string): OptimizedAsset {
  const savings = originalSize > size ? Math.round((1 - size / originalSize) * 100) : 0
  return { url: ASSETS_PATH + name, type, originalSize, size, savings }
}

function fileName({ name, extension }: MadeAsset, content: Buffer): string {
  const digest = hash('sha256', content, 'hex').slice(0, 16)
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
  return `${readable || 'asset'}-${digest}.${extension}`
}
