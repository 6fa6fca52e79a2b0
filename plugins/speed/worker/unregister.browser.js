/** Whether the worker is being removed: responses for open pages are no longer cached. */
export const leaving = { now: false }

/** Unregisters the worker and deletes its caches, but not those of others. */
export async function leave() {
  leaving.now = true
  await registration.unregister()
  const names = await caches.keys()
  await Promise.all(names.filter((name) => /^speed-(immutable|assets)$/.test(name)).map((name) => caches.delete(name)))
}
