import { createServer, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { createClientAddress } from '../../core/client-address.ts'

describe('createClientAddress', () => {
  /** What the function says of a real request from 127.0.0.1 with that header. */
  async function addressOf(trustedProxies: string[], forwardedFor?: string): Promise<string> {
    const clientAddress = createClientAddress(trustedProxies)
    const { promise, resolve } = Promise.withResolvers<string>()
    const server = createServer((request: IncomingMessage, response) => {
      resolve(clientAddress(request))
      response.end()
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const address = server.address()
    const port = address && typeof address === 'object' ? address.port : 0
    await fetch(`http://127.0.0.1:${port}/`, { headers: forwardedFor ? { 'X-Forwarded-For': forwardedFor } : {} })
    server.close()
    return promise
  }

  it('is the peer where no proxy is trusted, whatever the header claims', async () => {
    expect(await addressOf([], '203.0.113.9')).to.equal('127.0.0.1')
    expect(await addressOf(['10.0.0.0/8'], '203.0.113.9')).to.equal('127.0.0.1')
  })

  it('is the last address that a trusted proxy vouches for', async () => {
    expect(await addressOf(['127.0.0.1'], '203.0.113.9')).to.equal('203.0.113.9')
    expect(await addressOf(['127.0.0.0/8', '10.0.0.0/8'], '1.1.1.1, 203.0.113.9, 10.1.2.3')).to.equal('203.0.113.9')
  })

  it('stops at an entry that is no address', async () => {
    expect(await addressOf(['127.0.0.1'], '203.0.113.9, <script>')).to.equal('127.0.0.1')
  })

  it('refuses a setting that is no address or range', () => {
    for (const entry of ['localhost', '10.0.0.0/33', '10.0.0.0/x', '']) {
      expect(() => createClientAddress([entry]), entry).to.throw(/neither an address nor a range/)
    }
  })
})
