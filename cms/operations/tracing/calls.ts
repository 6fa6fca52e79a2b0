import { tracingChannel } from 'node:diagnostics_channel'
import type { Span } from '@opentelemetry/api'
import type { JoiningHost } from '../../../core/types.ts'
import { childOf, type Tracing } from './types.ts'

/** Calls in a request that take less have no span: a page dispatches hundreds of callbacks. */
const SHORTEST = 1
const CHANNEL = 'pentad.extension-call'

interface Call {
  readonly extension: string
  readonly what?: (() => string) | undefined
  readonly result?: unknown
}

/**
 * Spans of callbacks, handlers, jobs and timers of extensions and services, with the owner. Within a request those that take at least a
 * millisecond; outside of requests, such as for jobs, all of them, each as a trace of its own.
 */
export function traceCalls(host: Pick<JoiningHost, 'onClosed'>, tracing: Tracing): void {
  const { tracer, current } = tracing
  const channel = tracingChannel<unknown, Call>(CHANNEL)
  const calls = new WeakMap<object, { readonly call: Call; readonly startTime: number; readonly root?: Span }>()

  /** @returns the span in which the call runs */
  const begin = (call: Call): Span => {
    const startTime = Date.now()
    const parent = current.getStore()
    if (parent) {
      calls.set(call, { call, startTime })
      return parent
    }
    const root = tracer.startSpan(nameOf(call), { attributes: { 'pentad.owner': call.extension } })
    calls.set(call, { call, startTime, root })
    return root
  }

  const end = (message: unknown) => {
    const started = typeof message === 'object' && message !== null ? calls.get(message) : undefined
    if (!started) return
    const { call, startTime, root } = started
    const parent = current.getStore()
    const finish = () => {
      if (root) return root.end()
      if (parent === undefined || Date.now() - startTime < SHORTEST) return
      const attributes = { 'pentad.owner': call.extension }
      tracer.startSpan(nameOf(call), { attributes, startTime }, childOf(tracing, parent)).end()
    }
    if (call.result instanceof Promise) call.result.then(finish, finish)
    else finish()
  }

  channel.start.bindStore(current, begin)
  channel.end.subscribe(end)
  host.onClosed(() => {
    channel.start.unbindStore(current)
    channel.end.unsubscribe(end)
  })
}

/** `the_content`, `GET /shop/v1/products`, `job backup` */
function nameOf({ what }: Call): string {
  return what?.() ?? 'setup'
}
