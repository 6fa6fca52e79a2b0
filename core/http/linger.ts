import type { IncomingMessage } from 'node:http'

/** Milliseconds for a client to send the rest of an unread body, in total, like nginx's `lingering_time` (which defaults to 30 s). */
const LINGER_TIME = 5_000

/**
 * If a connection is to be closed after its response, first reads the rest of the request body. Closing immediately, as Node does, would
 * reset the connection when more of the body arrives, and a client still sending would lose the response (RFC 9112, 9.6).
 */
export function lingerForBody(request: IncomingMessage, milliseconds = LINGER_TIME): void {
  const { headers, socket } = request
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
  const close = socket.destroySoon
  const restore = () => {
    socket.destroySoon = close
  }
  socket.destroySoon = () => {
    restore()
    if (request.complete) {
      socket.destroySoon()
      return
    }
    socket.end()
    const end = () => socket.destroy()
    const timer = setTimeout(end, milliseconds).unref()
    socket.once('close', () => clearTimeout(timer))
    request.once('end', end)
    request.resume()
  }
  request.once('end', restore)
}
