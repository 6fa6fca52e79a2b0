import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'

/** More than the buffers of the system take: 64 MiB. */
const SIZE = 64 * 1024 * 1024
/** What a slow client reads before it pauses; the system tells of no less than about a third of its buffer. */
const PART = 8 * 1024 * 1024
/** Milliseconds; `clientTimeout` of the site below. */
const LIMIT = 1_000

describe('clients that read slowly', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost({ services: true, config: { clientTimeout: LIMIT / 1000 } })
    const folder = join(site.host.config.siteDir, 'uploads')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'large.mp4'), Buffer.alloc(SIZE, 'x'))
    site.host.rest.registerRoute('test/v1', {
      method: 'GET',
      path: '/late',
      access: 'public',
      handler: () => wait(LIMIT * 2.5, 'late'),
    })
    site.host.rest.registerRoute('test/v1', {
      method: 'GET',
      path: '/long',
      access: 'public',
      handler: () => 'x'.repeat(SIZE),
    })
  })
  after(() => site.close())

  async function ask(path: string): Promise<Socket> {
    const { hostname, port } = new URL(site.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.on('error', () => {})
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
    return socket
  }

  /** Bytes that still come. */
  async function rest(socket: Socket): Promise<number> {
    let length = 0
    socket.on('data', (chunk: Buffer) => {
      length += chunk.length
    })
    socket.resume()
    if (!socket.destroyed) await once(socket, 'close')
    return length
  }

  /** How many of the process's open files that one is. */
  const opened = async () => {
    const files = await readdir('/proc/self/fd')
    const paths = await Promise.all(files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')))
    return paths.filter((path) => path.endsWith('/large.mp4')).length
  }

  it('are disconnected when they read nothing of a file for as long as they may, and the file is closed', async () => {
    const socket = await ask('/wp-content/uploads/large.mp4')
    await until(async () => (await opened()) === 1)
    await until(async () => (await opened()) === 0)
    expect(await rest(socket)).to.be.below(SIZE)
  })

  it('are disconnected when they read nothing of an answer that is held in memory', async () => {
    const accepted = new Promise<Socket>((resolve) => {
      const onAccepted = (message: unknown) => {
        unsubscribe('net.server.socket', onAccepted)
        resolve((message as { socket: Socket }).socket)
      }
      subscribe('net.server.socket', onAccepted)
    })
    const socket = await ask('/wp-json/test/v1/long')
    await once(await accepted, 'close')
    expect(await rest(socket)).to.be.below(SIZE)
  })

  it('get all of a file when they read a little within each such time', async () => {
    const socket = await ask('/wp-content/uploads/large.mp4')
    let read = 0
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read % PART > chunk.length) return
      socket.pause()
      setTimeout(() => socket.resume(), LIMIT / 2)
    })
    socket.resume()
    await once(socket, 'close')
    expect(read).to.be.above(SIZE)
  })

  it('may wait longer than that for an answer to begin', async () => {
    const answer = await site.get('/wp-json/test/v1/late')
    expect(await answer.json()).to.equal('late')
  })
})

describe('clients that send slowly', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost({ config: { clientTimeout: LIMIT / 1000 } })
    site.host.rest.registerRoute('test/v1', {
      method: 'POST',
      path: '/read',
      access: 'public',
      handler: () => 'all of it came',
    })
    site.host.rest.registerRoute('test/v1', {
      method: 'POST',
      path: '/unread',
      access: 'public',
      body: 'stream',
      handler: async ({ stream }) => {
        await wait(LIMIT * 1.5)
        let length = 0
        for await (const chunk of stream ?? []) length += chunk.length
        return length
      },
    })
  })
  after(() => site.close())

  /** Sends the head of a request, then a part of its body every so many milliseconds. */
  async function send(path: string, parts: readonly Buffer[], every: number): Promise<string> {
    const { hostname, port } = new URL(site.url)
    const socket = connect(Number(port), hostname)
    const answer: Buffer[] = []
    socket.on('data', (chunk: Buffer) => answer.push(chunk))
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Content-Length: ${length}`,
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\nContent-Type: application/json\r\n\r\n`)
    for (const part of parts) {
      if (socket.destroyed || answer.length > 0) break
      socket.write(part)
      await wait(every)
    }
    await closed
    return Buffer.concat(answer).toString()
  }

  it('are answered 408 where hardly anything of a body comes, however regularly', async () => {
    const trickle = Array.from({ length: 1000 }, () => Buffer.from(' '))
    const answer = await send('/wp-json/test/v1/read', trickle, LIMIT / 20)
    expect(answer)
      .to.match(/^HTTP\/1\.1 408 /)
      .and.to.contain('"rest_request_timeout"')
  })

  it('may take longer than that for a body that goes on, and wait where the site does not read', async () => {
    const steady = [Buffer.from('{'), ...Array.from({ length: 15 }, () => Buffer.alloc(1000, ' ')), Buffer.from('}')]
    expect(await send('/wp-json/test/v1/read', steady, LIMIT / 10)).to.contain('all of it came')
    const large = [Buffer.alloc(4 * 1024 * 1024, ' ')]
    expect(await send('/wp-json/test/v1/unread', large, 0)).to.contain(String(4 * 1024 * 1024))
  })
})
