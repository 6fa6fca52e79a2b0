/** Keeps pages and files that were not asked for through the worker. */
import { isShared } from './keepable.browser.js'
import { files, networkFirst } from './strategies.browser.js'

/** Most addresses of one page. */
const MOST = 100

/** @param addresses of a page and of what it has loaded */
export async function visited({ page, files: loaded }, event) {
  if (SETTINGS.strategy === 'NetworkOnly') return
  await Promise.all([
    fetchAs(networkFirst, [page], event),
    // Also where another part of the worker keeps files: it was not there yet either.
    fetchAs(files, loaded.slice(0, MOST), event),
  ])
}

/** As everybody gets it: without cookies. What can't be had is left out. */
export async function fetchAs(strategy, addresses, event) {
  const shared = addresses.map((address) => new URL(address, location.origin)).filter(isShared)
  await Promise.all(
    shared.map(async (url) => {
      url.hash = ''
      const request = new Request(url, { credentials: 'omit' })
      await Promise.all(strategy.handleAll({ request, event })).catch(() => {})
    }),
  )
}
