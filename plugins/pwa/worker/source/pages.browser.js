/** The site without a network: visited pages, and one that stands for all others. */
import { registerRoute } from 'workbox-routing'
import { isShared } from './keepable.browser.js'
import { keepOfflinePage, offlinePage } from './offline-page.browser.js'
import { isPersonal, setPersonal } from './personal.browser.js'
import { chosen, files, network, networkFirst } from './strategies.browser.js'
import { visited } from './visited.browser.js'

const FILE_KINDS = new Set(['style', 'script', 'font', 'image'])

const asksNetwork = SETTINGS.strategy !== 'CacheFirst' && SETTINGS.strategy !== 'CacheOnly'

const isFile = ({ url, request }) =>
  SETTINGS.keepsFiles &&
  FILE_KINDS.has(request.destination) &&
  isShared(url) &&
  !request.headers.has('range') &&
  !request.headers.has('authorization')

/** A page that nobody else may see comes from the network, and so does the answer to whether there is one. */
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

/** A navigation that was preloaded is not asked for twice. */
async function answerFromNetwork(event) {
  try {
    return await network.handle({ request: event.request, event })
  } catch {
    return offlinePage()
  }
}

/** Also what another part of the worker keeps, and what the offline page needs. */
async function answerFile({ request, event }) {
  try {
    return await files.handle({ request, event })
  } catch (error) {
    const kept = await caches.match(request, { ignoreVary: true })
    if (kept) return kept
    throw error
  }
}

/** In each life of the worker, when a page is opened: before the routes, since who answers keeps others from listening. */
let isRefreshed = false
addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || isRefreshed) return
  isRefreshed = true
  event.waitUntil(keepOfflinePage().catch(() => {}))
})

registerRoute(({ request }) => request.mode === 'navigate', answerPage)
registerRoute(isFile, answerFile)

addEventListener('install', (event) => event.waitUntil(keepOfflinePage()))
addEventListener('activate', (event) => {
  const { navigationPreload } = registration
  event.waitUntil(Promise.resolve(asksNetwork ? navigationPreload?.enable() : navigationPreload?.disable()))
})

/** The page on which the worker came was loaded without it. */
addEventListener('message', (event) => {
  if (event.data?.type === 'pwa-visited') event.waitUntil(visited(event.data, event))
})
