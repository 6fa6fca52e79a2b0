import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect } from 'chai'
import type { TestHost } from '../../app/testing/index.ts'
import { until } from '../support/until.ts'
import { ask, startCachedSite } from './cached-site.ts'

describe('The answers of the page cache', () => {
  let site: TestHost
  let plain: Buffer
  before(async () => {
    site = await startCachedSite()
    plain = (await ask(site, '/hello-world/')).body
    await until(async () => (await encoding('br')) === 'br')
  })
  after(() => site.close())

  const withEncoding = (accepted: string) => ask(site, '/hello-world/', { headers: { 'accept-encoding': accepted } })
  const encoding = async (accepted: string) => (await withEncoding(accepted)).headers['content-encoding'] ?? 'identity'

  for (const [accepted, expected] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, zstd', 'zstd'],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['', 'identity'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['*', 'br'],
    ['*;q=0.1, gzip', 'gzip'],
    ['gzip, identity;q=0', 'gzip'],
    ['identity;q=0, *', 'br'],
    ['compress, deflate', 'identity'],
    ['br;q=broken', 'identity'],
  ] as const) {
    it(`are ${expected} for Accept-Encoding "${accepted}"`, async () => {
      expect(await encoding(accepted)).to.equal(expected)
    })
  }

  it('decode to the same bytes in every encoding, each with its own ETag and length', async () => {
    const [br, zstd, gzip] = await Promise.all(['br', 'zstd', 'gzip'].map(withEncoding))
    expect(brotliDecompressSync(br?.body ?? '').equals(plain)).to.equal(true)
    expect(zstdDecompressSync(zstd?.body ?? '').equals(plain)).to.equal(true)
    expect(gunzipSync(gzip?.body ?? '').equals(plain)).to.equal(true)
    const answers = [br, zstd, gzip, await withEncoding('')]
    expect(new Set(answers.map((answer) => answer?.headers.etag)).size).to.equal(4)
    for (const answer of answers) {
      expect(answer?.headers.vary).to.equal('Accept-Encoding')
      expect(answer?.headers['content-length']).to.equal(String(answer?.body.length))
      expect(answer?.headers.etag).not.to.match(/^W\//)
    }
  })

  it('go to the application where no encoding of ours is accepted', async () => {
    const answer = await withEncoding('identity;q=0')
    expect([answer.status, answer.headers['x-cache']]).to.deep.equal([200, 'BYPASS'])
  })

  it('have no body for HEAD, but the headers of GET', async () => {
    const head = await ask(site, '/hello-world/', { method: 'HEAD' })
    expect([head.status, head.body.length, head.headers['x-cache']]).to.deep.equal([200, 0, 'HIT'])
    expect(head.headers['content-length']).to.equal(String(plain.length))
  })

  it('keep the security headers of the page and its tags, and repeat no request id', async () => {
    const { headers } = await withEncoding('')
    expect(headers['x-content-type-options']).to.equal('nosniff')
    expect(headers['x-frame-options']).to.equal('SAMEORIGIN')
    expect(headers['surrogate-key']).to.match(/^site .*post-1/)
    expect(headers['cache-tag']).to.equal(headers['surrogate-key']?.toString().replaceAll(' ', ','))
    expect(headers['x-request-id']).to.equal(undefined)
  })

  it('ignore Range', async () => {
    const answer = await ask(site, '/hello-world/', { headers: { range: 'bytes=0-9' } })
    expect([answer.status, answer.body.length]).to.deep.equal([200, plain.length])
  })

  describe('to a client that has the page', () => {
    const ETAG = async () => String((await withEncoding('')).headers.etag)
    const status = async (headers: Record<string, string>) => (await ask(site, '/hello-world/', { headers })).status

    it('are 304 by If-None-Match: one tag, a weak one, one of a list, *', async () => {
      const etag = await ETAG()
      for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        expect(await status({ 'if-none-match': value }), value).to.equal(304)
      }
    })

    it('are whole by the tag of another encoding, and by a date if a tag differs', async () => {
      const { headers } = await withEncoding('br')
      expect(await status({ 'if-none-match': String(headers.etag) })).to.equal(200)
      const since = new Date(Date.now() + 60_000).toUTCString()
      expect(await status({ 'if-none-match': '"other"', 'if-modified-since': since })).to.equal(200)
    })

    it('are 304 by If-Modified-Since, whole if it is older or no date', async () => {
      // The first page of this second has no date of its own: it could be another page's.
      const other = await startCachedSite()
      try {
        await new Promise((resolve) => setTimeout(resolve, 1_100))
        await ask(other, '/')
        const modified = String((await ask(other, '/')).headers['last-modified'])
        const of = async (since: string) => (await ask(other, '/', { headers: { 'if-modified-since': since } })).status
        expect(await of(modified)).to.equal(304)
        expect(await of(new Date(Date.parse(modified) - 1_000).toUTCString())).to.equal(200)
        expect(await of('yesterday')).to.equal(200)
      } finally {
        await other.close()
      }
    })

    it('repeat what caches need, and have no body', async () => {
      const answer = await ask(site, '/hello-world/', { headers: { 'if-none-match': await ETAG() } })
      expect(answer.body.length).to.equal(0)
      expect(answer.headers).to.include({ 'x-cache': 'HIT', vary: 'Accept-Encoding', etag: await ETAG() })
      expect(answer.headers['content-length']).to.equal(undefined)
    })
  })
})
