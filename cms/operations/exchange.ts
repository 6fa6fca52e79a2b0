import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { IncomingMessage, ServerResponse } from 'node:http'
import { restPath } from '../../core/rest/middleware.ts'
import { METHODS } from '../../core/rest/registry.ts'
import { decodePath } from '../../core/rest/rest-call.ts'
import type { JoiningHost } from '../../core/types.ts'

/** Channel of Node, which costs nothing without a subscriber. */
const STARTED = 'http.server.request.start'
const REST_ROOT = '/wp-json'
/** For everything else: names must have a limited number of values, whatever clients send. */
const OTHER = 'other'
const KNOWN_METHODS = new Set<string>([...METHODS, 'HEAD', 'OPTIONS'])

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Calls the listener for each request that begins while the site listens, before it is handled, in its async context. */
export function onExchange(
  host: Pick<JoiningHost, 'onListen' | 'onClosed'>,
  begin: (exchange: Exchange) => void,
): void {
  const start = (message: unknown) => {
    if (isExchange(message)) begin(message)
  }
  host.onListen(() => subscribe(STARTED, start))
  host.onClosed(() => void unsubscribe(STARTED, start))
}

/** What Node publishes on the channel. */
function isExchange(message: unknown): message is Exchange {
  if (typeof message !== 'object' || message === null || !('request' in message && 'response' in message)) return false
  return message.request instanceof IncomingMessage && message.response instanceof ServerResponse
}

/** One of the known methods, or `other`. */
export function methodOf({ method = '' }: IncomingMessage): string {
  return KNOWN_METHODS.has(method) ? method : OTHER
}

/** The pattern of the route that matches the request, never its path: `/wp-json/wp/v2/posts/{id}`, or `page` for pages of the site. */
export function routeOf({ method = '', url = '/' }: IncomingMessage, { rest, addresses }: JoiningHost): string {
  const [path = '/', querystring = ''] = url.split('?', 2)
  const inRest = restPath({ path, querystring })
  if (inRest !== undefined) return restRoute(inRest, rest)
  const [layer] = addresses.match(path, method).path
  return layer === undefined ? 'page' : String(layer.path)
}

function restRoute(path: string, { registry }: JoiningHost['rest']): string {
  const segments = decodePath(path)
  const found = segments && registry.find(null, segments)
  return found ? `${REST_ROOT}${found.entry.pattern.template}` : OTHER
}
