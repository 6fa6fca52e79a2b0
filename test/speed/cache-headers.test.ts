import { expect } from 'chai'
import type { TestHost } from '../../app/testing/index.ts'
import { ask, startCachedSite } from './cached-site.ts'

const PAGE = '/hello-world/'

describe('cache headers of pages', () => {
  let site: TestHost

  beforeEach(async () => {
    site = await startCachedSite(
      { now: '2026-01-01T00:00:00Z', config: { environment: 'production' } },
      { cacheTtlSeconds: 3600, cdnTtlSeconds: 600 },
    )
  })
  afterEach(() => site.close())

  const status = async (headers: Record<string, string> = {}, method = 'GET') =>
    (await ask(site, PAGE, { headers, method })).headers['cache-status']

  it('are Cache-Status with what happened and the seconds left (RFC 9211)', async () => {
    expect(await status()).to.equal('Pentad; fwd=uri-miss; stored; ttl=3600')
    await site.clock.advance(100_000)
    expect(await status()).to.equal('Pentad; hit; ttl=3500')
    await site.clock.advance(1500)
    expect(await status()).to.equal('Pentad; hit; ttl=3498')
    await site.clock.advance(3_600_000)
    expect(await status()).to.equal('Pentad; hit; ttl=-102; detail=stale')
  })

  it('say why a request was forwarded', async () => {
    await ask(site, PAGE)
    await site.clock.advance(3 * 3_600_000)
    expect(await status()).to.equal('Pentad; fwd=stale; stored; ttl=3600')
    expect(await status({ cookie: 'store_cart=1' })).to.match(/^Pentad; fwd=bypass; detail=[\w-]+$/)
    expect(await status({}, 'POST')).to.equal('Pentad; fwd=method')
  })

  it('say that a page was marked as stale by a soft purge', async () => {
    await ask(site, PAGE)
    site.host.hooks.doAction('purge_pages', { urls: [PAGE], soft: true })
    expect(await status()).to.equal('Pentad; hit; ttl=0; detail=stale')
  })

  it('are CDN-Cache-Control only on pages that are the same for everyone (RFC 9213)', async () => {
    const header = async (path: string, headers: Record<string, string> = {}) =>
      (await ask(site, path, { headers })).headers['cdn-cache-control']
    expect(await header(PAGE)).to.equal('max-age=600')
    expect(await header(PAGE, { cookie: 'pentad_session=x' })).to.equal(undefined)
    expect(await header('/no-such-page/')).to.equal(undefined)
    const body = { settings: { cdnTtlSeconds: 0 } }
    await site.request('/wp-json/speed/v1/settings', { method: 'PUT', as: 'administrator', body })
    site.host.hooks.doAction('purge_pages', { urls: [PAGE] })
    expect(await header(PAGE)).to.equal(undefined)
  })

  it('are repeated in a 304 for caches in front of the site', async () => {
    const { headers } = await ask(site, PAGE)
    const validated = await ask(site, PAGE, { headers: { 'if-none-match': String(headers.etag) } })
    expect(validated.status).to.equal(304)
    for (const name of ['cdn-cache-control', 'surrogate-key', 'cache-groups']) {
      expect(validated.headers[name], name).to.equal(headers[name])
    }
    expect(validated.headers['cache-status']).to.equal('Pentad; hit; ttl=3600')
  })
})
