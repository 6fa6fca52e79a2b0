/**
 * The performance service's part of a service worker: keeps style sheets, scripts, fonts and images of this site, and
 * nothing else. Stands alone in our own worker, or in the worker of whoever has the scope.
 */
import { CacheableResponsePlugin } from 'workbox-cacheable-response'
import { ExpirationPlugin } from 'workbox-expiration'
import { registerRoute } from 'workbox-routing'
import { CacheFirst, StaleWhileRevalidate } from 'workbox-strategies'
import { leaving } from './leave.browser.js'

const DAY = 24 * 60 * 60

const ASSETS = new Set(['style', 'script', 'font', 'image'])

/** Pages, programs and whatever depends on who asks are never ours, also where they answer with an image. */
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

/** The address changes with the content: a hash in the name, or a version in the query. */
const isImmutable = ({ pathname, searchParams }) =>
  /[.-](?=[a-z]*\d)[0-9a-z_-]{8,}\.\w+$/i.test(pathname) || searchParams.has('ver')

/** What the server wants kept by nobody, or is no asset at all, such as a page that says that there is none. */
const wanted = {
  cacheWillUpdate: async ({ response }) => {
    const control = response.headers.get('cache-control') ?? ''
    const type = response.headers.get('content-type') ?? ''
    const isKept =
      !leaving.now && response.type === 'basic' && !/no-store|private/i.test(control) && !/html/i.test(type)
    return isKept ? response : null
  },
  // Another part of the worker may keep it, such as what a page for offline needs.
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
  // A report that is sent as its page goes would often be lost on the way through a worker: it does not come here.
  // Browsers that know no such routes go on as before.
  const reports = { requestMethod: 'POST', urlPattern: { pathname: '/*/speed/v1/web-vitals/report' } }
  event.addRoutes?.({ condition: reports, source: 'network' }).catch(() => {})
})
