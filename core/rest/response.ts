import type { Readable } from 'node:stream'

/** An answer with a status or headers of its own; WordPress's `WP_REST_Response`. */
export class RestResponse {
  /** Sent as JSON; a stream, a buffer or a string is sent as it is (set `Content-Type`). */
  readonly body: unknown
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>

  constructor(
    body: unknown,
    { status = 200, headers = {} }: { status?: number; headers?: Record<string, string | string[]> } = {},
  ) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}

export type RawBody = Readable | Buffer | string

/** The success body of the services and of `host/v1` (contract 1): `{ status: 'success', message?, data }`. */
export function success<Data>(data: Data, message?: string): { status: 'success'; message?: string; data: Data } {
  return message === undefined ? { status: 'success', data } : { status: 'success', message, data }
}
