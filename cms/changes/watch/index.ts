import type { Undo } from '../../../core/hooks/types.ts'
import { isHandlingRequest } from '../../../core/http/request-context.ts'
import { readPageUrl } from '../page-url.ts'
import type { Purger } from '../purger.ts'
import type { ChangeSource } from '../types.ts'
import type { SiteParts } from './site-parts.ts'
import { watchContent } from './watch-content.ts'
import { watchSite } from './watch-site.ts'

/** Valid cache tags. */
const TAG = /^[\w-]{1,60}$/

/** Extensions in JavaScript may pass anything. */
const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * Purges affected pages when content changes, unless the `purge_on_change` filter prevents it, and when an extension requests it.
 * @returns a function that stops its timer
 */
export function purgeOnChanges(site: SiteParts, purger: Purger): Undo {
  const { hooks, jobs, log, config } = site
  const isOn = (source: ChangeSource, name = '') => hooks.applyFilters('purge_on_change', true, source, name)
  const absolute = (paths: readonly string[]) => [...new Set(paths)].map((path) => config.url + path)

  const whole = watchSite(site, (reason, source, name, isExternal = false) => {
    if (isOn(source, name)) purger.site(reason, isExternal)
    // So that other processes notice that there are new settings.
    else if (!isExternal) purger.note(true)
  })
  watchContent(
    site,
    // Changes by editors during an import are purged immediately.
    () => (isHandlingRequest() || !whole.isImporting) && isOn('content'),
    ({ tags, paths }, reason, { mayShow = [], soft = false } = {}) =>
      purger.content({ tags: [...new Set(tags)], urls: absolute(paths), mayShow: absolute(mayShow), soft }, reason),
    (reason) => purger.site(reason),
  )

  // Pages that change over time.
  const purgeTag = (tag: string, reason: string, soft: boolean) => {
    if (!isOn('content')) return
    purger.note()
    purger.content({ tags: [tag], urls: [], mayShow: [], soft }, reason)
  }
  jobs.schedule('purge-day', '0 0 * * *', () => purgeTag('today', 'The date changed.', false))
  jobs.schedule('purge-feeds', 'twicedaily', () => purgeTag('feeds', 'External feeds may have changed.', true))

  hooks.addAction('purge_pages', ({ urls = [], tags = [], reason, soft }) => {
    const pages = urls.filter(isText).flatMap((url) => readPageUrl(url, config.url) ?? [])
    const named = tags.filter((tag) => isText(tag) && TAG.test(tag))
    if (pages.length < urls.length || named.length < tags.length)
      log.warn({ urls, tags }, 'invalid URLs or tags in purge_pages ignored')
    if (pages.length + named.length === 0) return
    const affected = { tags: named, urls: pages, mayShow: [], soft: soft === true }
    purger.note()
    purger.content(affected, isText(reason) ? reason : 'An extension requested it.')
  })
  return whole.stop
}
