import { type ExtensionHost, isHandlingRequest } from 'pentad'
import '../../hooks.ts'
import type { SpeedSettings } from '../../settings.ts'
import type { Purger } from '../index.ts'
import { readPageUrl } from '../page-url.ts'
import { watchContent } from './watch-content.ts'
import { watchSite } from './watch-site.ts'

/** Valid cache tags. */
const TAG = /^[\w-]{1,60}$/

/** Purges affected pages when content changes (setting `purgeOnUpdate`), and when an extension requests it. */
export function purgeOnChanges(host: ExtensionHost, settings: () => SpeedSettings, purger: Purger): void {
  const { hooks, jobs, log, site } = host
  const isOn = () => settings().purgeOnUpdate === 'on'
  const absolute = (paths: readonly string[]) => [...new Set(paths)].map((path) => site.url + path)

  const whole = watchSite(host, (reason) => {
    if (isOn()) purger.site(reason)
  })
  watchContent(
    host,
    // Changes by editors during an import are purged immediately.
    () => isOn() && (isHandlingRequest() || !whole.isImporting),
    ({ tags, paths }, reason, mayShow = []) =>
      purger.content({ tags: [...new Set(tags)], urls: absolute(paths), mayShow: absolute(mayShow) }, reason),
  )

  // Pages that change over time.
  const purgeTag = (tag: string, reason: string) => {
    if (isOn()) purger.content({ tags: [tag], urls: [], mayShow: [] }, reason)
  }
  jobs.schedule('purge-day', '0 0 * * *', () => purgeTag('today', 'The date changed.'))
  jobs.schedule('purge-feeds', 'twicedaily', () => purgeTag('feeds', 'External feeds may have changed.'))

  hooks.addAction('speed_purge', ({ urls = [], tags = [], reason = 'An extension requested it.' }) => {
    const pages = urls.flatMap((url) => readPageUrl(url, site.url) ?? [])
    const named = tags.filter((tag) => TAG.test(tag))
    if (pages.length < urls.length || named.length < tags.length)
      log.warn({ urls, tags }, 'invalid URLs or tags in speed_purge ignored')
    if (pages.length + named.length > 0) purger.content({ tags: named, urls: pages, mayShow: [] }, reason)
  })
}
