/** A TCP connection that can be cut and paused: between a node and its database, and between the proxies and the nodes. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface Gate {
  readonly port: number
  /** Ends all connections. */
  cut(): void
  /** Transmits nothing until `resume`; new connections wait too. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

/** @param targets - Ports for the next connection, in order: the second one is used if the first one refuses. */
export async function openGate(targets: () => readonly number[]): Promise<Gate> {
  const sockets = new Set<Socket>()
  let isPaused = false

  function track(socket: Socket): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
    if (isPaused) socket.pause()
  }

  function join(client: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) return void client.destroy()
    const server = connect(port, '127.0.0.1')
    server.once('error', () => join(client, others))
    server.once('connect', () => {
      server.removeAllListeners('error')
      track(server)
      const pass = (from: Socket, to: Socket) =>
        from.on('data', (bytes) => {
          if (!to.write(bytes)) {
            from.pause()
            to.once('drain', () => void (isPaused || from.resume()))
          }
        })
      pass(client, server)
      pass(server, client)
      client.once('close', () => server.destroy())
      server.once('close', () => client.destroy())
      if (!isPaused) client.resume()
    })
  }

  const listener = createServer({ pauseOnConnect: true }, (client) => {
    track(client)
    join(client, targets())
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()

  function cut(): void {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    cut,
    pause() {
      isPaused = true
      for (const socket of sockets) socket.pause()
    },
    resume() {
      isPaused = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      cut()
      listener.close()
    },
  }
}
