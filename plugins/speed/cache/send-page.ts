import {
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http'
import { makePrivate, type ReadyResponse, type RequestHead } from 'pentad'
import type { Encoding } from './encodings.ts'
import { type CacheState, cacheHeaders, type Page, type Variant } from './page.ts'

interface SendOptions {
  readonly state: CacheState
  readonly cacheStatus: string
  readonly accepted: readonly Encoding[]
}

/**
 * Sends a page, or 304 if the client already has it. `Range` is ignored (RFC 9110, 14.2).
 *
 * @param options.isOutdated whether a purge overtook the page: shared caches may have processed it already, so they must not store the page
 */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: Page,
  options: SendOptions & { readonly isOutdated?: boolean },
): void {
  const { state, cacheStatus, isOutdated = false } = options
  const variant = variantFor(page, options.accepted)
  const ofCache = cacheHeaders(state, cacheStatus)
  if (isOutdated) {
    const all = [...variant.headers, ...ofCache]
    for (let at = 0; at < all.length; at += 2) response.appendHeader(all[at] ?? '', all[at + 1] ?? '')
    makePrivate(response)
    response.writeHead(page.record.status).end(request.method === 'HEAD' ? undefined : variant.body)
    return
  }
  const status = statusFor(request, page, variant)
  response.writeHead(status, [...headersFor(status, variant), ...ofCache])
  response.end(hasBody(request, status) ? variant.body : undefined)
}

/** What `sendPage` would send, as bytes. */
export function toReadyResponse(
  request: RequestHead,
  page: Page,
  { state, cacheStatus, accepted }: SendOptions,
): ReadyResponse {
  const variant = variantFor(page, accepted)
  const status = statusFor(request, page, variant)
  const known = variant.heads.get(status)
  // The status also contains the state and the remaining lifetime, which changes once per second.
  const isCurrent = known?.cacheStatus === cacheStatus
  const head = isCurrent
    ? known.head
    : serializeHead(status, [...headersFor(status, variant), ...cacheHeaders(state, cacheStatus)])
  if (!isCurrent) variant.heads.set(status, { cacheStatus, head })
  return { status, head, body: hasBody(request, status) ? variant.body : undefined }
}

/** Whether the page is available in an encoding that the client accepts. */
export function hasVariant(page: Page, accepted: readonly Encoding[]): boolean {
  return accepted.some((encoding) => page.variants[encoding] !== undefined)
}

function variantFor({ variants, record }: Page, accepted: readonly Encoding[]): Variant {
  for (const encoding of accepted) {
    const variant = variants[encoding]
    if (variant) return variant
  }
  throw new Error(`${record.key} is not available in any of: ${accepted.join(', ')}`)
}

function statusFor({ headers }: RequestHead, { record }: Page, { etag }: Variant): number {
  return record.status === 200 && isKnown(headers, etag, record.lastModified) ? 304 : record.status
}

function headersFor(status: number, { headers, repeated }: Variant): readonly string[] {
  return status === 304 ? repeated : headers
}

function hasBody({ method }: RequestHead, status: number): boolean {
  return method !== 'HEAD' && status !== 304
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

/** @param headers alternating names and values */
function serializeHead(status: number, headers: readonly string[]): Buffer {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    validateHeaderName(name)
    validateHeaderValue(name, value)
    text += `${name}: ${value}\r\n`
  }
  return Buffer.from(text, 'latin1')
}
