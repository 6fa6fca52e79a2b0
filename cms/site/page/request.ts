import type { IncomingHttpHeaders } from 'node:http'
import type Koa from 'koa'
import { currentRequest } from '../../../core/http/request-context.ts'
import type { PageRequest } from '../types.ts'

/** Headers that select a representation (RFC 9110, 8.8, 12.5.3, 13.1 and 14.2), and the host. */
const OF_FORM = new Set([
  ...['host', 'accept-encoding', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'],
  ...['if-range', 'range'],
])

const withCookie = new WeakSet<PageRequest>()

/**
 * The parts of a request that a page may depend on. Reading a header of the visitor (cookies, browser, language) or the
 * client address marks the response as varying by user.
 */
export function createPageRequest(context: Koa.Context): PageRequest {
  const own = currentRequest()
  const vary = () => {
    own?.vary()
    // Data that is being cached for everyone is marked as well.
    currentRequest()?.vary()
  }
  const request: PageRequest = {
    method: context.method,
    path: context.path,
    query: new URLSearchParams(context.querystring),
    headers: watched(context.headers, vary),
    get address() {
      vary()
      return context.state.clientAddress
    },
    id: context.state.requestId,
  }
  if (context.headers.cookie) withCookie.add(request)
  return Object.freeze(request)
}

/** Whether the visitor has any cookie; for cache decisions, so it marks nothing. */
export function hasCookie(request: PageRequest): boolean {
  return withCookie.has(request)
}

function watched(headers: IncomingHttpHeaders, vary: () => void): Readonly<IncomingHttpHeaders> {
  const look = (name: string | symbol) => {
    if (typeof name === 'string' && !OF_FORM.has(name)) vary()
  }
  return new Proxy(headers, {
    get(target, name) {
      look(name)
      return Reflect.get(target, name)
    },
    has(target, name) {
      look(name)
      return Reflect.has(target, name)
    },
    getOwnPropertyDescriptor(target, name) {
      look(name)
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
    ownKeys(target) {
      vary()
      return Reflect.ownKeys(target)
    },
    // Read-only: all callbacks share them.
    ...{ set: () => false, deleteProperty: () => false, defineProperty: () => false },
  })
}
