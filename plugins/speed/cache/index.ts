import { join } from 'node:path'
import type { ExtensionHost } from 'pentad'
import type { SpeedSettings } from '../settings.ts'
import type { CachedPage, PageCache } from '../types.ts'
import { createFingerprint } from './fingerprint.ts'
import { createForeignPurges } from './foreign-purges.ts'
import { createHandler } from './handler.ts'
import { createKeptPages } from './kept-pages.ts'
import type { PageRecord } from './page.ts'
import { createAddressReader, pathOf } from './page-address.ts'
import { createPageFiles } from './page-files.ts'
import { createPurgeLog } from './purge-log.ts'
import { createRenderings } from './renderings.ts'
import { registerTagHeaders } from './tag-headers.ts'

/** What pages may take, in bytes; the files also in number. */
export interface CacheLimits {
  readonly memory: number
  readonly disk: number
  readonly files: number
}

const LIMITS: CacheLimits = { memory: 64 * 1024 * 1024, disk: 512 * 1024 * 1024, files: 20_000 }
/** Milliseconds between looks for what other processes purged. */
const FOLLOW_EVERY = 1_000

/**
 * Keeps finished pages in memory over `<site>/cache/pages/` and answers visitors with them before the application is
 * entered.
 * @param parts.appliedTo names of the settings that changed the page of a request (`Optimizer.appliedTo`)
 */
export function createPageCache(
  host: ExtensionHost,
  settings: { get(): SpeedSettings },
  parts: { appliedTo: (requestId: string) => readonly string[]; limits?: CacheLimits },
): PageCache {
  const { appliedTo, limits = LIMITS } = parts
  const { site, log } = host
  const folder = join(site.dir, 'cache', 'pages')
  const foreign = createForeignPurges((rule) => kept.purge(rule))
  const purges = createPurgeLog(folder, log, { onForeign: foreign.note })
  const fingerprint = createFingerprint(host)
  const files = createPageFiles(folder, { bytes: limits.disk, files: limits.files }, log)
  const kept = createKeptPages({ purges, fingerprint, files, maxBytes: limits.memory, log })
  const { tagsOf } = registerTagHeaders(host)
  const renderings = createRenderings({
    ...{ kept, tagsOf, appliedTo },
    renderAnswer: (path) => host.front.render(path),
    lastPurge: () => purges.changedAt,
    ttlSeconds: () => settings.get().cacheTtlSeconds,
  })
  const counts = { hits: 0, misses: 0 }
  const handle = createHandler(host, { settings, kept, renderings, counts })

  async function lookAtTheme(): Promise<void> {
    await fingerprint.lookAtTheme()
    kept.follow()
  }

  /** Once there is a request: a command that only changes content has no use for what lies on the disk. */
  let isServing = false
  function beginToServe(): void {
    isServing = true
    kept.follow()
    kept.takeStock()
  }

  host.hooks.addAction('init', lookAtTheme)
  for (const action of ['activated_plugin', 'deactivated_plugin', 'updated_option'] as const) {
    host.hooks.addAction(action, () => kept.follow())
  }
  host.setInterval(() => {
    // Whoever works on a theme sees what they do.
    if (isServing && site.environment === 'local') lookAtTheme().catch((error) => log.error({ err: error }, 'theme'))
    else kept.follow()
    foreign.repeatDue()
  }, FOLLOW_EVERY)
  if (site.pageCache === 'on') {
    host.front.install((request, response) => {
      if (!isServing) beginToServe()
      return handle(request, response)
    })
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
      return kept.purge(rule).map((key) => site.url + key)
    },
    refresh(urls) {
      kept.purge({ stale: pathsOf(urls) })
    },
    async warm(path) {
      const address = createAddressReader(settings.get())(path)
      if (typeof address === 'string' || settings.get().pageCache === 'off') return 'skipped'
      const page = kept.inMemory(address.key) ?? (await kept.onDisk(address.key))
      if (page && renderings.freshness(page.record) === 'fresh') return 'fresh'
      const { outcome } = await renderings.render(address)
      if (outcome === 'closed') return 'failed'
      return outcome === 'outdated' || outcome === 'not-storable' ? 'skipped' : outcome
    },
    list: () => kept.list().map(toCachedPage),
    counts: () => ({ ...counts }),
    async close() {
      await renderings.idle()
      await kept.close()
    },
  }
}
