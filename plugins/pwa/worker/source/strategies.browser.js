/** Cache strategies for pages and files. */
import { ExpirationPlugin } from 'workbox-expiration'
import { CacheFirst, CacheOnly, NetworkFirst, NetworkOnly, StaleWhileRevalidate } from 'workbox-strategies'
import { isCacheable, isPublic, isShared } from './cacheable.browser.js'
import { FILES, PAGES } from './caches.browser.js'
import { setPersonal } from './personal.browser.js'

const STRATEGIES = { CacheFirst, CacheOnly, NetworkFirst, NetworkOnly, StaleWhileRevalidate }

const DAY = 24 * 60 * 60

/** Network timeout in seconds before a cached page is used. */
const PATIENCE = 5

const expiring = (maxEntries) =>
  new ExpirationPlugin({ maxEntries, maxAgeSeconds: SETTINGS.days * DAY, purgeOnQuotaError: true })

const cachePages = {
  async cacheWillUpdate({ request, response }) {
    if (response.status === 200) await setPersonal(!isPublic(response))
    return isShared(new URL(request.url)) && isCacheable(response, true) ? response : null
  },
}

const cacheFiles = { cacheWillUpdate: async ({ response }) => (isCacheable(response, false) ? response : null) }

const asKept = { matchOptions: { ignoreVary: true } }
const pages = { cacheName: PAGES, ...asKept, plugins: [cachePages, expiring(100)] }

export const network = new NetworkOnly()
export const networkFirst = new NetworkFirst(pages)
export const chosen = new STRATEGIES[SETTINGS.strategy]({ ...pages, networkTimeoutSeconds: PATIENCE })
export const files = new (SETTINGS.strategy === 'NetworkOnly' ? NetworkOnly : StaleWhileRevalidate)({
  cacheName: FILES,
  ...asKept,
  plugins: [cacheFiles, expiring(200)],
})
