import type { IncomingMessage } from 'node:http'
import type { Identity } from '../auth/types.ts'
import type { Body } from './body.ts'
import type { RestResponse } from './response.ts'
import type { InternalRequest, Method, Upload, UploadRule } from './types.ts'

/** An incoming request, over HTTP or dispatched internally. */
export interface RestCall {
  readonly method: Method | 'OPTIONS'
  /** Decoded segments; `null` if the path cannot be decoded and so matches no route. */
  readonly segments: readonly string[] | null
  /** Query string without the question mark. */
  readonly search: string
  readonly headers: Readonly<IncomingMessage['headers']>
  readonly stream: IncomingMessage | null
  readonly clientAddress: string
  readonly requestId: string
  readonly signal: AbortSignal
  /** @param options.readsBody whether the body may be searched for the nonce: `false` if the route reads the body itself */
  identify(options: { readonly readsBody: boolean }): Promise<Identity>
  /** Called after the permission check. */
  readBody(limit: number): Promise<Body>
  /** Like `readBody`, for a route that accepts a file. */
  readUpload(rule: UploadRule, bodyLimit?: number): Promise<ReceivedUpload>
}

/** The body of a request to a route with `upload`. */
export interface ReceivedUpload {
  /** The other fields of the form, or the parameters of a body without a file. */
  readonly body: Body
  readonly upload: Upload | null
  /** Deletes the file. */
  remove(): Promise<void>
}

/** A response before it is sent. */
export interface DispatchResult {
  readonly response: RestResponse
  /** Methods of the path that the caller may use, for the `Allow` header; empty if there are none. */
  readonly allow: string
  /** `null` if it was not determined. */
  readonly identity: Identity | null
  /** Parsed as PHP does. */
  readonly query: Readonly<Record<string, unknown>>
  /** For a response that turns out to be invalid: reports it to its owner and returns the response to send instead. */
  fail(error: unknown): RestResponse
  /** Runs `work`, which waits for the first bytes of the body, within the time limit of the route. @throws CallTimeout, and what `work` throws */
  startStream(work: () => Promise<void>): Promise<void>
  /** Reports to the route's owner that a stream failed while it was being sent. */
  onStreamError(error: Error): void
}

/** Never aborted: internal requests have no client that can disconnect. */
const NEVER = new AbortController().signal

const NO_BODY: Body = Object.freeze({})

/** Splits a percent-encoded path and decodes its segments; a trailing slash is ignored. */
export function decodePath(path: string): string[] | null {
  const segments = path.split('/')
  if (segments[0] === '') segments.shift()
  while (segments.at(-1) === '') segments.pop()
  if (!path.includes('%')) return segments
  try {
    const decoded = segments.map(decodeURIComponent)
    // An encoded slash is not a separator, and NUL matches no route.
    return decoded.some((segment) => /[/\0]/.test(segment)) ? null : decoded
  } catch {
    return null
  }
}

/** An internal request: its caller and body are already known. */
export function internalCall(request: InternalRequest, requestId: string): RestCall {
  const [path = '', ...rest] = request.route.split('?')
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value
  return {
    method: request.method,
    segments: decodePath(path),
    search: rest.join('?'),
    headers,
    stream: null,
    clientAddress: request.clientAddress ?? '',
    requestId,
    signal: request.signal ?? NEVER,
    identify: async () => request.identity,
    readBody: async () => request.body ?? NO_BODY,
    readUpload: async () => ({ body: request.body ?? NO_BODY, upload: null, remove: async () => {} }),
  }
}
