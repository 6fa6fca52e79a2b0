import { setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { RenderedResponse } from 'pentad'
import { type RenderingNotes, withNotes } from '../rendering-notes.ts'
import { cacheableParts } from './cacheable.ts'
import { trimmed } from './encodings.ts'
import { createPage, lifetimeOf, type Page, type PageRecord } from './page.ts'
import type { PageAddress } from './page-address.ts'
import type { PageStore } from './page-store.ts'

/** How long a request waits for a shared rendering before it is passed on, in ms. */
const RENDER_TIMEOUT = 30_000
/** How long uncacheable pages, and pages whose rendering failed, are not tried again, in ms. */
const UNCACHEABLE_FOR = 60_000
const FAILED_FOR = 5_000
/** How long a stale page is served at most, in ms, but never longer than it was fresh. */
const MAX_STALE = 24 * 60 * 60 * 1000
/** Delay before a failed re-render of a stale page is retried, in ms. */
const RETRY_AFTER = 10_000
/** How long closing waits for renderings in flight, in ms. */
const CLOSE_TIMEOUT = 5_000
/** Total characters of remembered uncacheable URLs. */
const MAX_REMEMBERED = 1024 * 1024

/**
 * Result of a rendering. `page` is also set if a purge meanwhile prevented caching it. `closed`: protected content that
 * must not be shown.
 */
export type Rendering =
  | { readonly outcome: 'stored' | 'outdated'; readonly page: Page }
  | { readonly outcome: 'closed'; readonly response: RenderedResponse }
  | { readonly outcome: 'not-cacheable' | 'failed' }

/** `expired` pages must not be served. */
export type Freshness = 'fresh' | 'stale' | 'expired'

/** Renders pages into the cache. Concurrent requests for a page share one rendering. */
export interface Renderings {
  freshness(page: PageRecord): Freshness
  /** Seconds for which a page is still fresh, negative if it is stale; 0 if it was marked as stale before. */
  ttl(page: PageRecord): number
  /** Renders a page, or joins a rendering in flight unless something was purged since it started. */
  render(address: PageAddress): Promise<Rendering>
  /** Re-renders a stale page in the background. */
  refresh(page: Page): void
  /** Whether the page was recently found to be uncacheable. */
  isUncacheable(key: string): boolean
  /** Resolves when no rendering is in flight, or after a few seconds. */
  idle(): Promise<void>
}

export function createRenderings(parts: {
  store: PageStore
  renderPage: (path: string) => Promise<RenderedResponse>
  /** Time of the last purge, in ms since 1970. */
  lastPurge: () => number
  ttlSeconds: () => number
  /** Age in ms after which a page is re-rendered although it is served for longer. */
  refreshAfter: () => number
}): Renderings {
  const { store } = parts
  /** Renderings that requests can join. */
  const inFlight = new Map<string, { version: number; rendering: Promise<Rendering> }>()
  /** All renderings, including those that are no longer joined after a purge. */
  const all = new Set<Promise<Rendering>>()
  const uncacheable = new LRUCache<string, { until: number; version: number }>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (_, key) => key.length + 64,
  })

  /** The text of the last missing page: most have the same, so that a flood of them takes little memory. */
  let missing: Buffer = Buffer.alloc(0)

  function bodyOf({ status, body }: RenderedResponse): Buffer {
    if (status !== 404) return trimmed(body)
    if (!missing.equals(body)) missing = trimmed(body)
    return missing
  }

  function markUncacheable(key: string, milliseconds: number): void {
    uncacheable.set(key, { until: Date.now() + milliseconds, version: store.version })
  }

  function toPage(
    { key, path }: PageAddress,
    [response, notes]: [RenderedResponse, RenderingNotes],
    begun: Begun,
  ): Page | undefined {
    const { tags, optimizations } = notes
    const content = cacheableParts(response, tags !== undefined)
    if (!content) return undefined
    const { renderedAt, moment, software } = begun
    // Last-Modified has a resolution of one second, so it is only used if no purge happened in the same second.
    const isFirstOfSecond = begun.lastPurge < Math.floor(renderedAt / 1000) * 1000
    return createPage(
      {
        ...{ key, path, moment, software, renderedAt, status: response.status, ...content },
        tags: tags ?? ['site'],
        lastModified: isFirstOfSecond ? new Date(renderedAt).toUTCString() : null,
        optimizations,
        sizes: { identity: response.body.length },
        hits: 0,
      },
      { identity: bodyOf(response) },
    )
  }

  async function renderNow(address: PageAddress): Promise<Rendering> {
    const { key } = address
    const isStarted = await store.start()
    const begun = { ...store.now(), renderedAt: Date.now(), lastPurge: parts.lastPurge() }
    const timeout = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => timeout.resolve(undefined), RENDER_TIMEOUT).unref()
    const rendered = await Promise.race([
      withNotes(() => parts.renderPage(key)).catch(() => undefined),
      timeout.promise,
    ])
    clearTimeout(timer)
    const response = rendered?.[0]
    if (!rendered || !response || response.status >= 500) {
      markUncacheable(key, FAILED_FOR)
      // The access check failed: an older copy may show content that is protected by now.
      if (response && isPrivate(response)) {
        store.drop(key)
        return { outcome: 'closed', response }
      }
      return { outcome: 'failed' }
    }
    const page = toPage(address, rendered, begun)
    if (!page) {
      markUncacheable(key, UNCACHEABLE_FOR)
      store.drop(key)
      return { outcome: 'not-cacheable' }
    }
    if (!isStarted || !(await store.put(page))) return { outcome: 'outdated', page }
    // Pages without a query are likely to be requested again; others are compressed on their first hit.
    if (page.record.maxAge === null && !key.includes('?')) store.settle(page)
    return { outcome: 'stored', page }
  }

  function render(address: PageAddress): Promise<Rendering> {
    const { key } = address
    const joined = inFlight.get(key)
    if (joined?.version === store.version) return joined.rendering
    const rendering = renderNow(address).finally(() => {
      if (inFlight.get(key)?.rendering === rendering) inFlight.delete(key)
      all.delete(rendering)
    })
    all.add(rendering)
    inFlight.set(key, { version: store.version, rendering })
    return rendering
  }

  const isStale = (page: PageRecord) =>
    store.isMarkedStale(page) || Date.now() - page.renderedAt >= parts.refreshAfter()

  return {
    freshness(page) {
      const age = Date.now() - page.renderedAt
      const life = lifetimeOf(page, parts.ttlSeconds()) * 1000
      if (age < life && !isStale(page)) return 'fresh'
      return page.maxAge === null && age < life + Math.min(life, MAX_STALE) ? 'stale' : 'expired'
    },
    ttl(page) {
      const left = lifetimeOf(page, parts.ttlSeconds()) - Math.ceil((Date.now() - page.renderedAt) / 1000)
      return isStale(page) ? Math.min(left, 0) : left
    },
    render,
    refresh(page) {
      const { key, path } = page.record
      if (inFlight.get(key)?.version === store.version || Date.now() < page.retryAt) return
      render({ key, path }).then(({ outcome }) => {
        if (outcome === 'failed' || outcome === 'closed') page.retryAt = Date.now() + RETRY_AFTER
      })
    },
    isUncacheable(key) {
      const known = uncacheable.get(key)
      return known !== undefined && known.version === store.version && Date.now() < known.until
    },
    async idle() {
      const giveUp = new AbortController()
      const overdue = wait(CLOSE_TIMEOUT, undefined, { signal: giveUp.signal, ref: false }).catch(() => undefined)
      await Promise.race([Promise.all(all), overdue])
      giveUp.abort()
    },
  }
}

function isPrivate({ headers }: RenderedResponse): boolean {
  return /(?:^|[\s,])private(?![\w-])/i.test([headers['cache-control'] ?? ''].flat().join(', '))
}

interface Begun extends ReturnType<PageStore['now']> {
  readonly renderedAt: number
  readonly lastPurge: number
}
