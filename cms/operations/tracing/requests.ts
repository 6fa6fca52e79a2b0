import type { JoiningHost } from '../../../core/types.ts'
import { methodOf, onExchange, routeOf } from '../exchange.ts'
import type { Tracing } from './types.ts'

/**
 * A span for each request, named by method and route pattern, with the attributes of OpenTelemetry's conventions. It continues the trace of
 * the client's or proxy's `traceparent`.
 */
export function traceRequests(host: JoiningHost, { api, propagator, tracer, current }: Tracing): void {
  onExchange(host, ({ request, response }) => {
    const parent = propagator.extract(api.ROOT_CONTEXT, request.headers, api.defaultTextMapGetter)
    const method = methodOf(request)
    const span = tracer.startSpan(method, { kind: api.SpanKind.SERVER }, parent)
    // All that handles the request starts in this context.
    current.enterWith(span)
    response.once('close', () => {
      const route = routeOf(request, host)
      const { statusCode } = response
      span.updateName(`${method} ${route}`)
      span.setAttributes({
        ...{ 'http.request.method': method, 'http.route': route, 'http.response.status_code': statusCode },
        'pentad.request_id': String(response.getHeader('X-Request-Id') ?? ''),
        'pentad.cache_status': String(response.getHeader('Cache-Status') ?? ''),
      })
      if (statusCode >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
      span.end()
    })
  })
}
