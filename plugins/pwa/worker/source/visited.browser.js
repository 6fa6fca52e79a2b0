/** Caches pages and files that were not loaded through the worker. */
import { isShared } from './cacheable.browser.js'
import { files, networkFirst } from './strategies.browser.js'

/** Maximum files per page. */
const MOST = 100

/** Caches a page and the files that it loaded. */
export async function visited({ page, files: loaded }, event) {
  if (SETTINGS.strategy === 'NetworkOnly') return
  await Promise.all([
    fetchAs(networkFirst, [page], event),
    // Also if other code of the worker caches files, since it was not active either.
    fetchAs(files, loaded.slice(0, MOST), event),
  ])
}

/** Fetches URLs without cookies. Errors are ignored. */
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
