/** Registers the service worker, offers updates, and unregisters the worker when it is no longer needed. */
import { keepOnly } from '../../worker/source/caches.browser.js'
import { settings, texts } from './settings.browser.js'
import { isFirstInSession } from './storage.browser.js'
import { notice, toast } from './surface.browser.js'
import { hasUnsaved } from './unsaved.browser.js'

const DAY = 86_400_000

export async function register() {
  if (!navigator.serviceWorker) return
  await loaded()
  const isNew = !navigator.serviceWorker.controller
  const registration = await navigator.serviceWorker.register(settings.worker, { scope: '/', updateViaCache: 'none' })
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data?.type === 'pwa-form-sent') toast(texts.formSent)
  })
  offerUpdates(registration)
  if (isNew) await reportVisited()
  if (settings.periodicSync) await allowPeriodicSync(registration)
}

/**
 * The current file contains a self-destroying worker. If another worker took over the scope, only our caches are
 * deleted.
 */
export async function unregister() {
  const registration = await navigator.serviceWorker?.getRegistration('/')
  if (!registration?.active?.scriptURL.endsWith('/pwa/scripts/serviceworker.js')) return keepOnly()
  navigator.serviceWorker.addEventListener('controllerchange', () => keepOnly())
  await registration.update()
}

/** Registering must not compete with loading the page. */
const loaded = () =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve()
    else addEventListener('load', () => resolve(), { once: true })
  })

function offerUpdates(registration) {
  const offered = new WeakSet()
  const offer = () => {
    const { waiting, active } = registration
    if (!waiting || !active || offered.has(waiting)) return
    offered.add(waiting)
    notice(texts.updateText, [[texts.update, () => takeOver(waiting)]])
  }
  offer()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offer)
  })
}

/** Reloads only this page, and only if no form input would be lost. */
function takeOver(worker) {
  const useIt = () => {
    if (hasUnsaved()) toast(texts.updated)
    else location.reload()
  }
  // Already confirmed in another window.
  if (worker.state !== 'installed') return useIt()
  worker.addEventListener('statechange', () => {
    if (worker.state === 'activated') useIt()
  })
  worker.postMessage({ type: 'pwa-take-over' })
}

/** This page and its files were loaded before the worker was active. */
async function reportVisited() {
  const { active } = await navigator.serviceWorker.ready
  const files = performance
    .getEntriesByType('resource')
    .filter(({ initiatorType }) => ['link', 'css', 'script', 'img'].includes(initiatorType))
    .map(({ name }) => name)
  active?.postMessage({ type: 'pwa-visited', page: location.href, files })
}

/** Browsers grant it only to installed apps that are used. */
async function allowPeriodicSync({ periodicSync }) {
  if (!periodicSync || !isFirstInSession('periodic-sync')) return
  const { state } = await navigator.permissions.query({ name: 'periodic-background-sync' })
  if (state === 'granted') await periodicSync.register('pwa-refresh', { minInterval: DAY })
}
