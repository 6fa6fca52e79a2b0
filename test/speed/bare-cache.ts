import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import type { ConfigInput } from '../../core/config.ts'
import type { CacheLimits } from '../../plugins/speed/cache/index.ts'
import type { PageCache } from '../../plugins/speed/types.ts'
import { temporaryFolder } from '../support/site-folder.ts'

declare module 'pentad' {
  interface Filters {
    /** Hands the page cache of the extension below to its test. */
    test_page_cache: [cache: PageCache | undefined]
    /** Whether files are being generated for a page. */
    test_unfinished: [isUnfinished: boolean, url: string]
  }
}

const PLUGIN = join(import.meta.dirname, '../../plugins/speed')

/** A site with the page cache alone, as an extension of its own, and a hand on it. */
export async function startBareCache(
  config: ConfigInput = {},
  limits?: CacheLimits,
): Promise<{ site: TestHost; cache: PageCache }> {
  const folder = join(temporaryFolder(), 'page-cache')
  await mkdir(folder)
  await writeFile(join(folder, 'index.ts'), extensionWith(limits))
  const site = await createTestHost({ extensions: [folder], config })
  const cache = site.host.hooks.applyFilters('test_page_cache', undefined)
  if (!cache) throw new Error('the page cache does not run')
  return { site, cache }
}

function extensionWith(limits: CacheLimits | undefined): string {
  return `
import { defineExtension } from 'pentad'
import { createPageCache } from ${JSON.stringify(join(PLUGIN, 'cache/index.ts'))}
import { note } from ${JSON.stringify(join(PLUGIN, 'rendering-notes.ts'))}
import { settingsSchema } from ${JSON.stringify(join(PLUGIN, 'settings.ts'))}
export default defineExtension({
  id: 'page-cache', name: 'Page cache', version: '1.0.0',
  setup(host) {
    const settings = host.settings.register(settingsSchema)
    const isUnfinished = (url) => host.hooks.applyFilters('test_unfinished', false, url)
    const cache = createPageCache(host, settings, ${JSON.stringify(limits)}, isUnfinished)
    // Its activation at each start would purge all pages.
    host.hooks.addFilter('purge_on_change', () => false)
    host.onDispose(() => cache.close())
    host.hooks.addFilter('page_html', (html) => {
      note({ optimizations: ['minifyHtml'] })
      return html
    })
    host.hooks.addFilter('test_page_cache', () => cache)
    host.hooks.addFilter('purge_urls', (urls, purge, isPreview, isExternal) => {
      if (isExternal) cache.purgeExternally(purge)
      return urls
    })
  },
})`
}
