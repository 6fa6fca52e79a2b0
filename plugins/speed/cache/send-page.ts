import type { IncomingMessage, ServerResponse } from 'node:http'
import { makePrivate } from 'pentad'
import type { Encoding } from './encodings.ts'
import { type CacheState, cacheHeaders, type Page } from './page.ts'

/**
 * Sends a page, or 304 if the client already has it. `Range` is ignored (RFC 9110, 14.2).
 *
 * @param options.isOutdated whether a purge overtook the page: shared caches may have processed it already, so they must not store the page
 */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: Page,
  options: { state: CacheState; cacheStatus: string; accepted: readonly Encoding[]; isOutdated?: boolean },
): void {
  const { state, cacheStatus, accepted, isOutdated = false } = options
  const variant = variantFor(page, accepted)
  const { status, lastModified } = page.record
  if (isOutdated) {
    const all = [...variant.headers, ...cacheHeaders(state, cacheStatus)]
    for (let at = 0; at < all.length; at += 2) response.appendHeader(all[at] ?? '', all[at + 1] ?? '')
    makePrivate(response)
    response.writeHead(status).end(request.method === 'HEAD' ? undefined : variant.body)
    return
  }
  if (status === 200 && isKnown(request.headers, variant.etag, lastModified)) {
    response.writeHead(304, notModified(variant.headers, cacheHeaders(state, cacheStatus))).end()
    return
  }
  if (state === 'HIT') variant.hit[variant.hit.length - 1] = cacheStatus
  response.writeHead(status, state === 'HIT' ? variant.hit : [...variant.headers, ...cacheHeaders(state, cacheStatus)])
  if (request.method === 'HEAD') response.end()
  else response.end(variant.body)
}

/** Whether the page is available in an encoding that the client accepts. */
export function hasVariant(page: Page, accepted: readonly Encoding[]): boolean {
  return accepted.some((encoding) => page.variants[encoding] !== undefined)
}

function variantFor({ variants, record }: Page, accepted: readonly Encoding[]) {
  for (const encoding of accepted) {
    const variant = variants[encoding]
    if (variant) return variant
  }
  throw new Error(`${record.key} is not available in any of: ${accepted.join(', ')}`)
}

/** RFC 9110, 13.2.2: `If-Modified-Since` counts only without `If-None-Match`. */
function isKnown(headers: IncomingMessage['headers'], etag: string, lastModified: string | null): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) {
    // Weak comparison (RFC 9110, 8.8.3.2).
    return tags.trim() === '*' || (tags.match(/"[^"]*"/g)?.includes(etag) ?? false)
  }
  const since = headers['if-modified-since']
  if (since === undefined || lastModified === null) return false
  return since === lastModified || Date.parse(since) >= Date.parse(lastModified)
}

/** Headers that a 304 must repeat (RFC 9110, 15.4.5). */
const REPEATED = new Set([
  ...['cache-control', 'etag', 'vary', 'last-modified', 'surrogate-key', 'cache-tag', 'cache-groups'],
  // For caches in front of the site.
  ...['cdn-cache-control', 'cloudflare-cdn-cache-control', 'surrogate-control', 'edge-control', 'x-accel-expires'],
])

function notModified(headers: readonly string[], ofCache: readonly string[]): string[] {
  const repeated = headers.filter((_, at) => REPEATED.has((headers[at - (at % 2)] ?? '').toLowerCase()))
  return [...repeated, ...ofCache]
}
