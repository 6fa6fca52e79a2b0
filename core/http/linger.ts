import type { IncomingMessage } from 'node:http'

/** Milliseconds that a client gets to send what is left of a body that nobody reads: nginx's `lingering_timeout`. */
const LINGER_TIME = 5_000

/**
 * Keeps a connection that ends with its answer open for reading until the body has come. Closed at once, as Node does,
 * it is reset when more of the body arrives, and a client that still sends loses the refusal on its way (RFC 9112, 9.6).
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
