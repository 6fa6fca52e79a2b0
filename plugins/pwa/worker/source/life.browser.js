/** How the worker comes, is replaced and goes. */
import { FILES, keepOnly, OFFLINE, PAGES, STATE } from './caches.browser.js'
import { leave } from './leave.browser.js'

/** A new worker waits until the last page of the old one is closed, or until a visitor says so. */
addEventListener('message', (event) => {
  if (event.data?.type === 'pwa-take-over') event.waitUntil(skipWaiting())
})

addEventListener('activate', (event) => {
  const inUse = SETTINGS.isOffline ? [PAGES, FILES, OFFLINE, STATE] : [STATE]
  event.waitUntil(Promise.all([clients.claim(), keepOnly(...inUse)]))
})

/** Asked once in each life of the worker, when a page is opened. */
let isAsked = false

addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || isAsked) return
  isAsked = true
  event.waitUntil(leaveIfGone())
})

/** A browser keeps a worker whose file is gone. Ours is gone once the plugin is switched off. */
async function leaveIfGone() {
  const answer = await fetch(SETTINGS.path, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (answer?.status === 404 || answer?.status === 410) await leave()
}
