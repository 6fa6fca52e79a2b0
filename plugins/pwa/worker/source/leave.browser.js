import { keepOnly } from './caches.browser.js'

/** Whether the worker was unregistered and must no longer cache anything. */
export const leaving = { now: false }

/** Unregisters the worker and deletes its caches. */
export async function leave() {
  leaving.now = true
  await registration.unregister()
  await keepOnly()
}
