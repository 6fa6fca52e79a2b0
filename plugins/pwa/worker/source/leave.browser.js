import { keepOnly } from './caches.browser.js'

/** Whether the worker is on its way out: what it still fetches for an open page is kept no more. */
export const leaving = { now: false }

/** Removes the worker and what it has kept. */
export async function leave() {
  leaving.now = true
  await registration.unregister()
  await keepOnly()
}
