import type { ServerResponse } from 'node:http'

/** Headers that allow caches in front of the site to store a response, and tag it for purging. */
const SHARED_CACHE_HEADERS =
  /^(?:surrogate-(?:key|control)|cache-(?:tags?|groups)|(?:.+-)?cdn-cache-control|edge-.+|x-accel-expires|xkey|expires)$/

/** Makes a response private: no shared cache may store it (RFC 9111, 5.2.2). Overrides headers set before. */
export function makePrivate(response: ServerResponse): void {
  if (response.headersSent) return
  for (const name of response.getHeaderNames()) if (SHARED_CACHE_HEADERS.test(name)) response.removeHeader(name)
  response.setHeader('Cache-Control', 'private, no-store')
}
