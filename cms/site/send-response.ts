import { hash } from 'node:crypto'
import type Koa from 'koa'
import type { PageContext, PageResponse } from './types.ts'

/**
 * `Cache-Control` of a page. Public pages must be revalidated (the page cache of the performance service knows when
 * they change) and get a 304 by `ETag`; pages that vary by user are not stored.
 */
export function cacheControl(page: PageContext): string {
  const isPersonal =
    page.user !== null ||
    page.preview ||
    page.request.query.has('moderation-hash') ||
    (page.post !== undefined && page.post.password !== '')
  return isPersonal ? 'private, no-store' : 'public, max-age=0, must-revalidate'
}

/** Text as it is sent, and the value of its weak `ETag`. */
export interface EncodedText {
  /** Must not be changed. */
  readonly body: Buffer
  readonly etag: string
}

/** Encodes a text once, for its hash, length, and the socket. */
export function encodeText(text: string): EncodedText {
  const body = Buffer.from(text, 'utf8')
  return { body, etag: `W/"${hash('sha1', body, 'base64url')}"` }
}

/** Sends text with its `ETag`, or a 304. */
export function sendText(
  context: Koa.Context,
  status: number,
  headers: Readonly<Record<string, string>>,
  { body, etag }: EncodedText,
) {
  const { req, res } = context
  context.status = status
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  if (status === 200 && !headers['Cache-Control']?.includes('no-store')) {
    res.setHeader('ETag', etag)
    const isConditional = (req.headers['if-none-match'] ?? req.headers['if-modified-since']) !== undefined
    // Koa copies all headers to find out.
    if (isConditional && context.fresh) {
      context.status = 304
      return
    }
  }
  context.body = body
}

/** Sends the response of an extension instead of a page. */
export function sendResponse(context: Koa.Context, { status = 200, headers = {}, body = '' }: PageResponse): void {
  context.status = status
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  if (!named && typeof body === 'string') context.type = 'html'
  context.body = body
  context.set({ ...headers })
}

/**
 * Cache headers for the response of an extension: responses with a cookie are never cached, and responses for signed-in
 * users only if the extension allows it.
 */
export function limitCaching(response: PageResponse, { user }: Pick<PageContext, 'user'>): PageResponse {
  const entries = Object.entries(response.headers ?? {})
  const names = new Set(entries.map(([name]) => name.toLowerCase()))
  const isPersonal = names.has('set-cookie') || (user !== null && !names.has('cache-control'))
  if (!isPersonal) return response
  const others = entries.filter(([name]) => name.toLowerCase() !== 'cache-control')
  return { ...response, headers: { ...Object.fromEntries(others), 'Cache-Control': 'private, no-store' } }
}
