import type { IncomingMessage } from 'node:http'
import type { Identity } from '../auth/types.ts'
import type { Body } from './body.ts'
import type { RestResponse } from './response.ts'
import type { InternalRequest, Method, Upload, UploadRule } from './types.ts'

/** A request on its way in, from HTTP or from inside. */
export interface RestCall {
  readonly method: Method | 'OPTIONS'
  /** Decoded; `null` if the path cannot be decoded, so names no route. */
  readonly segments: readonly string[] | null
  /** Query without its question mark. */
  readonly search: string
  readonly headers: Readonly<IncomingMessage['headers']>
  readonly stream: IncomingMessage | null
  readonly clientAddress: string
  readonly requestId: string
  readonly signal: AbortSignal
  /** @param options.readsBody whether the body may hold the nonce: not that of a route which reads it itself */
  identify(options: { readonly readsBody: boolean }): Promise<Identity>
  /** Called after permission is given. */
  readBody(limit: number): Promise<Body>
  /** As `readBody`, for a route that takes a file. */
  readUpload(rule: UploadRule, bodyLimit?: number): Promise<ReceivedUpload>
}

/** The body of a request for a route with `upload`. */
export interface ReceivedUpload {
  /** The form's other fields; for a body without a file its parameters. */
  readonly body: Body
  readonly upload: Upload | null
  /** Removes the file. */
  remove(): Promise<void>
}

/** An answer before it is sent. */
export interface RestAnswer {
  readonly response: RestResponse
  /** Methods of the path that the caller may use: the `Allow` header; empty if there are none. */
  readonly allow: string
  /** `null` if it was not determined. */
  readonly identity: Identity | null
  /** As PHP reads it. */
  readonly query: Readonly<Record<string, unknown>>
  /** For an answer that turns out not to be sendable: reports it to its owner, and returns what is sent in its place. */
  fail(error: unknown): RestResponse
  /** For a stream that failed while it was sent: reports it to its owner. */
  onStreamError(error: Error): void
}

/** Never fires: for requests from inside, which no client can abort. */
const NEVER = new AbortController().signal

const NO_BODY: Body = Object.freeze({})

/** Splits a path that is still percent-encoded, decodes its segments; a slash at the end does not count. */
export function decodePath(path: string): string[] | null {
  const segments = path.split('/')
  if (segments[0] === '') segments.shift()
  while (segments.at(-1) === '') segments.pop()
  if (!path.includes('%')) return segments
  try {
    const decoded = segments.map(decodeURIComponent)
    // A slash within a segment is not a separator, and NUL is in no name.
    return decoded.some((segment) => /[/\0]/.test(segment)) ? null : decoded
  } catch {
    return null
  }
}

/** A request from inside: the identity is known, the body is there. */
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
