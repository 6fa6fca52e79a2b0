/** Offline cache of pages and files. */
import { registerRoute } from 'workbox-routing'
import { isShared } from './cacheable.browser.js'
import { cacheOfflinePage, offlinePage } from './offline-page.browser.js'
import { isPersonal, setPersonal } from './personal.browser.js'
import { chosen, files, network, networkFirst } from './strategies.browser.js'
import { visited } from './visited.browser.js'

const FILE_KINDS = new Set(['style', 'script', 'font', 'image'])

const asksNetwork = SETTINGS.strategy !== 'CacheFirst' && SETTINGS.strategy !== 'CacheOnly'

const isFile = ({ url, request }) =>
  SETTINGS.handlesFiles &&
  FILE_KINDS.has(request.destination) &&
  isShared(url) &&
  !request.headers.has('range') &&
  !request.headers.has('authorization')

/** Personal pages always come from the network. */
async function answerPage({ request, event, url }) {
  if (!isShared(url)) {
    await setPersonal(true)
    return answerFromNetwork(event)
  }
  try {
    return await ((await isPersonal()) ? networkFirst : chosen).handle({ request, event })
  } catch {
    return SETTINGS.strategy === 'CacheOnly' ? answerFromNetwork(event) : offlinePage()
  }
}

/** Uses the navigation preload if available. */
async function answerFromNetwork(event) {
  try {
    return await network.handle({ request: event.request, event })
  } catch {
    return offlinePage()
  }
}

/** Falls back to all caches, including those of other code and of the offline page. */
async function answerFile({ request, event }) {
  try {
    return await files.handle({ request, event })
  } catch (error) {
    const kept = await caches.match(request, { ignoreVary: true })
    if (kept) return kept
    throw error
  }
}

/** Once per worker start, when a page is opened. Registered before the routes, which stop other listeners. */
let isRefreshed = false
addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || isRefreshed) return
  isRefreshed = true
  event.waitUntil(cacheOfflinePage().catch(() => {}))
})

registerRoute(({ request }) => request.mode === 'navigate', answerPage)
registerRoute(isFile, answerFile)

addEventListener('install', (event) => event.waitUntil(cacheOfflinePage()))
addEventListener('activate', (event) => {
  const { navigationPreload } = registration
  event.waitUntil(Promise.resolve(asksNetwork ? navigationPreload?.enable() : navigationPreload?.disable()))
})

/** The page that registered the worker was loaded without it. */
addEventListener('message', (event) => {
  if (event.data?.type === 'pwa-visited') event.waitUntil(visited(event.data, event))
})
