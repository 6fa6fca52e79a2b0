/** Caches of this worker. */
export const PAGES = 'pwa-pages'
export const FILES = 'pwa-files'
export const OFFLINE = 'pwa-offline'
export const STATE = 'pwa-state'

/** Deletes all caches of this worker except these. */
export async function keepOnly(...names) {
  const others = [PAGES, FILES, OFFLINE, STATE].filter((name) => !names.includes(name))
  await Promise.all(others.map((name) => caches.delete(name)))
}
