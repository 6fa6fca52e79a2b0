import type { ExtensionHost, Undo } from 'pentad'
import '../hooks.ts'
import type { PageCache, PreloadProgress } from '../types.ts'
import { pathHere, readSitemap } from './sitemap.ts'
import { waitUntilIdle } from './wait-until-idle.ts'

/** Maximum consecutive failures before the preload is aborted. */
const MAX_FAILURES = 5
/** Debounce time in ms before changed pages are re-rendered. */
const SETTLED = 1000
/** Maximum queued pages. */
const MOST_WAITING = 10_000
/** How long a response waits for the sitemap, in ms. */
const SITEMAP_TIME = 3000

/** Preloads pages into the cache in the background, one at a time. */
export interface Preload {
  /**
   * Queues all pages of the sitemap, most visited first, replacing the queue. Returns the queue length; after three
   * seconds at the latest, the length so far.
   */
  everything(): Promise<number>
  /** Queues pages (absolute URLs), one second after the last addition. */
  pages(urls: readonly string[]): void
  /** Records the hits of each page, before a purge discards them. */
  noteVisits(): void
  progress(): PreloadProgress
  /** Clears the queue. Resolves when the page in progress is finished. */
  cancel(): Promise<void>
}

export function createPreload(host: ExtensionHost, cache: PageCache): Preload {
  const { hooks, log, signal, site } = host
  const waiting = new Set<string>()
  let visits = new Map<string, number>()
  let counts = { stored: 0, skipped: 0, failed: 0 }
  let run: Promise<void> | undefined
  let reading: Promise<unknown> | undefined
  let newest = 0
  let added = new Set<string>()
  let stopTimer: Undo | undefined
  /** Ends the wait for an idle period. */
  let pause = new AbortController()

  function noteVisits(): void {
    const noted = new Map<string, number>()
    for (const { url, hits } of cache.list()) if (hits > 0) noted.set(url, hits)
    // After a purge the cache has no hits: keep the previous ones.
    if (noted.size > 0) visits = noted
  }

  /** Returns the queue length. */
  function add(urls: Iterable<string>): number {
    for (const url of urls) {
      const path = pathHere(url, site.url)
      if (path !== undefined && waiting.size < MOST_WAITING) waiting.add(path)
    }
    const queued = waiting.size
    if (queued === 0 || run || signal.aborted) return queued
    run = renderAll()
      .catch((error) => {
        if (!signal.aborted) log.error({ err: error }, 'preload failed')
      })
      .finally(() => {
        run = undefined
      })
    return queued
  }

  async function renderAll(): Promise<void> {
    counts = { stored: 0, skipped: 0, failed: 0 }
    let took = 0
    for (let failedInRow = 0; failedInRow < MAX_FAILURES; ) {
      const [path] = waiting
      if (path === undefined) break
      waiting.delete(path)
      pause = new AbortController()
      await waitUntilIdle(took, AbortSignal.any([signal, pause.signal])).catch(() => {})
      signal.throwIfAborted()
      if (pause.signal.aborted) continue
      const began = performance.now()
      const result = await cache.warm(path).catch(() => 'failed' as const)
      signal.throwIfAborted()
      took = performance.now() - began
      failedInRow = result === 'failed' ? failedInRow + 1 : 0
      if (result === 'stored' || result === 'failed') counts[result]++
      else counts.skipped++
    }
    if (waiting.size > 0) log.warn({ left: waiting.size }, 'preload aborted after consecutive failures')
    waiting.clear()
    void hooks.doActionAsync('speed_preloaded', { ...counts })
  }

  async function readAll(): Promise<number> {
    const turn = ++newest
    noteVisits()
    waiting.clear()
    counts = { stored: 0, skipped: 0, failed: 0 }
    if (cache.status() !== 'active') return 0
    const isWanted = () => turn === newest && !signal.aborted
    const found = (await readSitemap(host, isWanted)).map((path) => site.url + path)
    const visitsOf = (url: string) => visits.get(url) ?? 0
    const urls = found.toSorted((one, other) => visitsOf(other) - visitsOf(one))
    const wanted = await hooks.applyFiltersAsync('speed_preload_urls', urls)
    // Superseded by a later call, which reads the sitemap again.
    if (!isWanted()) return wanted.length
    waiting.clear()
    return add(wanted)
  }

  return {
    noteVisits,
    async everything() {
      const { promise: overdue, resolve } = Promise.withResolvers<number>()
      const stop = host.setTimeout(() => resolve(waiting.size), SITEMAP_TIME)
      const queued = readAll().catch((error) => {
        log.error({ err: error }, 'sitemap could not be read')
        return 0
      })
      reading = queued
      return Promise.race([queued, overdue]).finally(stop)
    },
    pages(urls) {
      if (cache.status() !== 'active') return
      for (const url of urls) if (added.size < MOST_WAITING && !url.includes('?')) added.add(url)
      stopTimer?.()
      stopTimer = host.setTimeout(() => {
        const settled = added
        added = new Set()
        add(settled)
      }, SETTLED)
    },
    async cancel() {
      newest++
      waiting.clear()
      added = new Set()
      pause.abort()
      await reading
      await run
    },
    progress: () => ({ running: run !== undefined, queued: waiting.size, ...counts }),
  }
}
