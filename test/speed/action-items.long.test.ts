import { expect } from 'chai'
import type { TestHost, TestHostOptions } from 'pentad/testing'
import { generateLicenseKeyPair, issueLicense } from '../../cms/license/index.ts'
import { freePort } from '../support/free-port.ts'
import { anyId, fromPage, openSite, REPORT, tokenOf } from './visits.ts'

const { privateKey, publicKey } = generateLicenseKeyPair()
const FETCH = '/wp-json/speed/v1/action-items/fetch'

interface Item {
  id: string
  title: string
  description: string
  impact: 'high' | 'medium' | 'low'
  setting?: string
}

describe('GET /speed/v1/action-items/fetch', () => {
  let host: TestHost

  const open = async ({ config, licensed = true }: TestHostOptions & { licensed?: boolean } = {}) => {
    const license = licensed ? { licenseKey: issueLicense({ licensee: 'Ada', plan: 'pro' }, privateKey) } : {}
    host = await openSite({ config: { licensePublicKey: publicKey, ...license, ...config } })
  }
  afterEach(() => host.close())

  const items = async (): Promise<Item[]> => {
    const answer = await host.get(FETCH, { as: 'administrator' })
    expect(answer.status).to.equal(200)
    return JSON.parse(await answer.text()).data.items
  }
  const item = async (id: string) => (await items()).find((each) => each.id === id)
  const set = (settings: Record<string, unknown>) =>
    host.request('/wp-json/speed/v1/settings', { method: 'PUT', as: 'administrator', body: { settings } })
  const visits = async (metrics: Record<string, number>, device = 'mobile') => {
    const token = await tokenOf(host)
    for (let number = 0; number < 10; number++) {
      const values = Object.entries(metrics).map(([name, value]) => ({ name, value, id: anyId() }))
      const body = { token, url: '/', device, metrics: values }
      await host.request(REPORT, { method: 'POST', headers: fromPage(), body })
    }
  }

  it('does not exist without a license, and comes with one', async () => {
    await open({ licensed: false })
    const answer = await host.get(FETCH, { as: 'administrator' })
    expect(answer.status).to.equal(404)
    expect(JSON.parse(await answer.text()).code).to.equal('rest_no_route')
    await host.host.license.set(issueLicense({ licensee: 'Ada', plan: 'pro' }, privateKey))
    expect((await host.get(FETCH, { as: 'administrator' })).status).to.equal(200)
  })

  it('is an administrator’s', async () => {
    await open()
    expect((await host.get(FETCH)).status).to.equal(401)
    expect((await host.get(FETCH, { as: 'editor' })).status).to.equal(403)
  })

  it('is empty for a site where everything is on and no problem is reported', async () => {
    await open()
    expect(await items()).to.deep.equal([])
    await visits({ LCP: 1000, CLS: 0.01, INP: 50, FCP: 500, TTFB: 100 })
    expect(await items()).to.deep.equal([])
  })

  it('names what is switched off, with its setting', async () => {
    await open()
    await set({ lazyImages: 'off', imageFormats: [], vitalsSampleRate: 0, cacheTtlSeconds: 60 })
    const found = await items()
    expect(found.map(({ setting }) => setting)).to.have.members([
      ...['lazyImages', 'imageFormats', 'vitalsSampleRate', 'cacheTtlSeconds'],
    ])
    for (const { id, title, description } of found) {
      expect([id, title, description].every((text) => text.length > 3)).to.equal(true)
    }
  })

  it('asks for the page cache first, by the setting or by the configuration', async () => {
    await open()
    await set({ pageCache: 'off', minifyHtml: 'off' })
    expect((await items())[0]).to.include({ id: 'page-cache', impact: 'high', setting: 'pageCache' })
    await host.close()
    await open({ config: { pageCache: 'off' } })
    const [first] = await items()
    expect(first).to.include({ id: 'page-cache', impact: 'high' }).and.not.to.have.property('setting')
    expect(first?.description).to.contain('PENTAD_PAGE_CACHE')
  })

  it('names metrics that are not good, with what was measured and where', async () => {
    await open()
    await visits({ LCP: 5000, INP: 300, CLS: 0 })
    const lcp = await item('metric-lcp')
    expect(lcp?.impact).to.equal('high')
    expect(lcp?.description).to.contain('5000 ms').and.contain('2500 ms').and.contain('mobile')
    expect((await item('metric-inp'))?.impact).to.equal('medium')
    expect(await item('metric-cls')).to.equal(undefined)
  })

  it('rates a setting by how bad that is which it helps', async () => {
    await open()
    await set({ deferJs: 'off' })
    expect((await item('setting-deferJs'))?.impact).to.equal('low')
    await visits({ INP: 300 })
    expect((await item('setting-deferJs'))?.impact).to.equal('medium')
    await visits({ FCP: 9000 })
    expect((await item('setting-deferJs'))?.impact).to.equal('high')
  })

  it('says when few answers come from the cache, and names the parameters that make pages many', async () => {
    const port = await freePort()
    // The cache answers those who ask for the site by its own name.
    await open({ config: { port, url: `http://127.0.0.1:${port}` } })
    for (let number = 0; number < 120; number++) await host.get(`/sample-page/?campaign=${number}`)
    const found = await item('cache-hits')
    expect(found).to.include({ impact: 'medium', setting: 'ignoredQueryParams' })
    expect(found?.description).to.contain('0%')
    for (let number = 0; number < 300; number++) await host.get('/sample-page/?campaign=1')
    expect(await item('cache-hits')).to.equal(undefined)
  })

  it('proposes a CDN where the first byte is slow, unless there is one', async () => {
    await open()
    expect(await item('cdn')).to.equal(undefined)
    await visits({ TTFB: 2500 })
    // A CDN is connected by an extension: no setting of the service does it.
    expect(await item('cdn'))
      .to.include({ impact: 'high' })
      .and.not.to.have.property('setting')
    await set({ cdnUrl: 'https://cdn.test' })
    expect(await item('cdn')).to.equal(undefined)
    await set({ cdnUrl: '' })
    host.host.hooks.addAction('speed_purged', () => {})
    expect(await item('cdn')).to.equal(undefined)
  })
})
