/** Lifecycle of the worker. */
import { FILES, keepOnly, OFFLINE, PAGES, STATE } from './caches.browser.js'
import { unregister } from './unregister.browser.js'

/**
 * A new worker replaces the old one without a prompt. Open pages keep what they have loaded: pages and files are cached as
 * they are requested, so no version of a page depends on a version of the worker.
 */
addEventListener('install', () => skipWaiting())

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
