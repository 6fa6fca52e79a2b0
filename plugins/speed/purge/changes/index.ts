import { type ExtensionHost, isAnsweringRequest } from 'pentad'
import '../../hooks.ts'
import type { SpeedSettings } from '../../settings.ts'
import type { Purger } from '../index.ts'
import { readPageUrl } from '../page-url.ts'
import { watchContent } from './watch-content.ts'
import { watchSite } from './watch-site.ts'

/** What core and the headers take as a tag. */
const TAG = /^[\w-]{1,60}$/

/** Purges what a change makes wrong, while the setting `purgeOnUpdate` is on, and what an extension asks for. */
export function purgeOnChanges(host: ExtensionHost, settings: () => SpeedSettings, purger: Purger): void {
  const { hooks, jobs, log, site } = host
  const isOn = () => settings().purgeOnUpdate === 'on'
  const absolute = (paths: readonly string[]) => [...new Set(paths)].map((path) => site.url + path)

  const whole = watchSite(host, (reason) => {
    if (isOn()) purger.site(reason)
  })
  watchContent(
    host,
    // What an editor changes meanwhile is purged at once.
    () => isOn() && (isAnsweringRequest() || !whole.isImporting),
    ({ tags, paths }, reason, mayShow = []) =>
      purger.content({ tags: [...new Set(tags)], urls: absolute(paths), mayShow: absolute(mayShow) }, reason),
  )

  // What changes although nobody changes anything.
  const purgeTag = (tag: string, reason: string) => {
    if (isOn()) purger.content({ tags: [tag], urls: [], mayShow: [] }, reason)
  }
  jobs.schedule('purge-day', '0 0 * * *', () => purgeTag('today', 'A new day began.'))
  jobs.schedule('purge-feeds', 'twicedaily', () => purgeTag('feeds', 'Feeds of other sites may have changed.'))

  hooks.addAction('speed_purge', ({ urls = [], tags = [], reason = 'An extension asked for it.' }) => {
    const pages = urls.flatMap((url) => readPageUrl(url, site.url) ?? [])
    const named = tags.filter((tag) => TAG.test(tag))
    if (pages.length < urls.length || named.length < tags.length)
      log.warn({ urls, tags }, 'speed_purge named what is no page of this site or no tag')
    if (pages.length + named.length > 0) purger.content({ tags: named, urls: pages, mayShow: [] }, reason)
  })
}
