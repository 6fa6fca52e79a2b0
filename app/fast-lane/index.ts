import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { ReadyResponse, RequestHead } from '../../core/http/front.ts'
import type { CreateFastLane } from '../../core/http/server.ts'
import { parsePlainRequest } from './plain-request.ts'

/** Milliseconds after which a connection without a request is handed over, so that Node's time limit for its first request applies. */
const SILENCE = 5_000

/** Milliseconds that Node before 24.6 adds to the time limit for the next request. */
const NODE_BUFFER = 1_000

/** Node's channel that metrics, traces, and other observers subscribe to. They must see all requests. */
const OBSERVED = channel('http.server.request.start')

/**
 * Responds to simple requests for pages in memory directly on the socket, at less than half the cost of `node:http`: a GET or HEAD without a
 * body that arrives in one piece, for which the front has a response. At the first other request, the connection is
 * handed over to `node:http`, with all bytes of this request, and stays there.
 *
 * What the client receives, and when the connection is closed, must not depend on who responds.
 */
export const createFastLane: CreateFastLane = ({ http, respond, watch }) => {
  const acceptByNode = http.listeners('connection')
  /** Connections that were not handed over, and whether they have received a response. */
  const sockets = new Map<Socket, boolean>()
  let second = Number.NaN
  let end = Buffer.alloc(0)

  /** The last lines of a head, as `node:http` writes them: they change once per second. */
  function endOfHead(): Buffer {
    const now = Math.floor(Date.now() / 1000)
    if (now === second) return end
    second = now
    const date = new Date(now * 1000).toUTCString()
    const seconds = Math.floor(http.keepAliveTimeout / 1000)
    end = Buffer.from(`Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`)
    return end
  }

  function accept(socket: Socket): void {
    let isSending = false
    /** The request whose response will be known later. */
    let waiting: Buffer | undefined
    sockets.set(socket, false)
    socket.on('data', read)
    socket.on('timeout', onTimeout)
    socket.on('end', onEnd)
    socket.on('error', onError)
    socket.on('close', onClose)
    socket.setTimeout(SILENCE)

    function read(chunk: Buffer): void {
      const isFree = socket.writableLength === 0 && !OBSERVED.hasSubscribers
      const request = isFree ? parsePlainRequest(chunk, socket) : undefined
      const response = request && respond(request)
      if (!request || !response) handOver(chunk)
      else if ('after' in response) waitFor(response.after, request, chunk)
      else send(request, response)
    }

    /** Asks for the response once more when the promise has settled. Until then, nothing is read. */
    function waitFor(promise: Promise<unknown>, request: RequestHead, chunk: Buffer): void {
      waiting = chunk
      // It is in use, so that it is not closed as idle.
      sockets.set(socket, false)
      socket.pause()
      const proceed = () => {
        if (!sockets.has(socket)) return
        waiting = undefined
        socket.resume()
        const response = respond(request)
        if (!response || 'after' in response) handOver(chunk)
        else send(request, response)
      }
      promise.then(proceed, proceed)
    }

    function send(request: RequestHead, { status, head, body }: ReadyResponse): void {
      const sent = watch?.(request)
      const done = (error?: Error | null) => {
        if (error) return
        sent?.(status)
        // After a hand-over, Node has set its own time limit.
        if (isSending && sockets.has(socket) && socket.writableLength === 0) awaitRequest()
      }
      socket.cork()
      socket.write(head)
      socket.write(endOfHead(), body ? undefined : done)
      if (body) socket.write(body, done)
      socket.uncork()
      if (socket.writableLength > 0) awaitClient()
      else if (!sockets.get(socket)) awaitRequest()
      sockets.set(socket, true)
    }

    /** A client that reads nothing of its response is disconnected. */
    function awaitClient(): void {
      isSending = true
      socket.setTimeout(http.timeout)
    }

    function awaitRequest(): void {
      isSending = false
      socket.setTimeout(http.keepAliveTimeout + (http.keepAliveTimeoutBuffer ?? NODE_BUFFER))
    }

    function onTimeout(): void {
      if (sockets.get(socket)) socket.destroy()
      else if (waiting) {
        socket.resume()
        handOver(waiting)
      } else handOver()
    }

    /** Like `node:http`, which does not keep half of a connection open. */
    function onEnd(): void {
      socket.end()
    }

    function onClose(): void {
      sockets.delete(socket)
    }

    function handOver(chunk?: Buffer): void {
      sockets.delete(socket)
      socket.off('data', read).off('timeout', onTimeout).off('end', onEnd).off('error', onError).off('close', onClose)
      for (const listener of acceptByNode) listener.call(http, socket)
      // Node reads all later bytes from the socket itself.
      if (chunk) socket.emit('data', chunk)
    }
  }

  return {
    accept,
    closeIdle() {
      for (const [socket, isUsed] of sockets) if (isUsed && socket.writableLength === 0) socket.destroy()
    },
    closeAll() {
      for (const socket of sockets.keys()) socket.destroy()
    },
  }
}

/** The socket closes itself after an error, such as a reset by the client. */
function onError(): void {}
