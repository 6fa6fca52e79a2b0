import type Koa from 'koa'

/** What the server finds out about a request before anybody handles it; Koa's `ctx.state`. */
export interface RequestState {
  /** Random, in the answer's `X-Request-Id` and in every log line about the request. */
  requestId: string
  /** The client's address; a proxy's word is believed only if it is trusted. */
  clientAddress: string
  /** Fires when the client leaves before the answer is complete. */
  signal: AbortSignal
  /** Takes what a stream that is being sent fails with; without it, that is logged as an error of the host. */
  onStreamError?: (error: Error) => void
}

declare module 'koa' {
  interface DefaultState extends RequestState {}
}

/** The query of a request. Koa's own `context.query` takes time by the square of a name's repetitions. */
export function queryOf(context: Pick<Koa.Context, 'querystring'>): URLSearchParams {
  return new URLSearchParams(context.querystring)
}
