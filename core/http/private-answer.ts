import type { ServerResponse } from 'node:http'

/** By these headers caches in front of the site are told that they may store an answer, and what purges it. */
const FOR_SHARED_CACHES =
  /^(?:surrogate-(?:key|control)|cache-tags?|(?:.+-)?cdn-cache-control|edge-.+|x-accel-expires|xkey|expires)$/

/** Makes an answer one reader's: no cache on the way may store it (RFC 9111, 5.2.2), whatever it said before. */
export function keepFromCaches(response: ServerResponse): void {
  if (response.headersSent) return
  for (const name of response.getHeaderNames()) if (FOR_SHARED_CACHES.test(name)) response.removeHeader(name)
  response.setHeader('Cache-Control', 'private, no-store')
}
