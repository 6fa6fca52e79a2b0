import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { RestError } from '../errors.ts'

/**
 * Responds to requests that Node could not parse, because the request line or headers are malformed or too long, with the standard error
 * body, and closes the connection, since the start of the next request is unknown.
 */
export function rejectUnparsable(http: Server): void {
  /** Responses in progress per connection: writing another one into them would corrupt them. */
  const inFlight = new WeakMap<Duplex, readonly ServerResponse[]>()
  http.on('request', ({ socket }, response) => {
    // A client that pipelines requests has several. One listener for each would cost more.
    const others = inFlight.get(socket)?.filter(({ writableFinished }) => !writableFinished)
    inFlight.set(socket, others ? [...others, response] : [response])
  })
  http.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const hasBegun =
      inFlight.get(socket)?.some((response) => response.headersSent && !response.writableFinished) ?? false
    if (hasBegun || !socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else socket.end(serialize(errorOf(error)), () => socket.destroy())
  })
}

/** The only defined expectation, which Node handles itself (RFC 9110, 10.1.1). */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i

/**
 * Rejects requests without `Host` (RFC 9112, 3.2) or with an unknown expectation (RFC 9110, 10.1.1), neither of which HTTP/1.0 has. The
 * connection is closed, because the body may never arrive.
 * @throws RestError 400 `rest_missing_host`, 417 `rest_expectation_failed`
 */
export function rejectUnsupported({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion !== '1.1') return
  const end = { Connection: 'close' }
  if (headers.host === undefined)
    throw new RestError('rest_missing_host', 'The request has no Host header.', { status: 400 }, end)
  if (headers.expect !== undefined && !CONTINUE.test(headers.expect))
    throw new RestError(
      'rest_expectation_failed',
      'The Expect header of the request is not supported.',
      { status: 417 },
      end,
    )
}

const MALFORMED = new RestError('rest_malformed_request', 'The request is not valid HTTP.', { status: 400 })

function errorOf({ code }: NodeJS.ErrnoException): RestError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new RestError('rest_headers_too_large', 'The URL or the headers of the request are too long.', {
        status: 431,
      })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RestError('rest_request_timeout', 'The request was not received in time.', { status: 408 })
    default:
      return MALFORMED
  }
}

/** Responds to a request with an invalid target or host and closes the connection, since its next bytes cannot be trusted. */
export function rejectMalformed(response: ServerResponse): void {
  const { status, headers, body } = rawResponse(MALFORMED)
  response.writeHead(status, headers)
  response.end(body)
}

function rawResponse({ code, message, data, status }: RestError) {
  const body = JSON.stringify({ code, message, data })
  const headers = {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
  return { status, headers, body }
}

/** A complete response as text, for connections without a response object. */
function serialize(error: RestError): string {
  const { status, headers, body } = rawResponse(error)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines].join('\r\n')}\r\n\r\n${body}`
}
