/** Our own service worker: takes over at once, and goes by itself when the site no longer has it. */
import './assets.browser.js'
import { leave } from './leave.browser.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))

/** Asked once in each life of the worker, when a page is opened. */
let isAsked = false

addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate' || isAsked) return
  isAsked = true
  event.waitUntil(leaveIfGone())
})

/** A browser keeps a worker whose file is gone. Ours is gone when the plugin was switched off. */
async function leaveIfGone() {
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (answer?.status === 404 || answer?.status === 410) await leave()
}
