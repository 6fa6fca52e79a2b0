import { join } from 'node:path'
import { type ExtensionHost, isOfPages, type Purge } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { CachedPage, PageCache } from '../types.ts'
import { createFingerprint } from './fingerprint.ts'
import { createHandler } from './handler.ts'
import type { PageRecord } from './page.ts'
import { createAddressReader, pathOf } from './page-address.ts'
import { createPageFiles } from './page-files.ts'
import { createPageFolder } from './page-folder.ts'
import { createPageStore } from './page-store.ts'
import { createPassedPages } from './passed-pages.ts'
import { createPurges, type PurgeRule } from './purges.ts'
import { createRenderings } from './renderings.ts'
import { registerTagHeaders } from './tag-headers.ts'

/** Limits of the cache: memory and disk in bytes, and the number of files. */
export interface CacheLimits {
  readonly memory: number
  readonly disk: number
  readonly files: number
}

const LIMITS: CacheLimits = { memory: 64 * 1024 * 1024, disk: 512 * 1024 * 1024, files: 20_000 }
/** Age in ms after which a page is re-rendered, before its token for Web Vitals (valid for 24 hours) expires. */
const TOKEN_AGE = 20 * 3_600_000
/** Poll interval for purges of other processes, in ms. */
const FOLLOW_EVERY = 1_000

const CACHE_METRIC = {
  name: 'pentad_page_cache_requests_total',
  help: 'Requests served by the page cache: hits, including stale pages, and misses that rendered a page.',
  type: 'counter',
} as const

/**
 * The page cache: caches rendered pages in memory and in `<site>/cache/pages/`, and serves them before the application
 * runs.
 * @param isUnfinished Whether files are being generated for the page with that URL; it is not written to disk meanwhile.
 */
export function createPageCache(
  host: ExtensionHost,
  settings: { get(): SpeedSettings },
  limits = LIMITS,
  isUnfinished: (url: string) => boolean = () => false,
): PageCache {
  const { site, log, changes } = host
  const pathsOf = (urls: readonly string[]) => urls.flatMap((url) => pathOf(url, site.url) ?? [])

  /** What an entry of the change log purges. */
  function toRule({ scope, urls, tags, soft = false }: Purge): PurgeRule | 'all' {
    if (!isOfPages(scope)) return soft ? { staleTags: ['site'] } : 'all'
    const paths = pathsOf(urls)
    return soft ? { stale: paths, staleTags: tags } : { paths, tags }
  }

  const purges = createPurges(changes.position)
  const fingerprint = createFingerprint(host)
  const files = createPageFiles({
    folder: createPageFolder(join(site.dir, 'cache', 'pages'), log),
    limits: { bytes: limits.disk, files: limits.files },
    momentOf: purges.momentOf,
    follow: () => store.follow(),
    isValid: (record) => record.software === fingerprint.value && !purges.isPurged(record),
    log,
  })
  const store = createPageStore({
    ...{ purges, changes, toRule, fingerprint, files, log },
    maxBytes: limits.memory,
    isUnfinished: (key) => isUnfinished(site.url + key),
  })
  registerTagHeaders(host, () => settings.get().cdnTtlSeconds)
  const passedPages = createPassedPages(host, store)
  const renderings = createRenderings({
    store,
    renderPage: passedPages.render,
    lastPurge: () => purges.changedAt,
    ttlSeconds: () => settings.get().cacheTtlSeconds,
    refreshAfter: () => (settings.get().vitalsSampleRate === 0 ? Number.POSITIVE_INFINITY : TOKEN_AGE),
  })
  const counts = { hits: 0, misses: 0 }
  const { handle, respond } = createHandler(host, { settings, store, renderings, passedPages, counts })
  host.hooks.addFilter('metrics', (metrics) => [
    ...metrics,
    { ...CACHE_METRIC, labels: { result: 'hit' }, value: counts.hits },
    { ...CACHE_METRIC, labels: { result: 'miss' }, value: counts.misses },
  ])

  async function refreshTheme(): Promise<void> {
    await fingerprint.refreshTheme()
    store.refresh()
  }

  /** Commands that only change content need neither the pages on disk nor the purges of other processes. */
  let isServing = false
  function startServing(): void {
    isServing = true
    store.refresh()
    void store.start()
  }

  host.hooks.addAction('init', refreshTheme)
  for (const action of ['activated_plugin', 'deactivated_plugin', 'updated_option'] as const) {
    host.hooks.addAction(action, () => store.refresh())
  }
  host.setInterval(() => {
    if (!isServing) return
    void store.follow()
    // Theme changes show immediately in a local environment.
    if (site.environment === 'local')
      refreshTheme().catch((error) => log.error({ err: error }, 'theme files could not be read'))
  }, FOLLOW_EVERY)
  // While purges still reach this cache: pages that are written after it is unloaded could be outdated.
  host.hooks.addAction('shutdown', store.idle)
  if (site.pageCache === 'on') {
    host.front.install(
      (request, response) => {
        if (!isServing) startServing()
        return handle(request, response)
      },
      respond && ((request) => (isServing ? respond(request) : undefined)),
    )
  }

  function toCachedPage(record: PageRecord): CachedPage {
    const { identity, ...compressed } = record.sizes
    const sizes = Object.values(compressed).filter((size) => size !== undefined)
    return {
      url: site.url + record.key,
      cachedAt: new Date(record.renderedAt).toISOString(),
      size: identity,
      compressedSize: Math.min(identity, ...sizes),
      hits: record.hits,
      status: renderings.freshness(record) === 'fresh' ? 'fresh' : 'stale',
      optimizations: record.optimizations,
    }
  }

  return {
    status() {
      if (site.pageCache === 'off') return 'wpconfig'
      return host.front.owner === host.id ? 'active' : 'dropin'
    },
    purge(what) {
      const rule = what === 'all' ? what : { paths: pathsOf(what.urls ?? []), tags: what.tags ?? [] }
      return store.purge(rule).map((key) => site.url + key)
    },
    purgeExternally: (purge) => store.purgeExternally(toRule(purge)),
    loadIndex: store.loadIndex,
    find(what) {
      const paths = what === 'all' ? [] : pathsOf(what.urls)
      const isMatch = ({ path, tags }: PageRecord) =>
        what === 'all' || paths.includes(path) || tags.some((tag) => what.tags.includes(tag))
      return store
        .list()
        .filter(isMatch)
        .map(({ key }) => site.url + key)
    },
    refresh({ urls, tags }) {
      store.purge({ stale: pathsOf(urls), ...(tags && { staleTags: tags }) })
    },
    save(urls) {
      for (const url of urls) store.save(url.slice(site.url.length))
    },
    async warm(path) {
      const address = createAddressReader(settings.get())(path)
      if (typeof address === 'string' || settings.get().pageCache === 'off') return 'skipped'
      const page = store.inMemory(address.key) ?? (await store.onDisk(address.key))
      if (page && renderings.freshness(page.record) === 'fresh') return 'fresh'
      const { outcome } = await renderings.render(address)
      if (outcome === 'closed') return 'failed'
      return outcome === 'outdated' || outcome === 'not-cacheable' ? 'skipped' : outcome
    },
    list: () => store.list().map(toCachedPage),
    counts: () => ({ ...counts }),
    async close() {
      await renderings.idle()
      await store.close()
    },
  }
}
