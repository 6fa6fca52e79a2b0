import type { Registry } from 'prom-client'
import type { JoiningHost } from '../../../core/types.ts'
import { methodOf, onExchange, routeOf } from '../exchange.ts'

/** In seconds: a cached page takes about a millisecond. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 10]

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
  onExchange(host, ({ request, response }) => {
    const started = performance.now()
    response.once('finish', () => {
      const status = `${Math.floor(response.statusCode / 100)}xx`
      const labels = { route: routeOf(request, host), method: methodOf(request), status }
      duration.observe(labels, (performance.now() - started) / 1000)
    })
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
