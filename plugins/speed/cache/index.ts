import { join } from 'node:path'
import type { ExtensionHost } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { CachedPage, PageCache } from '../types.ts'
import { createFingerprint } from './fingerprint.ts'
import { createHandler } from './handler.ts'
import type { PageRecord } from './page.ts'
import { createAddressReader, pathOf } from './page-address.ts'
import { createPageFiles } from './page-files.ts'
import { createPageStore } from './page-store.ts'
import { createPassedPages } from './passed-pages.ts'
import { createPurgeLog } from './purge-log.ts'
import { createRemotePurges } from './remote-purges.ts'
import { createRenderings } from './renderings.ts'
import { registerTagHeaders } from './tag-headers.ts'

/** Limits of the cache: memory and disk in bytes, and the number of files. */
export interface CacheLimits {
  readonly memory: number
  readonly disk: number
  readonly files: number
}

const LIMITS: CacheLimits = { memory: 64 * 1024 * 1024, disk: 512 * 1024 * 1024, files: 20_000 }
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
 */
export function createPageCache(host: ExtensionHost, settings: { get(): SpeedSettings }, limits = LIMITS): PageCache {
  const { site, log } = host
  const folder = join(site.dir, 'cache', 'pages')
  const remotePurges = createRemotePurges((rule) => store.purge(rule))
  const purges = createPurgeLog(folder, log, { onRemotePurge: remotePurges.add })
  const fingerprint = createFingerprint(host)
  const files = createPageFiles(folder, { bytes: limits.disk, files: limits.files }, log)
  const store = createPageStore({ purges, fingerprint, files, maxBytes: limits.memory, log })
  registerTagHeaders(host, () => settings.get().cdnTtlSeconds)
  const passedPages = createPassedPages(host, store)
  const renderings = createRenderings({
    store,
    renderPage: passedPages.render,
    lastPurge: () => purges.changedAt,
    ttlSeconds: () => settings.get().cacheTtlSeconds,
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
    store.follow()
  }

  /** The disk index is loaded on the first request, since commands that only change content do not need it. */
  let isServing = false
  let indexed: Promise<void> | undefined
  function startServing(): void {
    isServing = true
    store.follow()
    indexed = store.loadIndex(true)
  }

  host.hooks.addAction('init', refreshTheme)
  for (const action of ['activated_plugin', 'deactivated_plugin', 'updated_option'] as const) {
    host.hooks.addAction(action, () => store.follow())
  }
  host.setInterval(() => {
    // Theme changes show immediately in a local environment.
    if (isServing && site.environment === 'local')
      refreshTheme().catch((error) => log.error({ err: error }, 'theme files could not be read'))
    else store.follow()
    remotePurges.repeatDue()
  }, FOLLOW_EVERY)
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

  const pathsOf = (urls: readonly string[]) => urls.flatMap((url) => pathOf(url, site.url) ?? [])

  return {
    status() {
      if (site.pageCache === 'off') return 'wpconfig'
      return host.front.owner === host.id ? 'active' : 'dropin'
    },
    purge(what) {
      const rule = what === 'all' ? what : { paths: pathsOf(what.urls ?? []), tags: [...(what.tags ?? [])] }
      return store.purge(rule).map((key) => site.url + key)
    },
    takeEarlierPurges(since) {
      const found = purges.takeEarlier(since)
      if (!found) return undefined
      const { paths = [], tags = [] } = found
      return { urls: [...new Set(paths)].map((path) => site.url + path), tags: [...new Set(tags)] }
    },
    noteRecorded: purges.noteRecorded,
    loadIndex() {
      if (!indexed) {
        store.follow()
        indexed = store.loadIndex(false)
      }
      return indexed
    },
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
      store.purge({ stale: pathsOf(urls), ...(tags && { staleTags: [...tags] }) })
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
