import { createServer, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { createTrustedProxies, type TrustedProxies } from '../../core/http/client-address.ts'
import { createLog } from '../../core/log.ts'

describe('createTrustedProxies', () => {
  const warnings: string[] = []
  const log = createLog('warn', { write: (line) => void warnings.push(line) })
  beforeEach(() => {
    warnings.length = 0
  })

  /** What is read of real requests from 127.0.0.1 with these headers. */
  async function read<Result>(
    proxies: TrustedProxies,
    look: (proxies: TrustedProxies, request: IncomingMessage) => Result,
    ...requests: readonly Record<string, string>[]
  ): Promise<Result[]> {
    const results: Result[] = []
    const server = createServer((request, response) => {
      results.push(look(proxies, request))
      response.end()
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const address = server.address()
    const port = address && typeof address === 'object' ? address.port : 0
    for (const headers of requests) await fetch(`http://127.0.0.1:${port}/`, { headers })
    server.close()
    return results
  }
  const addressOf = async (trusted: string[], forwardedFor: string) => {
    const look = (proxies: TrustedProxies, request: IncomingMessage) => proxies.addressOf(request)
    return (await read(createTrustedProxies(trusted, log), look, { 'X-Forwarded-For': forwardedFor }))[0]
  }
  const protocolOf = async (trusted: string[], forwardedProto: string) => {
    const look = (proxies: TrustedProxies, request: IncomingMessage) => proxies.protocolOf(request)
    return (await read(createTrustedProxies(trusted, log), look, { 'X-Forwarded-Proto': forwardedProto }))[0]
  }

  it('takes the address of the peer where no proxy is trusted, whatever the header claims', async () => {
    expect(await addressOf([], '203.0.113.9')).to.equal('127.0.0.1')
    expect(await addressOf(['10.0.0.0/8'], '203.0.113.9')).to.equal('127.0.0.1')
  })

  it('takes the last address that a trusted proxy vouches for', async () => {
    expect(await addressOf(['127.0.0.1'], '203.0.113.9')).to.equal('203.0.113.9')
    expect(await addressOf(['127.0.0.0/8', '10.0.0.0/8'], '1.1.1.1, 203.0.113.9, 10.1.2.3')).to.equal('203.0.113.9')
    expect(warnings).to.deep.equal([])
  })

  it('stops at an entry that is no address', async () => {
    expect(await addressOf(['127.0.0.1'], '203.0.113.9, <script>')).to.equal('127.0.0.1')
  })

  it('believes the protocol of trusted proxies only, the outermost one of several', async () => {
    expect(await protocolOf([], 'https')).to.equal(undefined)
    expect(await protocolOf(['10.0.0.0/8'], 'http')).to.equal(undefined)
    expect(await protocolOf(['127.0.0.1'], 'HTTPS')).to.equal('https')
    expect(await protocolOf(['127.0.0.1'], 'http, https')).to.equal('http')
    expect(await protocolOf(['127.0.0.1'], 'gopher')).to.equal(undefined)
  })

  it('warns once of a peer that forwards and is not trusted, and says which setting is missing', async () => {
    const look = (proxies: TrustedProxies, request: IncomingMessage) => proxies.addressOf(request)
    const headers = { 'X-Forwarded-For': '203.0.113.9' }
    await read(createTrustedProxies([], log), look, {}, headers, headers, headers)
    expect(warnings).to.have.length(1)
    expect(JSON.parse(warnings[0] ?? '')).to.deep.include({ peer: '127.0.0.1' })
    expect(warnings[0]).to.contain('PENTAD_TRUSTED_PROXIES')
  })

  it('refuses a setting that is no address or range', () => {
    for (const entry of ['localhost', '10.0.0.0/33', '10.0.0.0/x', '']) {
      expect(() => createTrustedProxies([entry], log), entry).to.throw(/neither an IP address nor a range/)
    }
  })
})
