import type { ExtensionHost } from 'pentad'
import type { History } from '../history/index.ts'
import type { Preload } from '../preload/index.ts'
import type { Purger } from '../purge/index.ts'
import type { Assets, PageCache } from '../types.ts'
import { optimizedAssets, optimizedPages } from './lists.ts'
import { purgeAll, purgeCurrentPage } from './purge.ts'
import { cacheOverview, cacheStatus, cancelPreload, preloadCache } from './status.ts'

/** The routes of `speed/v1` about the page cache and optimized files. */
export function registerCacheRoutes(
  host: ExtensionHost,
  parts: { cache: PageCache; assets: Assets; purger: Purger; preload: Preload; history: History },
): void {
  const { cache, assets, purger, preload, history } = parts
  const add = host.rest.registerRoute
  add('speed/v1', cacheStatus(cache))
  add('speed/v1', purgeCurrentPage(purger, host.site.url))
  for (const scope of ['pages', 'cache', 'everything'] as const) add('speed/v1', purgeAll(scope, purger, preload))
  add('speed/v1', preloadCache(preload))
  add('speed/v1', cancelPreload(preload))
  add('speed/v1', cacheOverview({ cache, assets, preload, history }))
  add('speed/v1', optimizedPages(cache, preload))
  add('speed/v1', optimizedAssets(assets))
}
