import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Minimum rate of a request body in bytes per second: Apache's `MinRate` of `RequestReadTimeout`. */
const MIN_RATE = 500

/**
 * Rejects a request whose body arrives too slowly with 408: thousands of them could occupy a connection, a handler and a temporary file
 * each for the whole request timeout.
 *
 * @param seconds - Period in which the minimum share must arrive. Does not apply while the site itself is not reading the body.
 */
export function rejectSlowBody(
  http: Server,
  request: IncomingMessage,
  response: ServerResponse,
  seconds: number,
): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
  let received = socket.bytesRead
  const timer = setInterval(() => {
    const isReadHere = request.readableLength < request.readableHighWaterMark
    const isSlow = socket.bytesRead - received < MIN_RATE * seconds
    received = socket.bytesRead
    if (!isReadHere || !isSlow) return
    clearInterval(timer)
    // As Node does on request timeouts. After a complete response, the client would take a 408 as the response to its next request.
    const code = 'ERR_HTTP_REQUEST_TIMEOUT'
    const error = Object.assign(new Error('The request body was received too slowly.'), { code })
    if (response.writableEnded) socket.destroy()
    else http.emit('clientError', error, socket)
  }, seconds * 1000).unref()
  const stop = () => clearInterval(timer)
  request.once('end', stop).once('close', stop)
}
