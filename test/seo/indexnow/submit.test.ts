import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { LICENSED } from '../license.ts'
import { openSeoSite, putSettings, set } from '../seo-site.ts'
import { type Endpoint, letOut, openEndpoint } from './endpoint.ts'

const INDEXNOW = '/wp-json/seo/v1/geo/indexnow'

describe('POST /seo/v1/geo/indexnow', () => {
  let site: TestHost
  let endpoint: Endpoint
  let told: { readonly urls: readonly string[]; readonly status: number }[]
  before(async () => {
    site = await openSeoSite({ config: LICENSED })
    endpoint = await openEndpoint()
    letOut(site)
    await set(site, { indexNowEndpoint: endpoint.url })
    site.host.hooks.addAction('seo_indexnow_submitted', (submission) => void told.push(submission))
  })
  after(async () => {
    await site.close()
    await endpoint.close()
  })
  beforeEach(() => {
    endpoint.received.length = 0
    endpoint.mood = 200
    endpoint.headers = {}
    told = []
  })

  const submit = (body: object, as = 'administrator') => site.request(INDEXNOW, { method: 'POST', as, body })
  const read = async (answer: Response) => ({ status: answer.status, ...JSON.parse(await answer.text()) })
  const ours = (path: string) => site.url.replace(/\/$/, '') + path

  it('is an administrator’s, and Pro', async () => {
    expect((await site.request(INDEXNOW, { method: 'POST', body: {} })).status).to.equal(401)
    expect((await submit({}, 'editor')).status).to.equal(403)
    const free = await openSeoSite()
    const answer = await read(await free.request(INDEXNOW, { method: 'POST', as: 'administrator', body: {} }))
    expect(answer.code).to.equal('rest_no_route')
    await free.close()
  })

  it('submits the home page as a test, with a key that its file proves', async () => {
    const answer = await read(await submit({}))
    expect(answer.data).to.deep.equal({ submitted: 1, status: 200, endpoint: endpoint.url })
    const [{ method, path, type, body } = { body: undefined }] = endpoint.received
    expect({ method, path, type }).to.deep.equal({
      method: 'POST',
      path: '/indexnow',
      type: 'application/json; charset=utf-8',
    })
    expect(body?.host).to.equal(new URL(site.url).host)
    expect(body?.urlList).to.deep.equal([ours('/')])
    expect(body?.key).to.match(/^[0-9a-f]{32}$/)
    expect(body?.keyLocation).to.equal(ours(`/${body?.key}.txt`))
    const file = await site.get(`/${body?.key}.txt`)
    expect({ status: file.status, type: file.headers.get('content-type'), text: await file.text() }).to.deep.equal({
      ...{ status: 200, type: 'text/plain; charset=utf-8', text: body?.key },
    })
  })

  it('serves the file of the key that was typed, and of no other', async () => {
    await set(site, { indexNowKey: 'My-own-key-1234' })
    await submit({})
    expect(endpoint.received[0]?.body.keyLocation).to.equal(ours('/My-own-key-1234.txt'))
    expect(await (await site.get('/My-own-key-1234.txt')).text()).to.equal('My-own-key-1234')
    const log = await read(await site.get(INDEXNOW, { as: 'administrator' }))
    expect(log.data).to.include({ key: 'My-own-key-1234', keyLocation: ours('/My-own-key-1234.txt') })
    expect((await site.request('/My-own-key-1234.txt', { method: 'HEAD' })).status).to.equal(200)
    await set(site, { indexNowKey: '' })
    expect((await site.get('/My-own-key-1234.txt')).status).to.equal(404)
    for (const indexNowKey of ['short', 'x'.repeat(129), 'with blanks', '../../secret', 'ключ-ключ'])
      expect((await putSettings(site, { indexNowKey })).status, indexNowKey).to.equal(400)
  })

  it('takes one URL or many, each once, on the site’s own origin and without fragments', async () => {
    expect((await read(await submit({ urls: '/about/' }))).data.submitted).to.equal(1)
    const urls = [ours('/a/'), ours('/a/#part'), ours('/a/').replace('http:', 'https:'), '/b/?c=d', ours('/größe/')]
    expect((await read(await submit({ urls }))).data.submitted).to.equal(3)
    expect(endpoint.received[1]?.body.urlList).to.deep.equal([ours('/a/'), ours('/b/?c=d'), ours('/gr%C3%B6%C3%9Fe/')])
  })

  it('takes 10,000 long URLs, and no more', async () => {
    const urls = Array.from({ length: 10_000 }, (_, at) => `/${'long-'.repeat(30)}${at}/`)
    expect((await read(await submit({ urls }))).data.submitted).to.equal(10_000)
    expect(endpoint.received[0]?.body.urlList).to.have.length(10_000)
    expect((await read(await submit({ urls: [...urls, '/one-more/'] }))).code).to.equal('rest_invalid_param')
  })

  for (const url of [
    'https://example.com/',
    'http://user:pass@SITE/',
    'http://SITE.example.com/',
    '//example.com/',
    '/\\example.com/',
    'ftp://SITE/',
    'javascript:alert(1)',
    'about',
    '',
  ])
    it(`refuses ${JSON.stringify(url)}, and sends nothing`, async () => {
      const foreign = url.replace('SITE', new URL(site.url).host)
      const answer = await read(await submit({ urls: ['/fine/', foreign] }))
      expect({ status: answer.status, code: answer.code }).to.deep.equal({ status: 400, code: 'rest_invalid_param' })
      expect(answer.data.details.urls.urls).to.deep.equal([foreign])
      expect(endpoint.received).to.deep.equal([])
    })

  for (const urls of [[], [7], {}, 7])
    it(`refuses ${JSON.stringify(urls)} in place of URLs`, async () => {
      expect((await submit({ urls })).status).to.equal(400)
    })

  it('refuses to submit a site that wants to be left alone', async () => {
    await site.host.options.update('blog_public', 0)
    const answer = await read(await submit({}))
    await site.host.options.update('blog_public', 1)
    expect({ status: answer.status, code: answer.code }).to.deep.equal({ status: 409, code: 'site_not_public' })
    expect(endpoint.received).to.deep.equal([])
  })

  for (const status of [200, 202])
    it(`tells of a submission that is answered ${status}`, async () => {
      endpoint.mood = status
      const answer = await read(await submit({ urls: ['/a/'] }))
      expect(answer.data).to.deep.equal({ submitted: 1, status, endpoint: endpoint.url })
      expect(told).to.deep.equal([{ urls: [ours('/a/')], status }])
    })

  for (const [mood, status, code, endpointStatus] of [
    [400, 422, 'indexnow_rejected', 400],
    [403, 422, 'indexnow_rejected', 403],
    [422, 422, 'indexnow_rejected', 422],
    [429, 422, 'indexnow_rejected', 429],
    [302, 422, 'indexnow_rejected', 302],
    [500, 502, 'indexnow_unreachable', 500],
    [503, 502, 'indexnow_unreachable', 503],
    ['hang up', 502, 'indexnow_unreachable', null],
  ] as const)
    it(`answers ${status} ${code} where the endpoint says ${mood}, and tells nobody`, async () => {
      endpoint.mood = mood
      if (mood === 302) endpoint.headers = { Location: `${endpoint.url}/elsewhere` }
      const answer = await read(await submit({ urls: ['/a/'] }))
      expect(answer).to.deep.include({ code })
      expect(answer.data).to.deep.equal({ status, endpoint: endpoint.url, endpointStatus })
      expect(JSON.stringify(answer)).to.not.include('secret words')
      expect(endpoint.received).to.have.length(1)
      expect(told).to.deep.equal([])
    })

  it('says how long to wait where the endpoint does', async () => {
    endpoint.mood = 429
    endpoint.headers = { 'Retry-After': '120' }
    expect((await submit({})).headers.get('retry-after')).to.equal('120')
  })

  it('does not wait for an endpoint that never answers', async () => {
    endpoint.mood = 'hang'
    expect((await read(await submit({}))).code).to.equal('indexnow_unreachable')
    expect(told).to.deep.equal([])
  })

  it('responds with 502 if the endpoint is unreachable', async () => {
    await set(site, { indexNowEndpoint: 'http://127.0.0.1:9/indexnow' })
    const answer = await read(await submit({}))
    await set(site, { indexNowEndpoint: endpoint.url })
    expect({ status: answer.status, code: answer.code }).to.deep.equal({ status: 502, code: 'indexnow_unreachable' })
  })

  for (const indexNowEndpoint of [
    'ftp://example.org/',
    'javascript:alert(1)',
    'indexnow',
    'https://me:secret@example.org/',
  ])
    it(`does not take ${indexNowEndpoint} for an endpoint`, async () => {
      expect((await putSettings(site, { indexNowEndpoint })).status).to.equal(400)
    })

  it('keeps a log of submissions', async () => {
    endpoint.mood = 403
    await submit({ urls: ['/a/', '/b/'] })
    const { data } = await read(await site.get(`${INDEXNOW}?perPage=1`, { as: 'administrator' }))
    const [{ submittedAt, ...entry }] = data.items
    expect(Date.parse(submittedAt)).to.be.closeTo(Date.now(), 60_000)
    expect(entry).to.deep.equal({
      ...{ urls: 2, status: 403, endpoint: endpoint.url, origin: 'manual' },
      message: 'The key is not valid: the endpoint could not find it in the key file.',
    })
    expect(data.total).to.be.at.least(1)
  })
})
