import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type Server } from 'node:http'
import Koa from 'koa'
import { createClientAddress } from './client-address.ts'
import { answerError } from './error-page.ts'
import type { Logger } from './log.ts'
import './request.ts'
import { answerUnreadable } from './unreadable-request.ts'

/** Milliseconds that requests under way get to finish when the server closes. */
const CLOSE_GRACE = 10_000

export interface HostServer {
  readonly http: Server
  /** Resolves to the port it listens on. */
  listen(port: number, host: string): Promise<number>
  /** Takes no new requests, lets those under way finish, then closes. */
  close(): Promise<void>
}

/**
 * The HTTP server: what every request needs (request id, client address, security headers, error
 * boundary), then the given middleware in order.
 */
export function createServer(
  middleware: readonly Koa.Middleware[],
  { trustedProxies, log }: { trustedProxies: readonly string[]; log: Logger },
): HostServer {
  const clientAddress = createClientAddress(trustedProxies)
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
    try {
      await next()
    } catch (error) {
      answerError(context, error, log)
    }
  })
  for (const handle of middleware) app.use(handle)

  const http = createHttpServer({ requestTimeout: 300_000, headersTimeout: 30_000 }, app.callback())
  answerUnreadable(http)
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
    close: () =>
      new Promise((resolve) => {
        if (!http.listening) return resolve()
        const force = setTimeout(() => http.closeAllConnections(), CLOSE_GRACE)
        http.close(() => {
          clearTimeout(force)
          resolve()
        })
        http.closeIdleConnections()
      }),
  }
}
