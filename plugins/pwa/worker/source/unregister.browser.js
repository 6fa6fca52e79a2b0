import { keepOnly } from './caches.browser.js'

/** Whether the worker was unregistered and must no longer cache anything. */
export const unregistered = { now: false }

/** Unregisters the worker and deletes its caches. */
export async function unregister() {
  unregistered.now = true
  await registration.unregister()
  await keepOnly()
}
