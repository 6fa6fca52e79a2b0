/** A TCP proxy before a real server, to cut and to hold connections in mid-upload. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface TestProxy {
  readonly port: number
  /** Bytes that clients sent through it since the last `reset`. */
  readonly bytes: number
  reset(): void
  /** Destroys the connection that brings the n-th byte from now, and again after `every` more bytes, as often as told. */
  cutAfter(bytes: number, times?: number, every?: number): void
  /** Holds everything from the n-th byte from now; resolves once that byte came. `flow` lets go. */
  holdAfter(bytes: number): Promise<void>
  flow(): void
  /** Breaks every connection there is. */
  dropAll(): void
  close(): Promise<void>
}

export async function openProxy(targetPort: number): Promise<TestProxy> {
  const sockets = new Set<Socket>()
  let bytes = 0
  let cut = { at: Number.POSITIVE_INFINITY, every: 0, times: 0 }
  let hold: { at: number; reached(): void } | undefined
  const held = new Set<Socket>()

  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        held.delete(socket)
        client.destroy()
        target.destroy()
      })
    }
    client.on('data', (chunk) => {
      bytes += chunk.length
      if (cut.times > 0 && bytes >= cut.at) {
        cut = { ...cut, at: bytes + cut.every, times: cut.times - 1 }
        client.resetAndDestroy()
        return
      }
      if (!target.write(chunk)) {
        client.pause()
        target.once('drain', () => {
          if (!held.has(client)) client.resume()
        })
      }
      if (hold && bytes >= hold.at) {
        client.pause()
        held.add(client)
        hold.reached()
      }
    })
    target.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')

  return {
    port: address.port,
    get bytes() {
      return bytes
    },
    reset() {
      bytes = 0
      cut = { at: Number.POSITIVE_INFINITY, every: 0, times: 0 }
    },
    cutAfter(count, times = 1, every = count) {
      cut = { at: bytes + count, every, times }
    },
    holdAfter(count) {
      const { promise, resolve } = Promise.withResolvers<void>()
      hold = { at: bytes + count, reached: resolve }
      return promise
    },
    flow() {
      hold = undefined
      for (const socket of held) socket.resume()
      held.clear()
    },
    dropAll() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
