/** Lifecycle of the worker. */
import { FILES, keepOnly, OFFLINE, PAGES, STATE } from './caches.browser.js'
import { unregister } from './unregister.browser.js'

/** A new worker waits until all pages of the old one are closed or the visitor confirms the update. */
addEventListener('message', (event) => {
  if (event.data?.type === 'pwa-take-over') event.waitUntil(skipWaiting())
})

addEventListener('activate', (event) => {
  const inUse = SETTINGS.isOffline ? [PAGES, FILES, OFFLINE, STATE] : [STATE]
  event.waitUntil(Promise.all([clients.claim(), keepOnly(...inUse)]))
})

/** Checked once per worker start, when a page is opened. */
let isAsked = false

addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || isAsked) return
  isAsked = true
  event.waitUntil(unregisterIfGone())
})

/** Browsers keep a worker whose file no longer exists. Ours is deleted when the plugin is deactivated. */
async function unregisterIfGone() {
  const response = await fetch(SETTINGS.path, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (response?.status === 404 || response?.status === 410) await unregister()
}
