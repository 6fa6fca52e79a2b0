import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { restPath } from '../../../core/rest/middleware.ts'
import { METHODS } from '../../../core/rest/registry.ts'
import { decodePath } from '../../../core/rest/rest-call.ts'
import type { JoiningHost } from '../../../core/types.ts'

/** Channels of Node, which cost nothing without a subscriber. */
const STARTED = 'http.server.request.start'
const FINISHED = 'http.server.response.finish'

const REST_ROOT = '/wp-json'
/** In seconds: a cached page takes about a millisecond. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 10]
/** Label values for everything else: labels must have a limited number of values, whatever clients send. */
const OTHER = 'other'
const KNOWN_METHODS = new Set<string>([...METHODS, 'HEAD', 'OPTIONS'])

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Requests by route pattern and status class, and the time to render pages. */
export async function measureRequests(registry: Registry, host: JoiningHost): Promise<void> {
  const { Histogram } = await import('prom-client')
  const registers = [registry]
  const duration = new Histogram({
    name: 'pentad_http_request_duration_seconds',
    help: 'Time from the request to the end of its response, by route pattern, method and status class.',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS,
    registers,
  })
  const rendering = new Histogram({
    name: 'pentad_page_render_duration_seconds',
    help: 'Time to render a page or feed that was not cached, including pages that are refreshed in the background.',
    buckets: BUCKETS,
    registers,
  })
  const startedAt = new WeakMap<IncomingMessage, number>()

  const start = (message: unknown) => {
    if (isExchange(message)) startedAt.set(message.request, performance.now())
  }
  const finish = (message: unknown) => {
    if (!isExchange(message)) return
    const { request, response } = message
    const started = startedAt.get(request)
    if (started === undefined) return
    const method = request.method ?? ''
    const labels = {
      route: routeOf(request, host),
      method: KNOWN_METHODS.has(method) ? method : OTHER,
      status: `${Math.floor(response.statusCode / 100)}xx`,
    }
    duration.observe(labels, (performance.now() - started) / 1000)
  }
  host.onListen(() => {
    subscribe(STARTED, start)
    subscribe(FINISHED, finish)
  })
  host.onClosed(() => {
    unsubscribe(STARTED, start)
    unsubscribe(FINISHED, finish)
  })
  host.use(async (_context, next) => {
    const end = rendering.startTimer()
    try {
      await next()
    } finally {
      end()
    }
  })
}

/** What Node publishes on both channels. */
function isExchange(message: unknown): message is Exchange {
  if (typeof message !== 'object' || message === null || !('request' in message && 'response' in message)) return false
  return message.request instanceof IncomingMessage && message.response instanceof ServerResponse
}

/** The pattern of the route that matches the request, never its path: `/wp-json/wp/v2/posts/{id}`, or `page` for pages of the site. */
function routeOf({ method = '', url = '/' }: IncomingMessage, { rest, addresses }: JoiningHost): string {
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
