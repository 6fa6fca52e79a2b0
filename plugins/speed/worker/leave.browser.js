/** Whether the worker is on its way out: what it still fetches for an open page is kept no more. */
export const leaving = { now: false }

/** Removes the worker and what it has kept. Caches of others stay. */
export async function leave() {
  leaving.now = true
  await registration.unregister()
  const names = await caches.keys()
  await Promise.all(names.filter((name) => /^speed-(immutable|assets)$/.test(name)).map((name) => caches.delete(name)))
}
