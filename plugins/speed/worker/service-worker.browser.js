/** The service worker: takes control immediately, and unregisters itself when the site no longer has it. */
import './assets.browser.js'
import { leave } from './unregister.browser.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))

/** Checked once per worker lifetime, on the first navigation. */
let isChecked = false

addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || isChecked) return
  isChecked = true
  event.waitUntil(leaveIfGone())
})

/** Browsers keep a worker whose file no longer exists, as when the service was deactivated. */
async function leaveIfGone() {
  const response = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (response?.status === 404 || response?.status === 410) await leave()
}
