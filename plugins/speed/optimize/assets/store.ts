import { hash } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ExtensionHost, writeAtomically } from 'pentad'
import type { Assets, AssetType, OptimizedAsset } from '../../types.ts'
import { type AssetRecord, createAssetManifest } from './manifest.ts'

/** Maximum size of an asset relative to its source. */
export const MAX_SIZE_RATIO = 0.98

/** URL path of assets. */
export const ASSETS_PATH = '/wp-content/uploads/speed/assets/'

/** Maximum size of all assets in bytes; beyond it the least recently used are removed. */
const MOST_BYTES = 2 * 1024 ** 3
/** Days after which an unused asset is removed. */
const UNUSED_DAYS = 60
const DAY = 86_400_000
/** Maximum queued assets; beyond it a page is served unchanged and requests them again when it is rendered next. */
const MOST_WAITING = 5000
/** Maximum number of pages that are re-rendered when their assets are finished. */
const MOST_PAGES = 10_000
/** Delay before a failed asset is retried, in ms. */
const PAUSE_MS = 10 * 60_000
/** Maximum records of removed assets, used for redirects. */
const MOST_REMOVED = 20_000
const MAKE_TIMEOUT_MS = 60_000

/** A request for an asset. */
export interface AssetRequest {
  /**
   * Identity of the source and the relevant settings. Equal requests have equal keys; a changed source has another key.
   */
  readonly key: string
  readonly type: AssetType
  /** URL of the source, to which requests are redirected after the asset was removed. */
  readonly source: string
  /** Generates the asset in the background; `undefined` if no improvement is possible. */
  make(signal: AbortSignal): Promise<MadeAsset | undefined>
}

export interface MadeAsset {
  /** Readable part of the file name: `style`. */
  readonly name: string
  /** Without a dot: `css`. */
  readonly extension: string
  readonly content: string | Uint8Array
  /** Size of the source, in bytes. */
  readonly originalSize: number
}

export interface Asset extends OptimizedAsset {
  /** Path of the file on disk. */
  readonly file: string
}

export interface AssetStore extends Assets {
  /**
   * The asset if it exists; `null` if the source cannot be improved; `undefined` if it is not ready: it is then
   * generated once for all requests, and the page is refreshed when all its assets are finished.
   * @param page absolute URL of the page that references it
   */
  want(request: AssetRequest, page: string): Asset | null | undefined
  /** The same for a key, without generating anything. */
  known(key: string): Asset | null | undefined
  /** URL to redirect requests for a removed asset to; `undefined` for unknown names. */
  sourceOf(name: string): string | undefined
  /** Resolves when the manifest is loaded. */
  readonly ready: Promise<void>
  /** Resolves when no asset is being generated. */
  idle(): Promise<void>
  /** Completes pending writes; no more are started. */
  close(): Promise<void>
}

/** @param finished receives absolute URLs of pages whose assets are finished, and whether one of them was generated */
export function createAssets(
  host: ExtensionHost,
  finished: (urls: readonly string[], areChanged: boolean) => void,
): AssetStore {
  const uploads = host.content.media.files
  const folder = join(uploads.folder, 'speed', 'assets')
  const manifest = createAssetManifest({ file: join(host.site.dir, 'cache', 'assets.jsonl'), folder })
  const records = new Map<string, AssetRecord>()
  const byName = new Map<string, AssetRecord>()
  const pausedUntil = new Map<string, number>()
  /** Keys in progress, with the pages that wait for them. */
  const waiting = new Map<string, Set<string>>()
  /** Number of keys a page waits for, and whether any of them was generated. */
  const pages = new Map<string, { count: number; gained: boolean }>()
  /** Incremented by `clear`: work started before is discarded. */
  let generation = 0
  let isClosed = false
  /** Pending writes. */
  const writing = new Set<Promise<unknown>>()

  const workOn = (name: string, concurrency: number) =>
    host.jobs.createQueue<AssetRequest>({
      ...{ name, concurrency, timeout: MAKE_TIMEOUT_MS, retries: 0, work: makeAsset },
      limit: MOST_WAITING * 2,
    }).queue
  // Separate queues, so that large images do not delay style sheets.
  const queues = { images: workOn('speed-images', 1), others: workOn('speed-assets', 2) }

  const ready = manifest.load().then((found) => {
    for (const record of found) remember(record)
  })

  function remember(record: AssetRecord): void {
    records.set(record.key, record)
    if (record.name !== null) byName.set(record.name, record)
  }

  async function makeAsset(request: AssetRequest, signal: AbortSignal): Promise<void> {
    const begun = generation
    let gained = false
    if (isClosed) return
    try {
      const made = await Promise.race([request.make(signal), failAtEnd(signal)])
      if (begun === generation && !isClosed) gained = await written(save(request, made))
    } catch (error) {
      pausedUntil.set(request.key, Date.now() + PAUSE_MS)
      if (!host.signal.aborted && !isClosed)
        host.log.warn({ err: error, source: request.source }, 'asset generation failed')
    } finally {
      settle(request.key, gained)
    }
  }

  function written<Result>(work: Promise<Result>): Promise<Result> {
    const noted = work.finally(() => writing.delete(noted))
    writing.add(noted)
    return noted
  }

  async function save(request: AssetRequest, made: MadeAsset | undefined): Promise<boolean> {
    const { key, type, source } = request
    const common = { key, type, source, usedAt: Date.now() }
    if (!made) {
      remember({ ...common, name: null, originalSize: 0, size: 0 })
      await manifest.append({ ...common, name: null, originalSize: 0, size: 0 })
      return false
    }
    const content = Buffer.from(made.content)
    const name = fileName(made, content)
    await mkdir(folder, { recursive: true })
    await writeAtomically(
      join(folder, name),
      async (part) => {
        await writeFile(part, content, { flag: 'wx' })
        // The file itself, because a copy with another modification time would be fetched again.
        await uploads.push(part, `speed/assets/${name}`)
      },
      { mode: 0o644 },
    )
    const record = { ...common, name, originalSize: made.originalSize, size: content.length }
    await manifest.append(record)
    remember(record)
    return true
  }

  function settle(key: string, gained: boolean): void {
    const changed: string[] = []
    const unchanged: string[] = []
    for (const url of waiting.get(key) ?? []) {
      const page = pages.get(url)
      if (!page) continue
      page.count -= 1
      page.gained ||= gained
      if (page.count > 0) continue
      pages.delete(url)
      if (page.gained) changed.push(url)
      else unchanged.push(url)
    }
    waiting.delete(key)
    if (changed.length > 0) finished(changed, true)
    if (unchanged.length > 0) finished(unchanged, false)
  }

  function wait(request: AssetRequest, page: string): void {
    const known = waiting.get(request.key)
    if (!known && waiting.size >= MOST_WAITING) return
    const waiters = known ?? new Set<string>()
    if (!waiters.has(page) && (pages.has(page) || pages.size < MOST_PAGES)) {
      waiters.add(page)
      const state = pages.get(page) ?? { count: 0, gained: false }
      state.count += 1
      pages.set(page, state)
    }
    if (known) return
    waiting.set(request.key, waiters)
    const queue = request.type === 'image' ? queues.images : queues.others
    if (!queue.push(request)) settle(request.key, false)
  }

  /** Records of removed assets are kept, since pages in other caches may still reference them. */
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
    // First the manifest, then the files, so that after a crash no record refers to a missing file.
    await manifest.rewrite(records.values())
    const kept = new Set([...records.values()].filter(isAlive).map(({ name }) => name))
    for (const { name } of gone) if (name !== null && !kept.has(name)) await rm(join(folder, name), { force: true })
  }

  /** Removes unused assets, those beyond the size limit, and files without a record. */
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

  function known(key: string): Asset | null | undefined {
    const record = records.get(key)
    if (!record || record.isRemoved) return undefined
    record.usedAt = Date.now()
    return record.name === null ? null : { ...listed(record, record.name), file: join(folder, record.name) }
  }

  return {
    ready,
    known,
    want(request, page) {
      const asset = known(request.key)
      if (asset === undefined && (pausedUntil.get(request.key) ?? 0) < Date.now()) wait(request, page)
      return asset
    },
    sourceOf(name) {
      const record = byName.get(name)
      // The file was deleted externally; it is regenerated when a page requests it.
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
    isAwaitedBy: (url) => pages.has(url),
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

/** Rejects when the signal fires, for work that ignores it. */
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
