import { Readable } from 'node:stream'
import { RestError } from '../errors.ts'
import { findUnserializable } from '../hooks/serializable.ts'
import { findUnsendableHeader } from '../hooks/value-checks.ts'

/** An answer with a status or headers of its own; WordPress's `WP_REST_Response`. */
export class RestResponse<out Body = unknown> {
  /** Sent as JSON; a stream, a buffer, or a string with a `Content-Type`, is sent as it is. */
  readonly body: Body
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>

  constructor(
    body: Body,
    { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string | string[]>> } = {},
  ) {
    this.body = body
    this.status = status
    this.headers = headers
  }

  /** The same answer with another body. */
  with<Other>(body: Other): RestResponse<Other> {
    return new RestResponse(body, { status: this.status, headers: this.headers })
  }
}

/** Whether an answer is sent as it is, not as JSON: bytes and streams, and text that says what type it is. */
export function isRaw({ body, headers }: RestResponse): boolean {
  if (Buffer.isBuffer(body) || body instanceof Readable) return true
  return typeof body === 'string' && Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
}

/** The body as a part of a JSON document: a stream is closed unread, bytes and streams become `null`. */
export function jsonBody({ body }: Pick<RestResponse, 'body'>): unknown {
  if (body instanceof Readable) body.destroy()
  return Buffer.isBuffer(body) || body instanceof Readable ? null : body
}

/** What a handler or filter returned, as an answer. @throws RestError if that is what it returned. */
export function asResponse(result: unknown): RestResponse {
  if (result instanceof RestResponse) return result
  if (result instanceof RestError) throw result
  return new RestResponse(result ?? null)
}

/**
 * What keeps an answer from being sent, as the end of “The handler answered …”; `undefined` where nothing does.
 * @throws what a getter or a `toJSON` of its body throws
 */
export function findUnsendable(response: RestResponse): string | undefined {
  const { body, status } = response
  if (!Number.isInteger(status) || status < 200 || status > 599) return `an answer with the status ${String(status)}`
  for (const [name, value] of Object.entries(response.headers)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      const fault = findUnsendableHeader(name, one)
      if (fault !== undefined) return fault
    }
  }
  if (isRaw(response)) return undefined
  // As JSON it would be `{}`.
  if (body instanceof Response) return 'a Response of fetch; answer a RestResponse'
  if (typeof body === 'symbol' || typeof body === 'function') return `a ${typeof body}`
  const fault = findUnserializable(body)
  return fault === undefined ? undefined : `a body that cannot be written as JSON: it holds ${fault}`
}

/** The success body of the services and of `host/v1` (contract 1): `{ status: 'success', message?, data }`. */
export function success<Data>(data: Data, message?: string): { status: 'success'; message?: string; data: Data } {
  return message === undefined ? { status: 'success', data } : { status: 'success', message, data }
}
