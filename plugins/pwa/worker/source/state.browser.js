/** State shared by the worker and pages. Persistent, since browsers stop idle workers. */
import { STATE } from './caches.browser.js'

const addressOf = (name) => `/.pwa/${name}`

export async function read(name) {
  const kept = await (await caches.open(STATE)).match(addressOf(name))
  return kept?.json()
}

export async function write(name, value) {
  const cache = await caches.open(STATE)
  if (value === undefined) await cache.delete(addressOf(name))
  else await cache.put(addressOf(name), new Response(JSON.stringify(value)))
}
