import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createFastLane } from '../../app/fast-lane/index.ts'
import { createFront } from '../../core/http/front.ts'
import { createServer, type HostServer } from '../../core/http/server.ts'
import { createLog } from '../../core/log.ts'
import { until } from '../support/until.ts'

/** More than the buffers of the system take. */
const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x')
const SMALL = Buffer.from('small')
const SMALL_REQUEST = 'GET /small HTTP/1.1\r\nHost: x\r\n\r\n'
const LARGE_REQUEST = 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n'

describe('connections of the fast lane', () => {
  let server: HostServer
  let port: number
  let direct: number
  /** The response to `/held`, which the test sends. */
  let held: ServerResponse | undefined
  const clients: Socket[] = []
  beforeEach(async () => {
    direct = 0
    held = undefined
    const bodyOf = (url = '') => (url === '/large' ? LARGE : SMALL)
    const front = createFront({ host: 'x', isClosed: () => false, timeLimit: () => 60_000 })
    front.install(
      ({ url }, response) => {
        if (url === '/held') held = response
        if (url === '/held') return true
        const body = bodyOf(url)
        response.writeHead(200, { 'Content-Length': body.length, 'X-From': 'node' })
        response.end(body)
        return true
      },
      ({ url }) => {
        direct++
        const body = bodyOf(url)
        const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\nX-From: lane\r\n`)
        return { status: 200, head, body }
      },
    )
    server = createServer([], { front, createFastLane, clientTimeout: 1, trustedProxies: [], log: createLog('silent') })
    server.http.keepAliveTimeout = 300
    server.http.keepAliveTimeoutBuffer = 0
    port = await server.listen(0, '127.0.0.1')
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy()
    await server.close({ grace: 0 })
  })

  /** A client that has sent something. */
  async function client(text = ''): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    clients.push(socket)
    socket.on('error', () => {})
    await once(socket, 'connect')
    if (text !== '') socket.write(text)
    return socket
  }

  /** All that a client receives until the server ends the connection. */
  async function rest(socket: Socket): Promise<string> {
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume()
    if (!socket.readableEnded && !socket.destroyed) await Promise.race([once(socket, 'end'), once(socket, 'close')])
    return Buffer.concat(chunks).toString('latin1')
  }

  /** Reads until a text arrives. */
  async function readUntil(socket: Socket, text: string): Promise<string> {
    let received = ''
    while (!received.includes(text)) received += String((await once(socket, 'data'))[0])
    return received
  }

  function connections(): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>()
    server.http.getConnections((_error, count) => resolve(count))
    return promise
  }

  it('are closed when no further request arrives in time', async () => {
    const received = await rest(await client(SMALL_REQUEST))
    expect(received).to.match(/X-From: lane\r\n[\s\S]*Connection: keep-alive\r\nKeep-Alive: timeout=0\r\n\r\nsmall$/)
  })

  it('work without keepAliveTimeoutBuffer, which Node before 24.6 does not have', async () => {
    Object.assign(server.http, { keepAliveTimeoutBuffer: undefined })
    expect(await rest(await client(SMALL_REQUEST))).to.match(/small$/)
  })

  it('stay open while requests arrive', async () => {
    const socket = await client()
    for (let count = 0; count < 5; count++) {
      socket.write(SMALL_REQUEST)
      expect(await readUntil(socket, 'small')).to.contain('lane')
      await wait(150)
    }
    expect(direct).to.equal(5)
  })

  it('without a request get an error, as from Node', async () => {
    server.http.headersTimeout = 100
    server.http.timeout = 60_000
    expect(await rest(await client())).to.match(/^HTTP\/1\.1 408 /)
  })

  it('with an incomplete request get an error, as from Node, also after a response', async () => {
    server.http.headersTimeout = 100
    server.http.timeout = 60_000
    const socket = await client(SMALL_REQUEST)
    await readUntil(socket, 'small')
    socket.write('GET / HTTP/1.1\r\nHo')
    expect(await rest(socket)).to.match(/^HTTP\/1\.1 408 /)
  })

  it('are closed when the client reads nothing of a response', async () => {
    const socket = await client()
    socket.pause()
    socket.write(LARGE_REQUEST)
    await until(() => direct === 1)
    expect(await connections()).to.equal(1)
    await until(async () => (await connections()) === 0)
  })

  it('send all of a response to a client that reads slowly, and wait for its next request', async () => {
    const socket = await client(LARGE_REQUEST)
    let length = 0
    let part = 0
    socket.on('data', (chunk: Buffer) => {
      length += chunk.length
      part += chunk.length
      if (part < LARGE.length / 4) return
      part = 0
      socket.pause()
      setTimeout(() => socket.resume(), 500)
    })
    await until(() => length > LARGE.length)
    socket.removeAllListeners('data')
    socket.resume()
    socket.write(SMALL_REQUEST)
    expect(await readUntil(socket, 'small')).to.contain('X-From: lane')
  })

  it('give the responses in order when a request arrives during a response', async () => {
    const socket = await client()
    socket.pause()
    socket.write(LARGE_REQUEST)
    await until(() => direct === 1)
    socket.write(SMALL_REQUEST)
    await wait(50)
    socket.end()
    const received = await rest(socket)
    const [first = '', second = '', ...others] = received.split('HTTP/1.1 200 OK').slice(1)
    expect([first.length > LARGE.length, second.endsWith('small'), others.length]).to.deep.equal([true, true, 0])
    expect([first.slice(0, 200).includes('lane'), second.includes('X-From: node')]).to.deep.equal([true, true])
  })

  it('have the time limit of Node for a request that arrives during a response', async () => {
    server.http.timeout = 60_000
    const socket = await client()
    socket.pause()
    socket.write(LARGE_REQUEST)
    await until(() => direct === 1)
    socket.write('GET /held HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await until(() => held !== undefined)
    let length = 0
    socket.on('data', (chunk: Buffer) => (length += chunk.length)).resume()
    await until(() => length > LARGE.length)
    socket.pause()
    held?.end(LARGE)
    await wait(2 * server.http.keepAliveTimeout)
    await rest(socket)
    expect(length).to.be.above(2 * LARGE.length)
  })

  it('are ended after the response when the client has ended its half', async () => {
    const socket = await client()
    socket.end(LARGE_REQUEST)
    expect((await rest(socket)).length).to.be.above(LARGE.length)
  })

  it('do not end the server when the client resets them during a response', async () => {
    const socket = await client()
    socket.pause()
    socket.write(LARGE_REQUEST)
    await until(() => direct === 1)
    socket.resetAndDestroy()
    expect(await readUntil(await client(SMALL_REQUEST), 'small')).to.contain('lane')
  })

  describe('while the server closes', () => {
    it('are closed when they are idle', async () => {
      server.http.keepAliveTimeout = 60_000
      const socket = await client(SMALL_REQUEST)
      await readUntil(socket, 'small')
      const [received] = await Promise.all([rest(socket), server.close({ grace: 60_000 })])
      expect(received).to.equal('')
    })

    it('finish a response, then close', async () => {
      const socket = await client()
      socket.pause()
      socket.write(LARGE_REQUEST)
      await until(() => direct === 1)
      const [received] = await Promise.all([rest(socket), server.close({ grace: 60_000 })])
      expect(received.length).to.be.above(LARGE.length)
    })

    it('are closed with a response that has not been read when the time is over', async () => {
      const socket = await client()
      socket.pause()
      socket.write(LARGE_REQUEST)
      await until(() => direct === 1)
      await server.close({ grace: 100 })
      expect((await rest(socket)).length).to.be.below(LARGE.length)
    })

    it('pass requests to the application, which closes them', async () => {
      server.http.keepAliveTimeout = 60_000
      const socket = await client(SMALL_REQUEST)
      await readUntil(socket, 'small')
      const closed = server.close({ drain: 60_000, grace: 60_000 })
      await wait(20)
      socket.write(SMALL_REQUEST)
      expect(await rest(socket)).to.match(/^HTTP\/1\.1 404 [\s\S]*\r\nConnection: close\r\n/)
      await closed
      expect(direct).to.equal(1)
    })
  })
})
