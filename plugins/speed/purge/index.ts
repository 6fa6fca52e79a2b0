import { setImmediate as turn } from 'node:timers/promises'
import type { ExtensionHost } from 'pentad'
import type { Preload } from '../preload/index.ts'
import type { SpeedSettings } from '../settings.ts'
import type { Assets, PageCache, Purge, PurgeScope } from '../types.ts'
import { createContentBatch } from './content-batch.ts'
import { createPurgeEvents } from './events.ts'

/** What a change of content takes away. */
export interface Affected {
  /** Tags of the pages that are no longer right. */
  readonly tags: readonly string[]
  /** Absolute URLs of pages that are no longer right. */
  readonly urls: readonly string[]
  /** Absolute URLs that may show it, for CDNs that know no tags; our own pages of these stay unless a tag says otherwise. */
  readonly mayShow: readonly string[]
}

/** Takes pages away and tells everybody who keeps copies. */
export interface Purger {
  /** One page, on request. Answers the URLs that were purged: its own, and those of its variants that were cached. */
  page(url: string): Promise<string[]>
  /** All pages or more, on request or because of something that all pages show. Answers how many pages were cached. */
  all(scope: Exclude<PurgeScope, 'url' | 'urls'>, reason: string): Promise<number>
  /** Content changed. The pages are gone when this returns; integrations are told a few milliseconds later. */
  content(affected: Affected, reason: string): void
  /** Something changed that all pages show. They are gone when this returns; as `content`. */
  site(reason: string): void
}

/** Purges as contract 6 wants them: the actions in pairs, then `speed_purged`, whether or not anything was cached. */
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

  function tellAfter(purge: Purge): void {
    events.tell(`speed_purge_${purge.scope}:after`, purge)
    events.tell('speed_purged', purge)
  }

  async function around<Result>(purge: Purge, work: () => Result): Promise<Awaited<Result>> {
    events.tell(`speed_purge_${purge.scope}:before`, purge)
    // The listeners begin before it and are not waited for.
    await turn()
    try {
      return await work()
    } finally {
      tellAfter(purge)
    }
  }

  /** Those that come while the files are being removed are content with that. */
  function clearAssets(): Promise<void> {
    clearing ??= assets.clear().finally(() => {
      clearing = undefined
    })
    return clearing
  }

  let isClosing = false
  const batch = createContentBatch(host, (purge, shown) => {
    events.tell(`speed_purge_${purge.scope}:before`, purge)
    tellAfter(purge)
    if (isClosing || settings().preload === 'off') return
    if (purge.scope === 'urls') preload.pages(shown)
    // Until an import ends, the next purge would discard what was rendered: its end purges all pages, too.
    else if (imports === 0) void preload.everything()
  })

  host.hooks.addAction('shutdown', async () => {
    isClosing = true
    batch.flush()
    await events.told()
  })

  return {
    async page(url) {
      const purge: Purge = { scope: 'url', urls: [url], tags: [], reason: 'An administrator purged the page.' }
      const taken = await around(purge, () => cache.purge({ urls: [url] }))
      preload.pages([url])
      // What an older purge had left over may be among what went.
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
