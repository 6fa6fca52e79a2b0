/**
 * The performance service's part of a service worker: caches style sheets, scripts, fonts and images of this site. Used
 * in its own worker or included in another one that controls the scope.
 */
import { CacheableResponsePlugin } from 'workbox-cacheable-response'
import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { CacheFirst, StaleWhileRevalidate } from 'workbox-strategies'
import { leaving } from './unregister.browser.js'

const DAY = 24 * 60 * 60

const ASSETS = new Set(['style', 'script', 'font', 'image'])

/** Paths that are never cached: REST, admin, login and MCP. */
const OURS = /^\/(?!wp-json(\/|$)|wp-admin(\/|$)|wp-login\.php|mcp(\/|$))/

const isAsset = ({ url, request, sameOrigin }) =>
  sameOrigin &&
  !leaving.now &&
  request.method === 'GET' &&
  ASSETS.has(request.destination) &&
  OURS.test(url.pathname) &&
  !url.searchParams.has('rest_route') &&
  !request.headers.has('range') &&
  !request.headers.has('authorization')

/** Immutable URLs: a hash in the name or a version in the query. */
const isImmutable = ({ pathname, searchParams }) =>
  /[.-](?=[a-z]*\d)[0-9a-z_-]{8,}\.\w+$/i.test(pathname) || searchParams.has('ver')

/** Excludes responses with `no-store` or `private`, and HTML such as error pages. */
const wanted = {
  cacheWillUpdate: async ({ response }) => {
    const control = response.headers.get('cache-control') ?? ''
    const type = response.headers.get('content-type') ?? ''
    const isCacheable =
      !leaving.now && response.type === 'basic' && !/no-store|private/i.test(control) && !/html/i.test(type)
    return isCacheable ? response : null
  },
  // Another part of the worker may have cached it, such as the offline page.
  handlerDidError: ({ request }) => caches.match(request, { ignoreVary: true }),
}

const plugins = (maxEntries, days) => [
  new CacheableResponsePlugin({ statuses: [200] }),
  wanted,
  new ExpirationPlugin({ maxEntries, maxAgeSeconds: days * DAY, purgeOnQuotaError: true }),
]

registerRoute(
  (asked) => isAsset(asked) && isImmutable(asked.url),
  new CacheFirst({ cacheName: 'speed-immutable', plugins: plugins(150, 30) }),
)
registerRoute(isAsset, new StaleWhileRevalidate({ cacheName: 'speed-assets', plugins: plugins(100, 7) }))

addEventListener('install', (event) => {
  // Reports sent while a page unloads would often be lost in a worker, so they bypass it. Browsers without static
  // routing are unaffected.
  const reports = { requestMethod: 'POST', urlPattern: { pathname: '/*/speed/v1/web-vitals/report' } }
  event.addRoutes?.({ condition: reports, source: 'network' }).catch(() => {})
})
