import type Koa from 'koa'

/** What the server determines about a request before it is handled; Koa's `ctx.state`. */
export interface RequestState {
  /** Random; sent as `X-Request-Id` and logged with every line about the request. */
  requestId: string
  /** The client's address; forwarded headers count only from trusted proxies. */
  clientAddress: string
  /** Aborted when the client disconnects before the response is complete. */
  signal: AbortSignal
  /** Receives the error of a stream being sent; without it, the error is logged as one of the host. */
  onStreamError?: (error: Error) => void
  /** The HTML page of an error that no one caught; without it, the page is in English. */
  errorPage?: (status: number, message: string, requestId: string) => string
}

declare module 'koa' {
  interface DefaultState extends RequestState {}
}

/** The query string, parsed. Koa's own `context.query` takes quadratic time for repeated names. */
export function queryOf(context: Pick<Koa.Context, 'querystring'>): URLSearchParams {
  return new URLSearchParams(context.querystring)
}
