import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import Koa from 'koa'
import { codeOf, toError } from '../errors.ts'
import { connectionLimit } from '../files/file-descriptors.ts'
import type { Hooks } from '../hooks/types.ts'
import type { Logger } from '../log.ts'
import { acceptsQueued } from './accept-queue.ts'
import { createTrustedProxies } from './client-address.ts'
import { CLOSE_GRACE } from './closing-time.ts'
import { sendError } from './error-page.ts'
import type { FrontSlot, ReadyHandler, RequestHead } from './front.ts'
import { lingerForBody } from './linger.ts'
import { makePrivate } from './private-response.ts'
import { currentRequest, inRequest } from './request-context.ts'
import { createResponseWatch } from './response-watch.ts'
import { rejectSlowBody } from './slow-body.ts'
import { createTransportSecurity } from './transport-security.ts'
import './request.ts'
import { rejectMalformed, rejectUnparsable, rejectUnsupported } from './malformed-request.ts'
import { normalizeTarget } from './request-target.ts'
import type { FoundContext, ServerMiddleware } from './router.ts'

/** Interval for closing idle connections during shutdown, in milliseconds. */
const IDLE_CHECK = 50
/** Interval for checking the timeouts below, in milliseconds; Node's default of 30 seconds would double them. */
const TIMEOUT_CHECK = 5_000

/** Rejected connections are logged once per this many milliseconds. */
const DROP_LOG_INTERVAL = 60_000
/** Seconds in which a client must read some of its response. */
const CLIENT_TIMEOUT = 120
/** Error codes of connections closed by the client. */
const DISCONNECT_CODES: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']
/** Period in seconds in which a client must send the minimum share of a request body; at most `CLIENT_TIMEOUT`. */
const BODY_TIMEOUT = 60

/** Responds to simple requests on connections before Node parses them; hands over all other connections to Node. */
export interface FastLane {
  accept(socket: Socket): void
  /** Closes connections that wait for another request. */
  closeIdle(): void
  closeAll(): void
}

/**
 * @param server.respond - The response to a GET or HEAD without a body, if it is available immediately.
 * @param server.watch - Returns what to call with the status once the response is sent.
 */
export type CreateFastLane = (server: {
  readonly http: Server
  readonly respond: ReadyHandler
  readonly watch: ((request: RequestHead) => ((status: number) => void) | undefined) | undefined
}) => FastLane

export interface HostServer {
  readonly http: Server
  /** Resolves to the port it listens on. */
  listen(port: number, host: string): Promise<number>
  /**
   * Stops accepting requests, lets those in progress finish, then closes.
   *
   * @param parts.grace - Milliseconds after which connections are closed. Default: 7 s.
   * @param parts.drain - Milliseconds in which idle connections stay open. Default: 0.
   * @param parts.onPortFree - Called when another server may listen on the port.
   * @param parts.onOverdue - Called before connections are closed.
   */
  close(parts?: {
    grace?: number
    drain?: number
    onPortFree?: (() => void) | undefined
    onOverdue?: () => void
  }): Promise<void>
}

/**
 * The HTTP server: the front, then common handling (request ID, client address, security headers, error boundary), then the given middleware
 * in order.
 *
 * @param parts.url public origin of the site, whose scheme determines whether HTTPS is enforced
 * @param parts.clientTimeout seconds after which a client that reads nothing of its response, or sends its body too slowly, is disconnected
 */
export function createServer(
  middleware: readonly ServerMiddleware[],
  parts: {
    url?: string
    trustedProxies: readonly string[]
    clientTimeout?: number
    front?: FrontSlot
    createFastLane?: CreateFastLane | undefined
    hooks?: Hooks
    log: Logger
  },
): HostServer {
  const { url, trustedProxies, clientTimeout = CLIENT_TIMEOUT, front, createFastLane, hooks, log } = parts
  const proxies = createTrustedProxies(trustedProxies, log)
  const watchResponse = hooks && createResponseWatch(hooks, proxies.addressOf)
  const transport = url === undefined ? undefined : createTransportSecurity(url, proxies)
  const commonHeaders = Object.entries({
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Frame-Options': 'SAMEORIGIN',
    ...transport?.headers,
  })
  let isClosing = false
  let delay: Promise<void> | undefined
  const app = new Koa()
  // Koa's own handler reads and modifies the error, which fails for some values that streams of extensions emit.
  app.context.onerror = function (thrown: unknown) {
    if (thrown === null || thrown === undefined) return
    app.emit('error', toError(thrown), this)
    if (!this.headerSent) sendFailure(this.res)
  }
  app.on('error', (error: Error, context?: Koa.Context) => {
    if (context?.state.onStreamError) {
      context.state.onStreamError(error)
      return
    }
    // A client that disconnects during a response is not an error of the site.
    if (DISCONNECT_CODES.includes(codeOf(error))) return
    log.error({ err: error, requestId: context?.state.requestId }, 'request failed')
  })

  app.use((context, next) =>
    inRequest(async (request) => {
      await next()
      if (request.variesByUser || request.isIncomplete) makePrivate(context.res)
    }),
  )
  app.use(async (context, next) => {
    const disconnected = new AbortController()
    context.res.once('close', () => {
      if (!context.res.writableEnded) disconnected.abort()
    })
    context.state.requestId = randomUUID()
    context.state.clientAddress = proxies.addressOf(context.req)
    const { requestId, clientAddress: address } = context.state
    currentRequest()?.setClient({ address, userAgent: context.get('User-Agent'), requestId })
    context.state.signal = disconnected.signal
    context.res.setHeader('X-Request-Id', requestId)
    for (const [name, value] of commonHeaders) context.res.setHeader(name, value)
    if (isClosing) context.set('Connection', 'close')
    try {
      rejectUnsupported(context.req)
      transport?.rejectInsecure(context.req)
      await next()
    } catch (error) {
      sendError(context, error, log)
    }
  })
  for (const handle of middleware) app.use<object, FoundContext>(handle)

  const application = app.callback()
  front?.connect(application)
  const listener = front?.listener ?? application
  const http = createHttpServer(
    {
      requestTimeout: 300_000,
      headersTimeout: 30_000,
      connectionsCheckingInterval: TIMEOUT_CHECK,
      // Node would respond with only a status; see rejectUnsupported.
      requireHostHeader: false,
    },
    (request, response) => (delay ? void delay.then(() => handle(request, response)) : handle(request, response)),
  )
  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (!normalizeTarget(request)) {
      rejectMalformed(response)
      return
    }
    response.on('timeout', disconnectUnread)
    if (transport?.redirect(request, response)) return
    lingerForBody(request)
    rejectSlowBody(http, request, response, Math.min(clientTimeout, BODY_TIMEOUT))
    const sent = watchResponse?.(request)
    if (sent) response.on('finish', () => sent(response.statusCode))
    // While closing, the front is skipped, because the application sets `Connection: close`.
    if (isClosing) application(request, response)
    else listener(request, response)
  }
  http.timeout = clientTimeout * 1000
  const maxConnections = connectionLimit()
  if (maxConnections !== undefined) http.maxConnections = maxConnections
  let dropsLogged = Number.NEGATIVE_INFINITY
  http.on('drop', () => {
    const now = performance.now()
    if (now - dropsLogged < DROP_LOG_INTERVAL) return
    dropsLogged = now
    log.error({ connections: maxConnections }, 'connections rejected; raise the limit on open files (ulimit -n)')
  })
  // Accepting a connection failed, for example because no file descriptors were left. The server continues.
  http.on('error', (error) => {
    if (http.listening) log.error({ err: error }, 'could not accept connection')
  })
  http.on('checkContinue', continueOnRead)
  http.on('checkExpectation', (request, response) => http.emit('request', request, response))
  rejectUnparsable(http)
  const lane =
    front &&
    createFastLane?.({
      ...{ http, watch: watchResponse },
      respond: (request) => (isClosing || transport?.isInsecure(request) ? undefined : front.respond(request)),
    })
  if (lane) http.removeAllListeners('connection').on('connection', lane.accept)
  const acceptQueued = acceptsQueued(http)
  return {
    http,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        http.once('error', reject)
        http.listen(port, host, () => {
          http.off('error', reject)
          const address = http.address()
          resolve(address && typeof address === 'object' ? address.port : port)
        })
      }),
    async close({ grace = CLOSE_GRACE, drain = 0, onPortFree, onOverdue } = {}) {
      if (!http.listening) return
      isClosing = true
      // Meanwhile, requests wait, because others would arrive while they are handled.
      const queueEmpty = Promise.withResolvers<void>()
      delay = queueEmpty.promise
      await acceptQueued()
      const closed = new Promise((resolve) => {
        // Not http.close(), which would reset connections with requests that have not been read yet.
        NetServer.prototype.close.call(http, resolve)
      })
      onPortFree?.()
      queueEmpty.resolve()
      const drained = performance.now() + drain
      const idle = setInterval(async () => {
        // A connection with a request that has arrived but not been read seems idle; it is read by the end of the turn.
        await endOfTurn()
        if (performance.now() <= drained) return
        http.closeIdleConnections()
        lane?.closeIdle()
      }, IDLE_CHECK)
      const force = setTimeout(() => {
        onOverdue?.()
        http.closeAllConnections()
        lane?.closeAll()
      }, grace)
      await closed
      // Node's timer for the timeouts would keep the server, and with it the entire host, in memory.
      http.close()
      clearInterval(idle)
      clearTimeout(force)
    },
  }
}

/** Sends 100 Continue (RFC 9110, 10.1.1) only when the body is read, so that clients need not send a body that is rejected. */
function continueOnRead(this: Server, request: IncomingMessage, response: ServerResponse): void {
  const read = request._read
  request._read = (size) => {
    request._read = read
    if (!response.headersSent) response.writeContinue()
    read.call(request, size)
  }
  this.emit('request', request, response)
}

/** Responds if the response itself failed before its headers were sent. Uses neither Koa nor JSON, which may be what failed. */
function sendFailure(response: ServerResponse): void {
  for (const name of response.getHeaderNames()) {
    if (name !== 'x-request-id') response.removeHeader(name)
  }
  response.writeHead(500, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  })
  response.end('An unexpected error occurred. See the server log.')
}

/**
 * Closes a connection whose client has read nothing of its response for the entire timeout, because unsent data occupies memory and file
 * descriptors. Progress within a long write counts. Connections whose response has not started are not affected.
 */
function disconnectUnread(this: ServerResponse): void {
  if (this.writableLength > 0) this.destroy()
}
