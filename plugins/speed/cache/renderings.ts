import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { RenderedAnswer } from 'pentad'
import { trimmed } from './encodings.ts'
import type { KeptPages } from './kept-pages.ts'
import { createPage, lifetimeOf, type Page, type PageRecord } from './page.ts'
import type { PageAddress } from './page-address.ts'
import { whatToKeep } from './storable.ts'

/** Milliseconds that visitors wait for somebody else's rendering before they ask for themselves. */
const PATIENCE = 30_000
/** Milliseconds for which pages that cannot be kept are not tried again, and those whose rendering failed. */
const NOT_KEPT_FOR = 60_000
const FAILED_FOR = 5_000
/** Milliseconds that a stale page is shown at most, and no longer than it was fresh. */
const MAX_STALE = 24 * 60 * 60 * 1000
/** Milliseconds until a rendering that failed is tried again, while the stale page is shown. */
const RETRY_AFTER = 10_000
/** Milliseconds that renderings under way get to end when the cache closes. */
const CLOSE_PATIENCE = 5_000
/** Characters of addresses that are remembered as not to be kept. */
const MAX_REMEMBERED = 1024 * 1024

/**
 * What a rendering came to. `page` is also set where a purge in the meantime forbids to keep it; a `closed` one holds protected
 * content that cannot be shown now.
 */
export type Rendering =
  | { readonly outcome: 'stored' | 'outdated'; readonly page: Page }
  | { readonly outcome: 'closed'; readonly answer: RenderedAnswer }
  | { readonly outcome: 'not-storable' | 'failed' }

/** `expired` must not be shown any more. */
export type Freshness = 'fresh' | 'stale' | 'expired'

/** Renders pages into the cache, each once for all who wait. */
export interface Renderings {
  freshness(page: PageRecord): Freshness
  /** Joins a rendering under way, unless something was purged since it began. */
  render(address: PageAddress): Promise<Rendering>
  /** Renders a stale page anew in the background. */
  refresh(page: Page): void
  /** Whether it has just been found that the page cannot be kept. */
  isNotKept(key: string): boolean
  /** Resolves when nothing is being rendered, or after some seconds. */
  idle(): Promise<void>
}

export function createRenderings(parts: {
  kept: KeptPages
  renderAnswer: (path: string) => Promise<RenderedAnswer>
  tagsOf: (requestId: string) => readonly string[] | undefined
  appliedTo: (requestId: string) => readonly string[]
  /** When something was purged last. Milliseconds since 1970. */
  lastPurge: () => number
  ttlSeconds: () => number
}): Renderings {
  const { kept } = parts
  /** What others join. */
  const underWay = new Map<string, { version: number; rendering: Promise<Rendering> }>()
  /** Those too that nobody joins any more, since something was purged. */
  const all = new Set<Promise<Rendering>>()
  const notKept = new LRUCache<string, { until: number; version: number }>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: (_, key) => key.length + 64,
  })

  function noteNotKept(key: string, milliseconds: number): void {
    notKept.set(key, { until: Date.now() + milliseconds, version: kept.version })
  }

  function toPage({ key, path }: PageAddress, answer: RenderedAnswer, begun: Begun): Page | undefined {
    const requestId = String(answer.headers['x-request-id'] ?? '')
    const tags = parts.tagsOf(requestId)
    const optimizations = parts.appliedTo(requestId)
    const content = whatToKeep(answer, tags !== undefined)
    if (!content) return undefined
    const { renderedAt, moment, software } = begun
    // Two renderings of one second have the same date; it may stand for a page only if that is the first one.
    const isFirstOfSecond = begun.lastPurge < Math.floor(renderedAt / 1000) * 1000
    return createPage(
      {
        ...{ key, path, moment, software, renderedAt, status: answer.status, ...content },
        tags: tags ?? ['site'],
        lastModified: isFirstOfSecond ? new Date(renderedAt).toUTCString() : null,
        optimizations,
        sizes: { identity: answer.body.length },
        hits: 0,
      },
      { identity: trimmed(answer.body) },
    )
  }

  /** One rendering begins in each turn of the event loop: in a flood of them, those whose page is there get their turn. */
  let begins: Promise<void> = Promise.resolve()
  function myTurn(): Promise<void> {
    begins = begins.then(() => setImmediate())
    return begins
  }

  async function renderNow(address: PageAddress): Promise<Rendering> {
    const { key } = address
    await myTurn()
    const begun = { ...kept.now(), renderedAt: Date.now(), lastPurge: parts.lastPurge() }
    const giveUp = new AbortController()
    const answer = await Promise.race([
      parts.renderAnswer(key).catch(() => undefined),
      wait(PATIENCE, undefined, { signal: giveUp.signal, ref: false }).catch(() => undefined),
    ])
    giveUp.abort()
    if (!answer || answer.status >= 500) {
      noteNotKept(key, FAILED_FOR)
      // What protects the page does not work: the older copy may show what is protected by now.
      if (answer && isPrivate(answer)) {
        kept.drop(key)
        return { outcome: 'closed', answer }
      }
      return { outcome: 'failed' }
    }
    const page = toPage(address, answer, begun)
    if (!page) {
      noteNotKept(key, NOT_KEPT_FOR)
      kept.drop(key)
      return { outcome: 'not-storable' }
    }
    if (!kept.keep(page)) return { outcome: 'outdated', page }
    // Pages of their own address are asked for again; those of a query are compressed when they are.
    if (page.record.maxAge === null && !key.includes('?')) kept.settle(page)
    return { outcome: 'stored', page }
  }

  function render(address: PageAddress): Promise<Rendering> {
    const { key } = address
    const joined = underWay.get(key)
    if (joined?.version === kept.version) return joined.rendering
    const rendering = renderNow(address).finally(() => {
      if (underWay.get(key)?.rendering === rendering) underWay.delete(key)
      all.delete(rendering)
    })
    all.add(rendering)
    underWay.set(key, { version: kept.version, rendering })
    return rendering
  }

  return {
    freshness(page) {
      const age = Date.now() - page.renderedAt
      const life = lifetimeOf(page, parts.ttlSeconds()) * 1000
      if (age < life && !kept.isMarkedStale(page)) return 'fresh'
      return page.maxAge === null && age < life + Math.min(life, MAX_STALE) ? 'stale' : 'expired'
    },
    render,
    refresh(page) {
      const { key, path } = page.record
      if (underWay.get(key)?.version === kept.version || Date.now() < page.retryAt) return
      render({ key, path }).then(({ outcome }) => {
        if (outcome === 'failed' || outcome === 'closed') page.retryAt = Date.now() + RETRY_AFTER
      })
    },
    isNotKept(key) {
      const known = notKept.get(key)
      return known !== undefined && known.version === kept.version && Date.now() < known.until
    },
    async idle() {
      const giveUp = new AbortController()
      const overdue = wait(CLOSE_PATIENCE, undefined, { signal: giveUp.signal, ref: false }).catch(() => undefined)
      await Promise.race([Promise.all(all), overdue])
      giveUp.abort()
    },
  }
}

function isPrivate({ headers }: RenderedAnswer): boolean {
  return /(?:^|[\s,])private(?![\w-])/i.test([headers['cache-control'] ?? ''].flat().join(', '))
}

interface Begun extends ReturnType<KeptPages['now']> {
  readonly renderedAt: number
  readonly lastPurge: number
}
