/** Reports that the app was opened or installed. Visits in an ordinary tab are not tracked. */
import { call } from './api.browser.js'
import { displayMode, isApp } from './browser.browser.js'
import { isFirstInSession, recall, remember } from './storage.browser.js'

export async function reportUsage() {
  addEventListener('appinstalled', () => tell('install').catch(() => {}))
  navigator.clearAppBadge?.().catch(() => {})
  if (isApp() && isFirstInSession('open')) await tell('open')
}

/** If the browser cannot create or store an id, the server does. */
async function tell(event) {
  const known = recall('user')
  const pwaUserId = known ?? crypto.randomUUID?.()
  if (pwaUserId && !known) remember('user', pwaUserId)
  await call('PUT', 'pwa-users/upsert', {
    event,
    displayMode: displayMode(),
    ...(recall('user') && { pwaUserId: recall('user') }),
  })
}
