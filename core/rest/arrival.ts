import type { IncomingMessage } from 'node:http'
import type { Identity } from '../auth/types.ts'
import type { Body } from './body.ts'
import type { InternalRequest, Method, UploadRule } from './types.ts'
import type { ReceivedUpload } from './upload.ts'

/** A request on its way in, from HTTP or from inside. */
export interface Arrival {
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

/** Never fires: for requests from inside that nobody can leave. */
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
export function internalArrival(request: InternalRequest, requestId: string): Arrival {
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
