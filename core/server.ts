import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import Koa from 'koa'
import { createAnswerWatch } from './answered-requests.ts'
import { createClientAddress } from './client-address.ts'
import { answerError } from './error-page.ts'
import type { FrontSlot } from './front.ts'
import type { Hooks } from './hooks/types.ts'
import type { Logger } from './log.ts'
import './request.ts'
import { refuseTarget, settleTarget } from './request-target.ts'
import { answerUnreadable, refuseImproper } from './unreadable-request.ts'

/** Milliseconds that requests under way get to finish when the server closes. */
const CLOSE_GRACE = 10_000
/** A closing server accepts connections until none came for so many milliseconds, so many times at most. */
const ACCEPT_TIME = 10
const ACCEPT_SLICES = 10
/** Milliseconds between looks for connections that wait for nothing, while the server closes. */
const IDLE_CHECK = 50
/** Milliseconds between looks for connections that are past the times below; Node's own half a minute would double those. */
const TIMEOUT_CHECK = 5_000

export interface HostServer {
  readonly http: Server
  /** Resolves to the port it listens on. */
  listen(port: number, host: string): Promise<number>
  /** Takes no new requests, lets those under way finish, then closes. */
  close(): Promise<void>
}

/**
 * The HTTP server: the front, then what every request needs (request id, client address, security headers, error
 * boundary), then the given middleware in order.
 */
export function createServer(
  middleware: readonly Koa.Middleware[],
  parts: { trustedProxies: readonly string[]; front?: FrontSlot; hooks?: Hooks; log: Logger },
): HostServer {
  const { trustedProxies, front, hooks, log } = parts
  const clientAddress = createClientAddress(trustedProxies)
  const watchAnswer = hooks && createAnswerWatch(hooks, clientAddress)
  let isClosing = false
  const app = new Koa()
  app.on('error', (error: Error, context?: Koa.Context) => {
    // A client that leaves in the middle of an answer is not our error.
    if (
      'code' in error &&
      (error.code === 'ECONNRESET' || error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
    )
      return
    log.error({ err: error, requestId: context?.state.requestId }, 'request failed')
  })

  app.use(async (context, next) => {
    const leaving = new AbortController()
    context.res.once('close', () => {
      if (!context.res.writableFinished) leaving.abort()
    })
    context.state.requestId = randomUUID()
    context.state.clientAddress = clientAddress(context.req)
    context.state.signal = leaving.signal
    context.set({
      'X-Request-Id': context.state.requestId,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'X-Frame-Options': 'SAMEORIGIN',
    })
    if (isClosing) context.set('Connection', 'close')
    try {
      refuseImproper(context.req)
      await next()
    } catch (error) {
      answerError(context, error, log)
    }
  })
  for (const handle of middleware) app.use(handle)

  const application = app.callback()
  front?.connect(application)
  const listener = front?.listener ?? application
  const http = createHttpServer(
    {
      requestTimeout: 300_000,
      headersTimeout: 30_000,
      connectionsCheckingInterval: TIMEOUT_CHECK,
      // Node would answer with nothing but the status; refuseImproper says why.
      requireHostHeader: false,
    },
    (request, response) => {
      if (!settleTarget(request)) {
        refuseTarget(response)
        return
      }
      watchAnswer?.(request, response)
      // The application says to the last clients that their connection ends.
      if (isClosing) application(request, response)
      else listener(request, response)
    },
  )
  http.on('checkExpectation', (request, response) => http.emit('request', request, response))
  answerUnreadable(http)
  let accepted = 0
  http.on('connection', () => {
    accepted++
  })
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
    async close() {
      if (!http.listening) return
      isClosing = true
      // Connections that wait to be accepted would be cut: they are taken in until no more come.
      for (let slice = 0, before = -1; slice < ACCEPT_SLICES && before !== accepted; slice++) {
        before = accepted
        await wait(ACCEPT_TIME)
      }
      const closed = new Promise((resolve) => {
        // Not http.close(), which would at once cut connections whose request has come but is not read yet.
        NetServer.prototype.close.call(http, resolve)
      })
      const idle = setInterval(() => http.closeIdleConnections(), IDLE_CHECK)
      const force = setTimeout(() => http.closeAllConnections(), CLOSE_GRACE)
      await closed
      clearInterval(idle)
      clearTimeout(force)
    },
  }
}
