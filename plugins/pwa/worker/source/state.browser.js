/** The few things that the worker and the pages remember together. A worker is ended whenever it has nothing to do. */
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
