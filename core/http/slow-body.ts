import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Bytes a second that a client sends of a body at least: Apache's `MinRate` of `RequestReadTimeout`. */
const LEAST_RATE = 500

/**
 * Ends a request whose body comes too slowly, with 408: thousands of them would hold a connection, a handler and a
 * temporary file each for as long as a request may take at all.
 *
 * @param seconds - Each so many have to bring their share of the body; what the site has not read yet counts as sent.
 */
export function endSlowBody(http: Server, request: IncomingMessage, response: ServerResponse, seconds: number): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
  let received = socket.bytesRead
  const timer = setInterval(() => {
    const isReadHere = request.readableLength < request.readableHighWaterMark
    const isSlow = socket.bytesRead - received < LEAST_RATE * seconds
    received = socket.bytesRead
    if (!isReadHere || !isSlow) return
    clearInterval(timer)
    // As Node does where a request takes too long; behind a whole answer another one would be read as the next one's.
    const error = Object.assign(new Error('The request body was received too slowly.'), {
      code: 'ERR_HTTP_REQUEST_TIMEOUT',
    })
    if (response.writableEnded) socket.destroy()
    else http.emit('clientError', error, socket)
  }, seconds * 1000).unref()
  const stop = () => clearInterval(timer)
  request.once('end', stop)
  request.once('close', stop)
}
