import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { type SpeedSite, startSpeedSite } from './speed-site.ts'

const POST_ROUTES = [
  ...['cache-status', 'purge-current-page', 'purge-pages-and-preload', 'purge-cache-and-preload'],
  ...['purge-everything-and-preload', 'preload-cache'],
]
const GET_ROUTES = ['optimized-pages/fetch', 'optimized-assets/fetch']

describe('routes of the page cache', () => {
  let speed: SpeedSite
  const call = async (method: string, route: string, { as = 'administrator', headers = {}, body = {} } = {}) => {
    const answer = await speed.site.request(`/wp-json/speed/v1/${route}`, {
      ...{ method, headers },
      ...(method !== 'GET' && { body }),
      ...(as !== '' && { as }),
    })
    const json = JSON.parse(await answer.text())
    return { status: answer.status, code: json.code, data: json.data, headers: answer.headers }
  }

  before(async () => {
    speed = await startSpeedSite()
  })
  after(() => speed.site.close())

  it('ask for manage_options', async () => {
    for (const [method, routes] of [
      ['POST', POST_ROUTES],
      ['GET', GET_ROUTES],
    ] as const) {
      for (const route of routes) {
        expect(await call(method, route, { as: '' }), route).to.include({ status: 401, code: 'rest_forbidden' })
        expect(await call(method, route, { as: 'editor' }), route).to.include({ status: 403, code: 'rest_forbidden' })
      }
    }
  })

  it('exist for their one method only', async () => {
    for (const route of POST_ROUTES)
      expect(await call('GET', route), route).to.include({ status: 404, code: 'rest_no_route' })
    for (const route of GET_ROUTES)
      expect(await call('POST', route), route).to.include({ status: 404, code: 'rest_no_route' })
  })

  it('POST /cache-status says that pages are cached', async () => {
    expect((await call('POST', 'cache-status')).data).to.deep.equal({ status: 'active' })
  })

  describe('POST /purge-current-page', () => {
    const purge = (url: unknown, headers = {}) => call('POST', 'purge-current-page', { headers, body: { url } })

    it('removes the page in all its variants, by URL or path, and says what went', async () => {
      const { url } = speed.site
      for (const given of ['/about/', `${url}/about/`, `${url}/about/?utm_source=mail#team`, '/about/?x=1']) {
        await speed.fill(['/about/', '/about/?x=1', '/third/'])
        const { status, data } = await purge(given)
        expect(status).to.equal(200)
        expect(data.purged).to.have.members([`${url}/about/`, `${url}/about/?x=1`])
        expect(await speed.visit('/third/')).to.equal('HIT')
        expect(await speed.visit('/about/?x=1')).to.equal('MISS')
      }
    })

    it('answers the URL also if nothing of it was cached', async () => {
      expect((await purge('/never-seen/')).data).to.deep.equal({ purged: [`${speed.site.url}/never-seen/`] })
    })

    it('takes the Referer by default', async () => {
      await speed.fill(['/second/'])
      const headers = { Referer: `${speed.site.url}/second/?preview=1` }
      expect((await call('POST', 'purge-current-page', { headers })).data.purged).to.deep.equal([
        `${speed.site.url}/second/`,
      ])
    })

    it('refuses when there is neither', async () => {
      const { status, code, data } = await call('POST', 'purge-current-page')
      expect([status, code, data.params]).to.deep.equal([400, 'rest_missing_callback_param', ['url']])
    })

    it('renders the page again in the background', async () => {
      await speed.fill(['/about/team/'])
      await purge('/about/team/')
      const listed = async () => {
        const { data } = await call('GET', 'optimized-pages/fetch?perPage=100')
        return data.items.some(({ url }: { url: string }) => url.endsWith('/about/team/'))
      }
      while (!(await listed())) await wait(50)
      expect(await speed.visit('/about/team/')).to.equal('HIT')
    })

    const bad: unknown[] = [
      ...[
        '',
        ' ',
        'about',
        'about/',
        '//example.org/about/',
        '\\\\example.org/',
        '/\\example.org/',
        'https://',
        'http:///x',
      ],
      ...['https://example.org/about/', 'http://127.0.0.1:1/about/', 'ftp://127.0.0.1/', 'javascript:alert(1)'],
      ...[
        '/a/../about/',
        '/../etc/passwd',
        '/a/%2e%2e/b',
        '/%2E/',
        '/a%00b',
        '/a\u0001b',
        '/a\nb',
        '/a b',
        '/a%0d%0ab',
      ],
      ...['/a%2fb', '/a%5Cb', `/${'a'.repeat(3000)}`, 7, ['/about/'], { path: '/about/' }],
    ]
    for (const url of bad) {
      it(`refuses ${JSON.stringify(url).slice(0, 40)}`, async () => {
        const { status, code, data } = await purge(url)
        expect([status, code, Object.keys(data.params)]).to.deep.equal([400, 'rest_invalid_param', ['url']])
      })
    }

    it('refuses the credentials in a URL, another port and a foreign Referer', async () => {
      const { host } = new URL(speed.site.url)
      for (const url of [`http://user:secret@${host}/about/`, `http://${host}1/about/`, `http://${host}.example.org/`])
        expect(await purge(url), url).to.include({ status: 400, code: 'rest_invalid_param' })
      const headers = { Referer: 'https://example.org/' }
      expect(await call('POST', 'purge-current-page', { headers })).to.include({
        status: 400,
        code: 'rest_invalid_param',
      })
    })
  })

  for (const scope of ['pages', 'cache', 'everything']) {
    it(`POST /purge-${scope}-and-preload removes all pages and says how many`, async () => {
      await call('POST', 'purge-pages-and-preload')
      await speed.fill(['/', '/about/'])
      const { status, data } = await call('POST', `purge-${scope}-and-preload`)
      expect(status).to.equal(200)
      expect(data.purged).to.be.at.least(2)
      expect(data.preload.queued).to.be.at.least(6)
    })
  }

  it('several purges at once are one preload', async () => {
    const routes = ['purge-everything-and-preload', 'purge-pages-and-preload', 'purge-everything-and-preload']
    const answers = await Promise.all(routes.map((route) => call('POST', route)))
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200])
    const queued = Math.max(...answers.map(({ data }) => data.preload.queued))
    const { data } = await call('GET', 'optimized-pages/fetch')
    expect(data.preload.queued).to.be.at.most(queued)
  })

  describe('GET /optimized-pages/fetch', () => {
    it('lists cached pages, most visited first, with the progress of the preload', async () => {
      await speed.fill(['/second/'])
      for (let visits = 0; visits < 20; visits++) await speed.visit('/second/')
      const { data, headers } = await call('GET', 'optimized-pages/fetch?perPage=1')
      expect(data.items).to.have.lengthOf(1)
      expect(data.items[0]).to.include({ url: `${speed.site.url}/second/`, status: 'fresh' })
      expect(data.items[0]).to.have.all.keys(
        ...['url', 'cachedAt', 'size', 'compressedSize', 'hits', 'status', 'optimizations'],
      )
      expect(data).to.include({ page: 1, perPage: 1, pages: data.total })
      expect(headers.get('x-wp-total')).to.equal(String(data.total))
      expect(data.preload).to.have.all.keys('running', 'queued', 'stored', 'skipped', 'failed')
    })

    it('is empty past the last page', async () => {
      expect((await call('GET', 'optimized-pages/fetch?page=999')).data.items).to.deep.equal([])
    })
  })

  it('GET /optimized-assets/fetch lists files by type and search', async () => {
    const { data } = await call('GET', 'optimized-assets/fetch?type=css&search=STYLE&perPage=5')
    expect(data).to.include({ page: 1, perPage: 5 })
    for (const { type, url } of data.items) {
      expect(type).to.equal('css')
      expect(url).to.match(/style/i)
    }
  })

  it('lists refuse what is out of bounds', async () => {
    for (const query of ['page=0', 'page=x', 'perPage=0', 'perPage=101'])
      for (const route of GET_ROUTES)
        expect(await call('GET', `${route}?${query}`), query).to.include({ status: 400, code: 'rest_invalid_param' })
    for (const query of ['type=html', `search=${'a'.repeat(201)}`])
      expect(await call('GET', `optimized-assets/fetch?${query}`)).to.include({
        status: 400,
        code: 'rest_invalid_param',
      })
  })
})
