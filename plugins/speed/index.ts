import { createScripts, defineExtension, settingsRoute } from 'pentad'
import { registerAbilities } from './abilities.ts'
import { registerActionItems } from './action-items/index.ts'
import { createPageCache } from './cache/index.ts'
import { registerHistory } from './history/index.ts'
import { filterShapes } from './hooks.ts'
import { filterShapes as optimizeFilters } from './optimize/hooks.ts'
import { createOptimizer } from './optimize/index.ts'
import { createPreload } from './preload/index.ts'
import { createPurger } from './purge/index.ts'
import { registerCacheRoutes } from './routes/index.ts'
import { settingsSchema } from './settings.ts'
import { registerVitals } from './vitals/index.ts'
import { filterShapes as workerFilters } from './worker/hooks.ts'
import { registerServiceWorker } from './worker/index.ts'

/** The performance service: page cache, optimizer, purges, web vitals (`speed/v1`). */
export default defineExtension({
  id: 'speed',
  name: 'Performance',
  version: '1.0.0-beta.1',
  description: 'Page cache, file optimization, and Web Vitals.',
  async setup(host) {
    host.hooks.declareFilters({ ...filterShapes, ...optimizeFilters, ...workerFilters })
    const settings = host.settings.register(settingsSchema)
    host.rest.registerRoute('speed/v1', settingsRoute(settings))
    const scripts = createScripts(host, 'speed/scripts')
    host.hooks.addFilter('wp_add_privacy_policy_content', async (sections) => {
      const { __ } = await host.textsFor()
      return [
        ...sections,
        {
          title: __('Page speed'),
          paragraphs: [
            __(
              'We measure how fast pages load in your browser. The measurements contain no information about you and use no cookies.',
            ),
          ],
        },
      ]
    })
    const cache = createPageCache(host, settings, undefined, (url) => optimizer.assets.isAwaitedBy(url))
    host.onDispose(() => cache.close())
    const preload = createPreload(host, cache)
    host.onDispose(() => preload.cancel())
    const optimizer = createOptimizer(host, settings, {
      scripts,
      finished(urls, areChanged) {
        if (!areChanged) return cache.save(urls)
        cache.refresh({ urls })
        if (settings.get().preload === 'on') preload.pages(urls)
      },
    })
    host.onDispose(() => optimizer.close())
    const purger = createPurger(host, { settings: settings.get, cache, assets: optimizer.assets, preload })
    const vitals = registerVitals(host, { settings: settings.get, scripts })
    const history = await registerHistory(host, { cache, vitals })
    registerCacheRoutes(host, { cache, assets: optimizer.assets, purger, preload, history })
    registerActionItems(host, { settings: settings.get, cache, vitals })
    registerServiceWorker(host, { settings: settings.get, scripts })
    registerAbilities(host)
    host.hooks.addFilter('page_insights', async (insights, page) => {
      const { __ } = await host.textsFor(page.user)
      const isCached = cache.find({ urls: [page.url], tags: [] }).length > 0
      const value = isCached ? __('Cached for visitors') : __('Not cached for visitors')
      return [...insights, { label: __('Page cache'), value }]
    })
  },
})
