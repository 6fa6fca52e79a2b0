import type { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span, TextMapPropagator, Tracer } from '@opentelemetry/api'
import type { Packages } from './packages.ts'

/** What the parts of tracing share. */
export interface Tracing {
  readonly api: Packages['api']
  readonly propagator: TextMapPropagator
  readonly tracer: Tracer
  /** The span of the request, job or other call in which the code runs. */
  readonly current: AsyncLocalStorage<Span>
}

/** The context in which a new span is the child of that one. */
export function childOf({ api }: Pick<Tracing, 'api'>, span: Span): Context {
  return api.trace.setSpan(api.ROOT_CONTEXT, span)
}
