import { setImmediate as turn } from 'node:timers/promises'
import { deprecate } from 'node:util'
import { type Change, type ExtensionHost, isOfPages, type Purge, type PurgeRequest, type PurgeScope } from 'pentad'
import { EMPTY_LOG } from '../cache/page-store.ts'
import type { Preload } from '../preload/index.ts'
import type { SpeedSettings } from '../settings.ts'
import type { Assets, PageCache } from '../types.ts'
import { createPurgeEvents } from './events.ts'

/** Saving the service's own settings does not purge. */
const OWN_SETTINGS = 'speed_settings'

/** Purges pages at the request of an administrator. */
export interface Purger {
  /** Purges one page. Returns the purged URLs: its own and its cached variants. */
  page(url: string): Promise<string[]>
  /** Purges all pages or more. Returns the number of pages that were cached. */
  all(scope: Exclude<PurgeScope, 'url' | 'urls'>, reason: string): Promise<number>
}

/**
 * Purges the page cache when the site changes, and at the request of an administrator. Each purge emits its `:before` and `:after`
 * actions, then `speed_purged`, whether or not anything was cached. The change log records all of them.
 */
export function createPurger(
  host: ExtensionHost,
  parts: { settings: () => SpeedSettings; cache: PageCache; assets: Assets; preload: Preload },
): Purger {
  const { hooks, changes } = host
  const { cache, assets, preload } = parts
  const events = createPurgeEvents(host)
  /** Lists of URLs, the same objects as in the log's entries, of purges whose `:before` actions were emitted. */
  const announced = new WeakSet([EMPTY_LOG.urls])
  /** Lists of URLs of purges that are recorded once more when they are complete. */
  const incomplete = new WeakSet<readonly string[]>()
  let clearing: Promise<void> | undefined

  /**
   * Callbacks start before the purge but are not awaited. The actions after it follow once it is in the change log.
   * @param work purges the page cache, directly before the purge is recorded
   * @param prepare is completed before `work`
   */
  async function around<Result>(purge: Purge, work: () => Result, prepare?: () => Promise<void>): Promise<Result> {
    events.emit(`speed_purge_${purge.scope}:before`, purge)
    await turn()
    const prepared = prepare?.()
    await Promise.allSettled([prepared])
    const result = work()
    announced.add(purge.urls)
    await changes.record(purge)
    await prepared
    return result
  }

  /** Concurrent calls share one removal. */
  function clearAssets(): Promise<void> {
    clearing ??= assets.clear().finally(() => {
      clearing = undefined
    })
    return clearing
  }

  const preloadPurged = followChanges(host, parts, (urls) => announced.has(urls))
  hooks.addAction('pages_purged', ({ scope, urls, tags, reason, soft }: Change) => {
    const purge = { scope, urls, tags, reason, soft }
    if (incomplete.has(urls)) return
    const isOwn = announced.has(urls)
    if (!isOwn) events.emit(`speed_purge_${scope}:before`, purge)
    events.emit(`speed_purge_${scope}:after`, purge)
    events.emit('speed_purged', purge)
    if (!isOwn) preloadPurged(scope)
  })
  hooks.addAction('shutdown', events.settled)

  return {
    async page(url) {
      const purge: Purge = { scope: 'url', urls: [url], tags: [], reason: 'An administrator purged the page.' }
      const taken = await around(purge, () => cache.purge({ urls: [url] }))
      preload.pages([url])
      // Removed pages may include leftovers of an earlier purge.
      return [...new Set([url, ...taken.filter((one) => one.split('?', 1)[0] === url)])]
    },
    all(scope, reason) {
      preload.noteVisits()
      const purge: Purge = { scope, urls: [], tags: [], reason }
      const taken = new Set<string>()
      const purgeAll = () => {
        for (const url of cache.purge('all')) taken.add(url)
        return taken.size
      }
      if (scope !== 'everything') return around(purge, purgeAll)
      return around(purge, purgeAll, async () => {
        // Again afterward: pages that are rendered meanwhile may contain removed files.
        purgeAll()
        // If the process is killed meanwhile, other processes and caches purge the pages too.
        const urls: string[] = []
        announced.add(urls)
        incomplete.add(urls)
        await changes.record({ ...purge, urls })
        await clearAssets()
      })
    },
  }
}

/**
 * Purges the page cache when the site changes, or an extension requests it.
 * @param isPurged whether the purge with that list of URLs is one that the service has made itself
 * @returns a function that renders the purged pages if `preload` is on, to be called once the changes are recorded
 */
function followChanges(
  { hooks, id }: ExtensionHost,
  { settings, cache, preload }: { settings: () => SpeedSettings; cache: PageCache; preload: Preload },
  isPurged: (urls: readonly string[]) => boolean,
): (scope: PurgeScope) => void {
  /** Pages purged since the last preload. */
  let purged = new Set<string>()
  let imports = 0
  let isClosing = false
  hooks.addAction('import_start', () => {
    imports++
  })
  hooks.addAction('import_end', () => {
    imports--
  })
  // Before the last changes are recorded.
  const close = () => {
    isClosing = true
  }
  hooks.addAction('shutdown', close, 0)

  hooks.addFilter('purge_on_change', (isWanted, source, name) => {
    // The fingerprint covers the service itself.
    const isOwn = (source === 'option' && name === OWN_SETTINGS) || (source === 'extension' && name === id)
    return isWanted && settings().purgeOnUpdate === 'on' && !isOwn
  })
  hooks.addAction('pre_purge', cache.loadIndex)
  hooks.addFilter('purge_urls', (urls, purge, isPreview, isExternal) => {
    const { scope, tags, urls: given, soft } = purge
    if (isExternal) cache.purgeExternally(purge)
    if (isExternal || isPurged(given)) return urls
    if (isPreview) return [...urls, ...cache.find(isOfPages(scope) ? { tags, urls } : 'all')]
    if (soft) {
      const found = [...urls, ...cache.find(isOfPages(scope) ? { tags, urls } : 'all')]
      // Every page has the tag `site`.
      cache.refresh({ urls, tags: isOfPages(scope) ? tags : ['site'] })
      for (const url of found) purged.add(url)
      return found
    }
    if (!isOfPages(scope)) {
      preload.noteVisits()
      cache.purge('all')
      return urls
    }
    const taken = [...urls, ...cache.purge({ tags, urls })]
    for (const url of taken) purged.add(url)
    return taken
  })
  const requestPurge = (request: PurgeRequest) => hooks.doAction('purge_pages', request)
  const message = 'The action speed_purge was renamed to purge_pages.'
  hooks.addAction('speed_purge', deprecate(requestPurge, message, 'PENTAD_SPEED_PURGE'))

  return (scope) => {
    const urls = [...purged]
    purged = new Set()
    if (isClosing || settings().preload === 'off') return
    if (isOfPages(scope)) preload.pages(urls)
    // During an import the next purge would discard rendered pages; its end purges and preloads all pages.
    else if (imports === 0) void preload.everything()
  }
}
