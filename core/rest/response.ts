import { Readable } from 'node:stream'
import { RestError } from '../errors.ts'
import { findUnserializable } from '../hooks/serializable.ts'
import { findUnsendableHeaders } from '../hooks/value-checks.ts'

/** A response with its own status or headers; WordPress's `WP_REST_Response`. */
export class RestResponse<out Body = unknown> {
  /** Sent as JSON, except for streams, buffers, and strings with a `Content-Type`, which are sent unchanged. */
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

  /** The same response with another body. */
  with<Other>(body: Other): RestResponse<Other> {
    return new RestResponse(body, { status: this.status, headers: this.headers })
  }
}

/** Whether a response is sent unchanged rather than as JSON: bytes, streams, and text with a content type. */
export function isRaw({ body, headers }: RestResponse): boolean {
  if (Buffer.isBuffer(body) || body instanceof Readable) return true
  return typeof body === 'string' && Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
}

/** The body for embedding in a JSON document: bytes and streams become `null`; streams are closed unread. */
export function jsonBody({ body }: Pick<RestResponse, 'body'>): unknown {
  if (body instanceof Readable) body.destroy()
  return Buffer.isBuffer(body) || body instanceof Readable ? null : body
}

const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')]

/** The JSON of objects and lists that several responses contain. */
const known = new WeakMap<object, Buffer>()

/** Serializes an object that several lists will contain, or a list to be sent again, only once. It must not change anymore. */
export function rememberJson(value: object): void {
  known.set(value, Buffer.from(JSON.stringify(value)))
}

/** A response body as JSON. */
export function toJson(body: unknown): Buffer {
  const isPlain = !Array.isArray(body) || !body.some((item) => known.has(item))
  if (isPlain) return known.get(Object(body)) ?? Buffer.from(JSON.stringify(body) ?? 'null')
  const items = body.flatMap((item) => [COMMA, known.get(item) ?? Buffer.from(JSON.stringify(item) ?? 'null')])
  return Buffer.concat([OPEN, ...items.slice(1), CLOSE])
}

/** The return value of a handler or filter as a response. @throws RestError if the value is one. */
export function asResponse(result: unknown): RestResponse {
  if (result instanceof RestResponse) return result
  if (result instanceof RestError) throw result
  return new RestResponse(result ?? null)
}

/**
 * Why a response cannot be sent, completing “The handler returned …”; `undefined` if it can.
 * @throws what a getter or `toJSON` of the body throws
 */
export function findUnsendable(response: RestResponse): string | undefined {
  const { body, status } = response
  if (!Number.isInteger(status) || status < 200 || status > 599) return `a response with the status ${String(status)}`
  const unsendable = findUnsendableHeaders(response.headers)
  if (unsendable !== undefined || isRaw(response)) return unsendable
  // As JSON it would become `{}`. By its tag, because reading the global `Response` loads undici: 13 MB.
  if (Object.prototype.toString.call(body) === '[object Response]')
    return 'a fetch Response; return a RestResponse instead'
  if (typeof body === 'symbol' || typeof body === 'function') return `a ${typeof body}`
  const fault = findUnserializable(body)
  return fault === undefined ? undefined : `a body that cannot be serialized as JSON: it contains ${fault}`
}

/** Success response of the services and `host/v1`: `{ status: 'success', message?, data }`. */
export function success<Data>(data: Data, message?: string): { status: 'success'; message?: string; data: Data } {
  return message === undefined ? { status: 'success', data } : { status: 'success', message, data }
}
