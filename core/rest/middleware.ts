import { finished, Readable } from 'node:stream'
import type Koa from 'koa'
import type { CoreAuth } from '../auth/types.ts'
import { type RestError, toError } from '../errors.ts'
import { currentRequest } from '../http/request-context.ts'
import type { Aliases } from './aliases.ts'
import { readBody } from './body.ts'
import { ALLOWED_HEADERS, corsHeaders, EXPOSED_HEADERS } from './cors.ts'
import type { Dispatcher } from './dispatch.ts'
import { toResponse } from './errors.ts'
import type { RestFeatures } from './features.ts'
import { METHODS } from './registry.ts'
import { isRaw, jsonBody, type RestResponse, toJson } from './response.ts'
import { type DispatchResult, decodePath, type RestCall } from './rest-call.ts'
import type { Method } from './types.ts'
import '../http/request.ts'

const ROOT = '/wp-json'
/** Maximum size of a form that is searched for a nonce, in bytes. */
const NONCE_FORM_LIMIT = 1024 * 1024
const JSON_CONTENT = 'application/json; charset=UTF-8'

/** Handles everything under `/wp-json` and `/?rest_route=/…`, and the aliases of routes; other requests go to the next middleware. */
export function createMiddleware(parts: {
  dispatcher: Dispatcher
  auth: CoreAuth
  siteUrl: string
  corsOrigins: () => readonly string[]
  aliases: Pick<Aliases, 'find'>
  features: Partial<RestFeatures>
  closed: () => RestError | null
}): Koa.Middleware {
  const { dispatcher, auth, siteUrl, corsOrigins, aliases, features, closed } = parts
  const commonHeaders = Object.entries({
    'Content-Type': JSON_CONTENT,
    'X-Robots-Tag': 'noindex',
    Link: `<${siteUrl}${ROOT}/>; rel="https://api.w.org/"`,
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    'Access-Control-Allow-Headers': ALLOWED_HEADERS,
    'Cache-Control': 'no-store',
    Vary: 'Origin',
  })

  function callOf(context: Koa.Context, path: string): RestCall {
    const { req, state } = context
    const { headers } = req
    const search = context.querystring
    const method = methodOf(context)
    return {
      method: method ?? 'GET',
      // No route has an unknown method.
      segments: method && decodePath(path),
      search,
      headers,
      stream: req,
      clientAddress: state.clientAddress,
      requestId: state.requestId,
      signal: state.signal,
      async identify({ readsBody }) {
        const nonce =
          nonceOf(headers['x-wp-nonce'], search) ?? (readsBody ? await nonceOfForm(context, auth) : undefined)
        const identity = await auth.identifyRest({
          cookie: headers.cookie,
          authorization: headers.authorization,
          nonce,
          address: state.clientAddress,
        })
        currentRequest()?.identify(identity)
        return identity
      },
      readBody: (limit) => readBody(context, limit, features.readMultipart),
      readUpload(rule, bodyLimit) {
        if (!features.readUpload) throw new Error('This host does not accept uploads.')
        return features.readUpload(context, rule, bodyLimit)
      },
    }
  }

  async function handle(context: Koa.Context, path: string): Promise<void> {
    const unavailable = closed()
    const result = unavailable ? resultOf(unavailable) : await dispatcher.dispatch(callOf(context, path))
    const { res } = context
    for (const [name, value] of commonHeaders) res.setHeader(name, value)
    const cors = corsHeaders(context.req.headers.origin, siteUrl, corsOrigins)
    if (cors) context.set(cors)
    if (result.identity?.freshNonce) res.setHeader('X-WP-Nonce', result.identity.freshNonce)

    const wrapped = features.wrap?.(result)
    if (!wrapped && result.allow !== '') res.setHeader('Allow', result.allow)
    await send(context, result, wrapped ?? result.response)
  }

  async function send(context: Koa.Context, result: DispatchResult, response: RestResponse): Promise<void> {
    try {
      const content = isRaw(response) ? response.body : toJson(response.body)
      if (content instanceof Readable) await result.startStream(() => firstBytes(content, context))
      context.status = response.status
      setHeaders(context, response)
      if (content instanceof Readable) followStream(context, content, result)
      context.body = content
    } catch (error) {
      // A body that JSON cannot represent (circular, a BigInt), an invalid status or header, or a stream that failed before its first byte.
      jsonBody(response)
      const failed = result.fail(error)
      context.res.setHeader('Content-Type', JSON_CONTENT)
      context.status = failed.status
      context.body = JSON.stringify(failed.body)
    }
  }

  return (context, next) => {
    const path = restPath(context) ?? aliases.find(context.path)
    return path === undefined ? next() : handle(context, path)
  }
}

/** Responds to every request while the site is closed. */
function resultOf(error: RestError): DispatchResult {
  const response = toResponse(error)
  const startStream = (work: () => Promise<void>) => work()
  return { response, allow: '', identity: null, query: {}, fail: () => response, startStream, onStreamError: () => {} }
}

/**
 * Resolves once a stream has its first bytes, or the client has disconnected. Until then no headers are sent, so that a stream that
 * fails immediately becomes an error response. The stream of a HEAD request is not read.
 *
 * @throws the error of the stream
 */
async function firstBytes(stream: Readable, { method, state }: Koa.Context): Promise<void> {
  if (method === 'HEAD' && !stream.destroyed) return
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const ignore = finished(stream, { writable: false }, (error) => (error ? reject(error) : resolve()))
  const finish = () => resolve()
  stream.once('readable', finish)
  state.signal.addEventListener('abort', finish, { once: true })
  try {
    await promise
  } finally {
    ignore()
    stream.off('readable', finish)
    state.signal.removeEventListener('abort', finish)
  }
}

/** Reports to the route's owner that a stream failed while it was being sent, once, unless the client disconnected first. */
function followStream({ req, res, state }: Koa.Context, stream: Readable, result: DispatchResult): void {
  const { socket } = req
  let isReported = false
  state.onStreamError = (error) => {
    // If the stream itself failed, the response is destroyed with its error.
    const hasClientLeft = socket.errored !== null || (state.signal.aborted && socket.readableEnded)
    // For a HEAD request the stream is closed unread.
    if (isReported || (res.errored === null && (hasClientLeft || res.writableEnded))) return
    isReported = true
    result.onStreamError(error)
  }
  finished(stream, { writable: false }, (error) => {
    if (error) state.onStreamError?.(toError(error))
  })
}

/** The path of a request relative to the REST root, still percent-encoded; `undefined` for other requests. */
export function restPath({ path, querystring }: { path: string; querystring: string }): string | undefined {
  if (path.startsWith(ROOT)) {
    if (path.length === ROOT.length) return '/'
    return path[ROOT.length] === '/' ? path.slice(ROOT.length) : undefined
  }
  if (path !== '/' && path !== '/index.php') return undefined
  if (!querystring.includes('rest_route=')) return undefined
  const route = new URLSearchParams(querystring).get('rest_route')
  // The query string was already decoded; as a path it must be encoded again.
  return route ? route.split('/').map(encodeURIComponent).join('/') : undefined
}

function nonceOf(header: string | string[] | undefined, search: string): string | undefined {
  if (typeof header === 'string') return header
  return search.includes('_wpnonce=') ? (new URLSearchParams(search).get('_wpnonce') ?? undefined) : undefined
}

/**
 * The `_wpnonce` field of a form, which WordPress accepts too. The body is read before the caller is known, so only if the request
 * has a session cookie, and only up to a small size.
 */
async function nonceOfForm(context: Koa.Context, auth: CoreAuth): Promise<string | undefined> {
  const { headers } = context.req
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (headers.cookie === undefined || headers.authorization !== undefined || length > NONCE_FORM_LIMIT) return undefined
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')) return undefined
  const { user } = await auth.identifyPage({ cookie: headers.cookie, address: context.state.clientAddress })
  if (!user) return undefined
  const { _wpnonce: nonce } = await readBody(context, NONCE_FORM_LIMIT)
  return typeof nonce === 'string' ? nonce : undefined
}

/** HEAD is dispatched as GET; a POST can stand for another method (`_method`, `X-HTTP-Method-Override`). */
function methodOf(context: Koa.Context): RestCall['method'] | null {
  let method = context.method === 'HEAD' ? 'GET' : context.method
  if (method === 'POST') {
    const header = context.req.headers['x-http-method-override']
    const query = context.querystring.includes('_method=')
      ? new URLSearchParams(context.querystring).get('_method')
      : null
    const meant = query ?? (typeof header === 'string' ? header : null)
    if (meant) method = meant.trim().toUpperCase()
  }
  if (method === 'OPTIONS') return method
  return METHODS.find((known): known is Method => known === method) ?? null
}

function setHeaders(context: Koa.Context, response: RestResponse): void {
  if (isRaw(response)) context.res.setHeader('Content-Type', 'application/octet-stream')
  for (const [name, value] of Object.entries(response.headers)) {
    // Every response varies by `Origin`, in addition to anything else.
    if (name.toLowerCase() === 'vary') context.vary(typeof value === 'string' ? value : value.join(', '))
    else context.res.setHeader(name, value)
  }
}
