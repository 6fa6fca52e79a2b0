import { expect } from 'chai'
import type { TestHost } from '../../app/testing/index.ts'
import { ask, cacheStateOf, startCachedSite } from './cached-site.ts'

describe('The Host of a request to the page cache', () => {
  let site: TestHost
  before(async () => {
    site = await startCachedSite({ config: { url: 'http://example.org' } })
    await ask(site, '/', { headers: { host: 'example.org' } })
  })
  after(() => site.close())

  for (const host of ['example.org', 'EXAMPLE.org', 'example.org.', 'example.org:80']) {
    it(`may read as ${host}`, async () => {
      expect(await cacheStateOf(site, '/', { host })).to.equal('HIT')
    })
  }

  for (const host of [
    'evil.example',
    'example.org:8080',
    'example.org.evil.example',
    'exampleXorg',
    'a b',
    'example.org@evil',
    '10.0.0.1',
  ]) {
    it(`is refused as ${host}, with 421`, async () => {
      const answer = await ask(site, '/', { headers: { host } })
      expect(answer.status).to.equal(421)
      expect(JSON.parse(answer.body.toString()).code).to.equal('misdirected_request')
      expect(answer.headers['cache-control']).to.equal('no-store')
    })
  }

  for (const host of ['127.0.0.1', 'localhost:3000', '[::1]:8080']) {
    it(`is answered without the cache as ${host}`, async () => {
      const answer = await ask(site, '/', { headers: { host } })
      expect([answer.status, answer.headers['x-cache']]).to.deep.equal([200, 'BYPASS'])
    })
  }

  it('gives way to the host of a whole address as target', async () => {
    const states: [target: string, host: string, status: number, state: string][] = [
      ['http://evil.example/', 'example.org', 421, 'BYPASS'],
      ['http://example.org/', 'evil.example', 200, 'HIT'],
    ]
    for (const [target, host, ...expected] of states) {
      const answer = await ask(site, target, { headers: { host } })
      expect([answer.status, answer.headers['x-cache']]).to.deep.equal(expected)
    }
  })

  it('does not matter for REST', async () => {
    expect((await ask(site, '/wp-json/', { headers: { host: 'evil.example' } })).status).to.equal(200)
  })

  it('does not matter, and nothing is cached, on a site that names no address', async () => {
    const anywhere = await startCachedSite({ config: { url: 'http://0.0.0.0:8080' } })
    try {
      expect(await cacheStateOf(anywhere, '/', { host: '192.168.1.5:8080' })).to.equal('BYPASS')
      expect(await cacheStateOf(anywhere, '/', { host: '192.168.1.5:8080' })).to.equal('BYPASS')
    } finally {
      await anywhere.close()
    }
  })
})
