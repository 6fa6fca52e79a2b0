import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { createFastLane } from '../../app/fast-lane/index.ts'
import { createFront, type RequestHead } from '../../core/http/front.ts'
import { createServer, type HostServer } from '../../core/http/server.ts'
import { createLog } from '../../core/log.ts'
import { randomsOf } from '../support/randoms.ts'

/** Longer and with other seeds: `FAST_LANE_SECONDS=600 FAST_LANE_SEED=$RANDOM npx mocha test/http/fast-lane-fuzz.test.ts`. */
const SECONDS = Number(process.env.FAST_LANE_SECONDS ?? 4)
const SEED = process.env.FAST_LANE_SEED ?? 'fast lane'
/** Cases at a time. */
const AT_ONCE = 32
/** On a busy machine, a connection may be reset before the client has read an error. */
const TRIES = 4

const METHODS = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'get', 'PURGE', 'GET ', ' GET', 'G\tET', '']
const TARGETS = [
  '/',
  '/a',
  '/a/b?c=d',
  '/%41',
  '/a?b=|[]',
  '/ü',
  '/a b',
  '/a\tb',
  '//a',
  '/a#b',
  '*',
  '',
  'a',
  'http://x/a',
]
const VERSIONS = [
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'http/1.1',
  'HTTP/1.1 ',
  '',
]
const NAMES = [
  ...['Accept', 'Accept-Encoding', 'User-Agent', 'Cookie', 'X-Forwarded-For', 'If-None-Match', 'X-1', 'accept', 'X_y'],
  ...['Host', 'host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'Upgrade', 'Expect', 'Keep-Alive', 'TE'],
  ...['Content-Length', 'Transfer-Encoding', 'Trailer', 'Proxy-Connection', 'HTTP2-Settings', '', 'A b', 'A(', 'Ä'],
  ...['constructor', '__proto__', 'toString', 'Content-Length ', 'Set-Cookie', 'Referer', 'Authorization'],
]
const VALUES = [
  ...['a', 'gzip, br', 'a b  c', '0', '5', '+5', '0x5', '5, 5', 'chunked', 'identity', 'gzip, chunked', 'x-chunked'],
  ...[
    'close',
    'keep-alive',
    'Keep-Alive, x',
    'upgrade',
    'h2c',
    'websocket',
    '100-continue',
    '',
    ' ',
    '\t',
    'a\tb',
    'ü',
  ],
  ...['a\x00b', 'a\x7fb', '\x0b', 'a\r\n b', 'a\n b', 'a\rb', '"x"', 'a: b', '127.0.0.1', 'trailing ', ' leading'],
]
const SEPARATORS = [': ', ': ', ': ', ': ', ': ', ': ', ':', ' : ', ':\t', ':  ', '', ' ']
const ENDS = [
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\r\n',
  '\n',
  '\r',
  '\r\r\n',
  '\n\r',
  '\r\n\r\n',
]
const BYTES = ['\r', '\n', '\0', ' ', ':', '\t', 'a', '/', '\x7f', '\xff', '\r\n', '\r\n\r\n', 'GET / HTTP/1.1\r\n']

describe('the fast lane, compared with node:http', () => {
  let server: HostServer
  let port: number
  /** Responses that did not go through Node's parser. */
  let direct = 0
  /** The server's ends of the connections, by the client's port. */
  const accepted = new Map<number | undefined, Socket>()
  before(async () => {
    const front = createFront({ host: 'x', isClosed: () => false, timeLimit: () => 60_000 })
    // Responds with what was understood, so that a difference in any field shows.
    front.install(
      (request, response: ServerResponse) => {
        const body = describeRequest(request)
        response.writeHead(200, ['Content-Length', String(body.length)])
        response.end(request.method === 'HEAD' ? undefined : body)
        return true
      },
      (request) => {
        direct++
        const body = describeRequest(request)
        const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n`)
        return { status: 200, head, body: request.method === 'HEAD' ? undefined : body }
      },
    )
    const log = createLog('silent')
    server = createServer([], { front, createFastLane, trustedProxies: [], log })
    server.http.on('connection', (socket) => {
      const { remotePort } = socket
      accepted.set(remotePort, socket)
      socket.once('close', () => accepted.delete(remotePort))
    })
    port = await server.listen(0, '127.0.0.1')
  })
  after(() => server.close({ grace: 0 }))

  /** Everything that the server sends for these chunks, on one connection. */
  async function exchange(chunks: readonly string[]): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const received: Buffer[] = []
    const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
    socket.on('data', (chunk) => received.push(chunk))
    socket.on('error', () => {})
    await once(socket, 'connect')
    for (const chunk of chunks) {
      if (!socket.writable) break
      socket.write(Buffer.from(chunk, 'latin1'))
      await allRead(socket)
    }
    socket.end()
    await closed
    const text = Buffer.concat(received).toString('latin1')
    return text.replace(/^(Date|X-Request-Id): .*$/gim, '$1').replace(/"requestId":"[^"]+"|Request [\da-f-]{36}/g, '')
  }

  /** Waits until the server has read what was sent, so that it arrives as one chunk. */
  async function allRead(socket: Socket): Promise<void> {
    for (;;) {
      await endOfTurn()
      const other = accepted.get(socket.localPort)
      if (socket.destroyed || (other && (other.destroyed || other.bytesRead >= socket.bytesWritten))) return
    }
  }

  /** Compares the responses to sequences of chunks with those of Node's parser alone. Returns how many were sent directly. */
  async function compare(cases: readonly (readonly string[])[]): Promise<number> {
    const before = direct
    let different = cases.map((chunks) => ({ chunks, fast: '', node: '' }))
    for (let tries = 0; tries < TRIES && different.length > 0; tries++) {
      const all = () => Promise.all(different.map(({ chunks }) => exchange(chunks)))
      const fast = await all()
      const node = await withObserver(all)
      different = different
        .map(({ chunks }, at) => ({ chunks, fast: fast[at] ?? '', node: node[at] ?? '' }))
        .filter((one) => one.fast !== one.node)
    }
    for (const { chunks, fast, node } of different) expect(fast, JSON.stringify(chunks)).to.equal(node)
    return direct - before
  }

  /** While the channel has a subscriber, all requests go through `node:http`. */
  async function withObserver<Result>(work: () => Promise<Result>): Promise<Result> {
    const observer = () => {}
    subscribe('http.server.request.start', observer)
    const before = direct
    try {
      const result = await work()
      expect(direct, 'observed requests').to.equal(before)
      return result
    } finally {
      unsubscribe('http.server.request.start', observer)
    }
  }

  const PLAIN = 'GET /a HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n'

  it('sends the same for a plain request, alone and repeated on a connection', async () => {
    expect(await compare([[PLAIN], [PLAIN, PLAIN, PLAIN], [PLAIN.replace('GET', 'HEAD'), PLAIN]])).to.be.at.least(6)
  })

  it('leaves to Node what may have a body or another meaning', async () => {
    const odd = [
      ...['Content-Length: 0', 'Content-Length: 5', 'Transfer-Encoding: chunked', 'Transfer-encoding : chunked'],
      ...['Upgrade: h2c', 'Connection: Upgrade', 'Connection: close', 'Expect: 100-continue', 'Host: y', 'A: b\r\n c'],
      ...['A: b\nContent-Length: 5', 'A: b\rContent-Length: 5', 'A : b', 'Accept-Encoding: br', 'X: \x01', 'X: ü'],
    ].map((line) => PLAIN.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`))
    const others = [
      ...[PLAIN + PLAIN, `${PLAIN}x`, PLAIN.slice(0, -2), PLAIN.replaceAll('\r\n', '\n'), `\r\n${PLAIN}`],
      ...[PLAIN.replace('1.1', '1.0'), PLAIN.replace('Host: x\r\n', ''), PLAIN.replace('GET', 'POST')],
      PLAIN.replace('x', 'x'.repeat(9_000)),
    ]
    expect(await compare([...odd, ...others].map((text) => [text, 'hello', PLAIN]))).to.equal(0)
  })

  it('sends the same however a request is divided, also after another one', async () => {
    const cases = Array.from({ length: PLAIN.length - 1 }, (_, at) => [PLAIN.slice(0, at + 1), PLAIN.slice(at + 1)])
    expect(await compare(cases)).to.equal(0)
    expect(await compare(cases.map((chunks) => [PLAIN, ...chunks, PLAIN]))).to.be.at.least(cases.length)
  })

  it('sends the same for random and mutated requests', async () => {
    const random = randomsOf(SEED)
    const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
    const end = performance.now() + SECONDS * 1000
    let cases = 0
    let answered = 0
    do {
      const batch = Array.from({ length: AT_ONCE }, () => chunksOf(random, pick))
      answered += await compare(batch)
      cases += batch.length
    } while (performance.now() < end)
    // Otherwise nothing was compared.
    expect(answered).to.be.above(cases / 10)
  })
})

function describeRequest({ method, url, headers }: RequestHead): Buffer {
  return Buffer.from(JSON.stringify({ method, url, headers: Object.entries(headers) }))
}

type Pick = <Value>(values: readonly Value[]) => Value

/** What one connection sends: one to three requests, mutated, then divided. */
function chunksOf(random: () => number, pick: Pick): string[] {
  const isPlain = random() < 0.5
  const requests = Array.from({ length: 1 + Math.floor(random() * 3) }, () => requestOf(random, pick, isPlain))
  const mutated = random() < 0.3 ? requests.map((text) => mutate(text, random, pick)) : requests
  return mutated.flatMap((text) => {
    if (random() < 0.8) return text
    const at = 1 + Math.floor(random() * text.length)
    return [text.slice(0, at), text.slice(at)].filter((part) => part !== '')
  })
}

/** @param isPlain whether only its headers may be unusual */
function requestOf(random: () => number, pick: Pick, isPlain: boolean): string {
  const line = isPlain ? 'GET /a?b HTTP/1.1\r\nHost: x\r\n' : firstLine(pick)
  const headers = Array.from({ length: Math.floor(random() * 4) }, () =>
    isPlain && random() < 0.5
      ? `X-${Math.floor(random() * 1000)}: ${pick(VALUES)}\r\n`
      : pick(NAMES) + pick(SEPARATORS) + pick(VALUES) + pick(ENDS),
  )
  const body = random() < 0.1 ? pick(['hello', '5\r\nhello\r\n0\r\n\r\n', 'GET /b HTTP/1.1\r\nHost: x\r\n\r\n']) : ''
  return `${line}${headers.join('')}${isPlain ? '\r\n' : pick(ENDS)}${body}`
}

function firstLine(pick: Pick): string {
  const host = pick(['Host: x\r\n', 'Host: x\r\n', 'Host: x\r\n', 'Host:\r\n', ''])
  return `${pick(METHODS)} ${pick(TARGETS)} ${pick(VERSIONS)}${pick(ENDS)}${host}`
}

/** Inserts, replaces, removes, or repeats something. */
function mutate(text: string, random: () => number, pick: Pick): string {
  const at = Math.floor(random() * text.length)
  const byte = random() < 0.5 ? pick(BYTES) : String.fromCharCode(Math.floor(random() * 256))
  return pick([
    text.slice(0, at) + byte + text.slice(at),
    text.slice(0, at) + byte + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + text.slice(at - 20),
  ])
}
