import { setImmediate as turn } from 'node:timers/promises'
import type { ExtensionHost } from 'pentad'
import type { Preload } from '../preload/index.ts'
import type { SpeedSettings } from '../settings.ts'
import type { Assets, PageCache, Purge, PurgeScope } from '../types.ts'
import { createContentBatch } from './content-batch.ts'
import { createPurgeEvents } from './events.ts'

/** The pages affected by a change of content. */
export interface Affected {
  /** Tags of outdated pages. */
  readonly tags: readonly string[]
  /** Absolute URLs of outdated pages. */
  readonly urls: readonly string[]
  /** Absolute URLs that may show it, for CDNs without tag support. In the page cache they are only purged by tag. */
  readonly mayShow: readonly string[]
}

/** Purges pages and notifies integrations. */
export interface Purger {
  /** Purges one page on request. Returns the purged URLs: its own and its cached variants. */
  page(url: string): Promise<string[]>
  /** Purges all pages or more. Returns the number of pages that were cached. */
  all(scope: Exclude<PurgeScope, 'url' | 'urls'>, reason: string): Promise<number>
  /**
   * Purges pages after a content change. They are purged when this returns; integrations are notified a few
   * milliseconds later.
   */
  content(affected: Affected, reason: string): void
  /** Purges all pages after a change that affects all of them; otherwise like `content`. */
  site(reason: string): void
}

/**
 * Creates the purger. Each purge emits its `:before` and `:after` actions, then `speed_purged`, whether or not anything
 * was cached.
 */
export function createPurger(
  host: ExtensionHost,
  parts: { settings: () => SpeedSettings; cache: PageCache; assets: Assets; preload: Preload },
): Purger {
  const { settings, cache, assets, preload } = parts
  const events = createPurgeEvents(host)
  let imports = 0
  host.hooks.addAction('import_start', () => {
    imports++
  })
  host.hooks.addAction('import_end', () => {
    imports--
  })
  let clearing: Promise<void> | undefined

  function emitAfter(purge: Purge): void {
    events.emit(`speed_purge_${purge.scope}:after`, purge)
    events.emit('speed_purged', purge)
  }

  async function around<Result>(purge: Purge, work: () => Result): Promise<Awaited<Result>> {
    events.emit(`speed_purge_${purge.scope}:before`, purge)
    // Callbacks start before the purge but are not awaited.
    await turn()
    try {
      return await work()
    } finally {
      emitAfter(purge)
    }
  }

  /** Concurrent calls share one removal. */
  function clearAssets(): Promise<void> {
    clearing ??= assets.clear().finally(() => {
      clearing = undefined
    })
    return clearing
  }

  let isClosing = false
  const batch = createContentBatch(host, (purge, shown) => {
    events.emit(`speed_purge_${purge.scope}:before`, purge)
    emitAfter(purge)
    if (isClosing || settings().preload === 'off') return
    if (purge.scope === 'urls') preload.pages(shown)
    // During an import the next purge would discard rendered pages; its end purges and preloads all pages.
    else if (imports === 0) void preload.everything()
  })

  host.hooks.addAction('shutdown', async () => {
    isClosing = true
    batch.flush()
    await events.settled()
  })

  return {
    async page(url) {
      const purge: Purge = { scope: 'url', urls: [url], tags: [], reason: 'An administrator purged the page.' }
      const taken = await around(purge, () => cache.purge({ urls: [url] }))
      preload.pages([url])
      // Removed pages may include leftovers of an earlier purge.
      return [...new Set([url, ...taken.filter((one) => one.split('?', 1)[0] === url)])]
    },
    all(scope, reason) {
      return around({ scope, urls: [], tags: [], reason }, async () => {
        preload.noteVisits()
        const taken = cache.purge('all')
        if (scope === 'everything') await clearAssets()
        return new Set(taken).size
      })
    },
    content({ tags, urls, mayShow }, reason) {
      const taken = cache.purge({ tags, urls })
      batch.add({ tags, shown: [...urls, ...taken], mayShow, reason })
    },
    site(reason) {
      preload.noteVisits()
      cache.purge('all')
      batch.addAll(reason)
    },
  }
}
