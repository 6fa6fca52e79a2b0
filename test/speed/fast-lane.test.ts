import { createHook } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connect } from 'node:net'
import { expect } from 'chai'
import type { CompletedRequest } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'
import { ask, startCachedSite } from './cached-site.ts'

describe('cached pages through the fast lane', () => {
  let site: TestHost
  let etag: string
  /** Connections that `node:http` has got a parser for. */
  let parsers = 0
  const watch = createHook({
    init(_id, type) {
      if (type.startsWith('HTTP')) parsers++
    },
  })
  before(async () => {
    site = await startCachedSite({ config: { trustedProxies: ['127.0.0.1'] } })
    const br = () => ask(site, '/hello-world/', { headers: { 'accept-encoding': 'br' } })
    await until(async () => (await br()).headers['content-encoding'] === 'br')
    etag = String((await ask(site, '/hello-world/')).headers.etag)
    // In the second after a purge, pages have no `Last-Modified`.
    for (const path of ['/missing/', '/missing/', '/', '/']) await ask(site, path)
    watch.enable()
  })
  after(() => {
    watch.disable()
    return site.close()
  })

  /** The response to a request that is sent as one chunk, and whether `node:http` has parsed the request. */
  async function send(lines: readonly string[]): Promise<{ text: string; isParsed: boolean }> {
    const { hostname, port } = new URL(site.url)
    const [line = ''] = lines
    const before = parsers
    const socket = connect(Number(port), hostname)
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    let text = ''
    for await (const chunk of socket) {
      text += chunk.toString('latin1')
      if (isComplete(text, line.startsWith('HEAD'))) break
    }
    socket.destroy()
    const isParsed = parsers > before
    return { text: text.replace(/^(Date|X-Request-Id): .*$/gim, '$1').replace(/ttl=\d+/, 'ttl'), isParsed }
  }

  async function sendToNode(lines: readonly string[]): Promise<string> {
    const observer = () => {}
    subscribe('http.server.request.start', observer)
    try {
      return (await send(lines)).text
    } finally {
      unsubscribe('http.server.request.start', observer)
    }
  }

  const linesOf = (first: string, ...headers: readonly string[]) => [
    `${first} HTTP/1.1`,
    `Host: ${new URL(site.url).host}`,
    ...headers,
  ]

  const DIRECT = (): [string, ...string[]][] => [
    ['GET /hello-world/'],
    ['HEAD /hello-world/'],
    ['GET /hello-world/?utm_source=x'],
    ['GET /missing/'],
    ['HEAD /missing/', 'Accept-Encoding: gzip'],
    ...['br', 'zstd', 'gzip', 'identity', '*', 'gzip;q=0.5, br;q=0.1', 'br, zstd;q=0'].map(
      (value): [string, string] => ['GET /hello-world/', `Accept-Encoding: ${value}`],
    ),
    ...[etag, `W/${etag}`, '*', '"other"', `"other", ${etag}`].map((value): [string, string] => [
      'GET /hello-world/',
      `If-None-Match: ${value}`,
    ]),
    ['HEAD /hello-world/', `If-None-Match: ${etag}`],
    ['GET /', `If-Modified-Since: ${new Date(Date.now() + 60_000).toUTCString()}`],
    ['GET /', 'If-Modified-Since: yesterday'],
    ['GET /hello-world/', 'Range: bytes=0-9'],
    ['GET /hello-world/', 'Cookie: theme=dark; a=b', 'Connection: keep-alive', 'X-Forwarded-For: 203.0.113.9'],
    ['GET /hello-world/', 'X-Forwarded-Proto: https', 'Cache-Control: no-cache', 'Pragma: no-cache'],
  ]
  const PARSED: [string, ...string[]][] = [
    ['GET /wp-json/host/v1/health'],
    ['GET /hello-world/?s=x'],
    ['GET /hello-world/', 'Cookie: pentad_session=x'],
    ['GET /hello-world/', 'Cookie: a=b; wp-postpass_1=x'],
    ['GET /hello-world/', 'Authorization: Basic eDp5'],
    ['GET /hello-world/', 'Accept-Encoding: identity;q=0'],
    ['GET /hello-world/', 'Content-Length: 0'],
    ['GET //hello-world/'],
    ['GET /%68ello-world/'],
    ['GET /hello-world'],
    ['GET /hello-world/', 'Connection: close'],
    ['GET /hello-world/', 'Expect: 100-continue'],
  ]

  it('are the same, byte for byte, as those that node:http sends', async () => {
    for (const [first, ...headers] of DIRECT()) {
      const lines = linesOf(first, ...headers)
      const { text, isParsed } = await send(lines)
      expect(isParsed, lines.join('\n')).to.equal(false)
      expect(text, lines.join('\n')).to.equal(await sendToNode(lines))
      expect(text).to.match(/^HTTP\/1\.1 (?:200|304|404) [\s\S]*\r\nX-Cache: HIT\r\n/)
    }
  })

  it('are left to node:http where the page cache does not have the response, or must not send it', async () => {
    for (const [first, ...headers] of PARSED) {
      const lines = linesOf(first, ...headers)
      const { text, isParsed } = await send(lines)
      expect(isParsed, lines.join('\n')).to.equal(true)
      expect(text.split('\r\n\r\n')[0], lines.join('\n')).to.equal((await sendToNode(lines)).split('\r\n\r\n')[0])
    }
  })

  for (const [name, host, status] of [
    ['an unknown host', 'elsewhere.example', 421],
    ['a loopback name', 'localhost:1', 200],
  ] as const) {
    it(`are left to node:http for ${name}`, async () => {
      const { text, isParsed } = await send(['GET /hello-world/ HTTP/1.1', `Host: ${host}`])
      expect([isParsed, text.slice(0, 12), text.includes('X-Cache: BYPASS')]).to.deep.equal([
        true,
        `HTTP/1.1 ${status}`,
        true,
      ])
    })
  }

  it('are left to node:http in maintenance mode', async () => {
    const leave = site.host.maintenance.enter(1)
    const { text, isParsed } = await send(linesOf('GET /hello-world/'))
    leave()
    expect([isParsed, text.slice(0, 12)]).to.deep.equal([true, 'HTTP/1.1 503'])
  })

  it('are not sent after a purge', async () => {
    expect((await send(linesOf('GET /hello-world/'))).isParsed).to.equal(false)
    site.host.hooks.doAction('purge_pages', { urls: [`${site.url}/hello-world/`] })
    expect((await send(linesOf('GET /hello-world/'))).text).to.contain('X-Cache: MISS')
    expect((await send(linesOf('GET /hello-world/'))).isParsed).to.equal(false)
  })

  it('fire response_sent with the address of the client', async () => {
    const sent: CompletedRequest[] = []
    const undo = site.host.hooks.addAction('response_sent', (request) => void sent.push(request))
    await send(linesOf('GET /hello-world/?utm_source=x', 'X-Forwarded-For: 203.0.113.9', 'User-Agent: x'))
    await until(() => sent.length > 0)
    undo()
    const [{ headers, ...request }] = sent as [CompletedRequest]
    expect(request).to.deep.equal({
      ...{ method: 'GET', url: '/hello-world/?utm_source=x', status: 200, clientAddress: '203.0.113.9' },
    })
    expect(headers).to.include({ 'user-agent': 'x', 'x-forwarded-for': '203.0.113.9' })
  })
})

function isComplete(text: string, isHead: boolean): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  if (isHead || text.startsWith('HTTP/1.1 304')) return true
  const length = /\r\nContent-Length: (\d+)/i.exec(text.slice(0, end))?.[1]
  return length !== undefined ? text.length >= end + 4 + Number(length) : text.endsWith('0\r\n\r\n')
}
