/** The caches of this worker; those of others on the site are none of its business. */
export const PAGES = 'pwa-pages'
export const FILES = 'pwa-files'
export const OFFLINE = 'pwa-offline'
export const STATE = 'pwa-state'

/** Removes all of ours but these. */
export async function keepOnly(...names) {
  const others = [PAGES, FILES, OFFLINE, STATE].filter((name) => !names.includes(name))
  await Promise.all(others.map((name) => caches.delete(name)))
}
