/** Periodic background sync: refreshes cached pages while the app is closed. */
import { PAGES } from './caches.browser.js'
import { cacheOfflinePage } from './offline-page.browser.js'
import { networkFirst } from './strategies.browser.js'
import { fetchAs } from './visited.browser.js'

/** Maximum pages per run, to save data and battery. */
const MOST = 20

addEventListener('periodicsync', (event) => {
  if (event.tag === 'pwa-refresh') event.waitUntil(refresh(event))
})

async function refresh(event) {
  await cacheOfflinePage()
  const kept = await (await caches.open(PAGES)).keys()
  const addresses = kept.slice(-MOST).map(({ url }) => url)
  if (SETTINGS.strategy !== 'NetworkOnly') await fetchAs(networkFirst, [SETTINGS.startPath, ...addresses], event)
}
