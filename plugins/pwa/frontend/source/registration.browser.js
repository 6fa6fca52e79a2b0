/** Registers the service worker, lets visitors say when a new one takes over, and removes it when there is none. */
import { keepOnly } from '../../worker/source/caches.browser.js'
import { isFirst } from './memory.browser.js'
import { settings, texts } from './settings.browser.js'
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
  if (isNew) await tellVisited()
  if (settings.periodicSync) await allowPeriodicSync(registration)
}

/** The worker that is in the file now removes itself; where another one takes the scope, ours leaves its caches. */
export async function tidyUp() {
  const registration = await navigator.serviceWorker?.getRegistration('/')
  if (!registration?.active?.scriptURL.endsWith('/pwa/scripts/serviceworker.js')) return keepOnly()
  navigator.serviceWorker.addEventListener('controllerchange', () => keepOnly())
  await registration.update()
}

/** So that it takes nothing from the page. */
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

/** Only this page is loaded anew, because its visitor said so, and not if that would lose what stands in a form. */
function takeOver(worker) {
  const useIt = () => {
    if (hasUnsaved()) toast(texts.updated)
    else location.reload()
  }
  // The visitor said so in another window before.
  if (worker.state !== 'installed') return useIt()
  worker.addEventListener('statechange', () => {
    if (worker.state === 'activated') useIt()
  })
  worker.postMessage({ type: 'pwa-take-over' })
}

/** This page and its files came before the worker. */
async function tellVisited() {
  const { active } = await navigator.serviceWorker.ready
  const files = performance
    .getEntriesByType('resource')
    .filter(({ initiatorType }) => ['link', 'css', 'script', 'img'].includes(initiatorType))
    .map(({ name }) => name)
  active?.postMessage({ type: 'pwa-visited', page: location.href, files })
}

/** Browsers allow it to apps that are used. */
async function allowPeriodicSync({ periodicSync }) {
  if (!periodicSync || !isFirst('periodic-sync')) return
  const { state } = await navigator.permissions.query({ name: 'periodic-background-sync' })
  if (state === 'granted') await periodicSync.register('pwa-refresh', { minInterval: DAY })
}
