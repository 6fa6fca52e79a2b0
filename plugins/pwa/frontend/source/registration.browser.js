/** Registers the service worker, and unregisters the worker when it is no longer needed. */
import { keepOnly } from '../../worker/source/caches.browser.js'
import { settings, texts } from './settings.browser.js'
import { isFirstInSession } from './storage.browser.js'
import { toast } from './surface.browser.js'

const DAY = 86_400_000

export async function register() {
  if (!navigator.serviceWorker) return
  await loaded()
  const isNew = !navigator.serviceWorker.controller
  const registration = await navigator.serviceWorker.register(settings.worker, { scope: '/', updateViaCache: 'none' })
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (data?.type === 'pwa-form-sent') toast(texts.formSent)
  })
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
