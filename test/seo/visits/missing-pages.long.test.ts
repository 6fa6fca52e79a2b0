import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { createPendingHits } from '../../../plugins/seo/missing/pending-hits.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { ask } from '../../support/wire.ts'
import { set } from '../seo-site.ts'
import { clear, missingOn, openVisitedSite, visit } from './visit-site.ts'

describe('Missing addresses that wait to be written', () => {
  it('are limited in number: the oldest with one request are deleted', () => {
    const waiting = createPendingHits(100)
    const add = (url: string) => waiting.add({ url, referrer: '', userAgent: '' })
    for (let at = 0; at < 90; at++) add('/often/')
    for (let at = 0; at < 100_000; at++) add(`/random-${at}/`)
    add('/often/')
    const hits = waiting.take()
    expect(hits).to.have.length(100)
    expect(hits[0]).to.include({ url: '/often/', hits: 91 })
    expect(hits.slice(1).map(({ url }) => url)).to.deep.equal(
      Array.from({ length: 99 }, (_, at) => `/random-${100_000 - 99 + at}/`),
    )
    expect(waiting.take()).to.deep.equal([])
  })
})

onEachDatabase('The log of missing pages', (databaseUrl) => {
  let site: TestHost
  before(async () => {
    const url = await databaseUrl()
    site = await openVisitedSite({ config: url === undefined ? {} : { databaseUrl: url } })
  })
  afterEach(() => clear(site))
  after(() => site.close())

  const urls = async (query = '') => (await missingOn(site, query)).items.map(({ url }) => url)
  const post = (body: unknown) =>
    site.request('/wp-json/seo/v1/404s/redirect', { method: 'POST', body, as: 'administrator' })

  describe('GET /404s', () => {
    it('lists what was asked for and not found, with who asked last', async () => {
      const start = Date.now() - 1000
      await visit(site, '/gone/', { Referer: 'https://example.org/a', as: 'First' })
      await visit(site, '/gone/', { Referer: 'https://example.org/b', as: 'Second' })
      const { items, total } = await missingOn(site)
      expect(total).to.equal(1)
      const [entry] = items
      expect(entry).to.include({ url: '/gone/', hits: 2, referrer: 'https://example.org/b', userAgent: 'Second' })
      expect(Date.parse(entry?.firstSeenAt ?? '')).to.be.at.least(start)
      expect(entry?.lastSeenAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    })

    it('ranks by hits, then by the latest', async () => {
      for (const path of ['/once/', '/often/', '/often/', '/later/']) await visit(site, path)
      expect(await urls()).to.deep.equal(['/often/', '/later/', '/once/'])
    })

    it('keeps on counting what is written already', async () => {
      await visit(site, '/again/')
      await missingOn(site)
      await visit(site, '/again/')
      expect((await missingOn(site)).items[0]).to.include({ url: '/again/', hits: 2 })
    })

    it('has pages, and finds parts of addresses', async () => {
      for (const path of ['/a-1/', '/a-2/', '/b_3/']) await visit(site, path)
      expect((await missingOn(site, '?perPage=2&page=2')).items).to.have.length(1)
      expect(await urls('?search=a-')).to.have.members(['/a-1/', '/a-2/'])
      expect(await urls('?search=b_')).to.deep.equal(['/b_3/'])
      expect(await urls('?search=%25')).to.deep.equal([])
    })

    it('keeps the query, but not where a visitor came from', async () => {
      await visit(site, '/gone/?size=7&utm_source=news&fbclid=x')
      await visit(site, '/gone/?utm_campaign=y')
      expect(await urls()).to.have.members(['/gone/?size=7', '/gone/'])
    })

    it('returns as text what would be a script in HTML', async () => {
      await visit(site, '/"><script>alert(1)</script>', { Referer: 'javascript:alert(1)', as: '<script>x</script>' })
      const [entry] = (await missingOn(site)).items
      expect(entry?.url).to.equal('/%22%3E%3Cscript%3Ealert(1)%3C/script%3E')
      expect(entry?.userAgent).to.equal('<script>x</script>')
    })

    it('encodes what a client did not, and leaves out what is too long', async () => {
      await ask(site.url, '/"raw"/')
      await visit(site, `/${'long'.repeat(600)}/`)
      expect(await urls()).to.deep.equal(['/%22raw%22/'])
    })

    it('only contains page requests: no REST, no admin, no POST', async () => {
      await site.get('/wp-json/wp/v2/posts/999999')
      await site.get('/?rest_route=/wp/v2/posts/999999')
      await site.get('/wp-admin/nothing.php')
      await site.request('/nothing/', { method: 'POST' })
      expect(await urls()).to.deep.equal([])
    })

    it('counts no hits while it is switched off', async () => {
      await set(site, { log404: 'off' })
      await visit(site, '/gone/')
      await set(site, { log404: 'on' })
      expect(await urls()).to.deep.equal([])
    })

    it('is for administrators', async () => {
      expect((await site.get('/wp-json/seo/v1/404s')).status).to.equal(401)
      expect((await site.get('/wp-json/seo/v1/404s', { as: 'editor' })).status).to.equal(403)
    })
  })

  describe('A flood of different addresses', () => {
    it('leaves the log within its limit, and in it what is asked for again and again', async () => {
      await set(site, { log404MaxEntries: 100 })
      for (let hit = 0; hit < 3; hit++) await visit(site, '/really-missing/')
      await missingOn(site)
      for (let at = 0; at < 300; at += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, each) => visit(site, `/random-${at + each}/`)))
      }
      await visit(site, '/really-missing/')
      const { items, total } = await missingOn(site)
      expect(total).to.equal(100)
      expect(items[0]).to.include({ url: '/really-missing/', hits: 4 })
      expect(items[1]?.url).to.match(/^\/random-2\d\d\/$/)
      await set(site, { log404MaxEntries: 10_000 })
    })
  })

  describe('DELETE /404s', () => {
    it('empties the log', async () => {
      await visit(site, '/gone/')
      const answer = await site.request('/wp-json/seo/v1/404s', { method: 'DELETE', as: 'administrator' })
      expect(await answer.json()).to.deep.equal({ status: 'success', data: { deleted: 1 } })
      expect(await urls()).to.deep.equal([])
    })
  })

  describe('POST /404s/redirect', () => {
    it('makes a redirect that works at once, and takes the entry off', async () => {
      await visit(site, '/old-page/')
      const [entry] = (await missingOn(site)).items
      const answer = await post({ id: entry?.id, target: '/hello-world/' })
      expect(answer.status).to.equal(201)
      expect(JSON.parse(await answer.text()).data).to.include({
        ...{ source: '/old-page/', target: '/hello-world/', status: 301, match: 'exact', enabled: true },
      })
      const redirected = await visit(site, '/old-page/')
      expect(redirected.status).to.equal(301)
      expect(redirected.headers.get('location')).to.match(/\/hello-world\/$/)
      expect(await urls()).to.deep.equal([])
    })

    it('removes the entry permanently, even if the URL is requested meanwhile', async () => {
      await visit(site, '/asked-again/')
      const [entry] = (await missingOn(site)).items
      await visit(site, '/asked-again/')
      expect((await post({ id: entry?.id, target: '/hello-world/' })).status).to.equal(201)
      expect(await urls()).to.deep.equal([])
    })

    it('knows that two slashes in front are one', async () => {
      await ask(site.url, '//slashes/')
      const [entry] = (await missingOn(site)).items
      expect(entry?.url).to.equal('//slashes/')
      expect((await post({ id: entry?.id, target: '/hello-world/' })).status).to.equal(201)
      expect(await ask(site.url, '//slashes/')).to.match(/^location: \/hello-world\/\r$/im)
      expect(await urls()).to.deep.equal([])
    })

    it('marks a page as permanently removed (410)', async () => {
      await visit(site, '/gone-for-good/')
      const [entry] = (await missingOn(site)).items
      expect((await post({ id: entry?.id, status: 410 })).status).to.equal(201)
      expect((await visit(site, '/gone-for-good/')).status).to.equal(410)
    })

    it('refuses what no redirect can be, and keeps the entry', async () => {
      await visit(site, '/bad/')
      const [entry] = (await missingOn(site)).items
      expect((await post({ id: entry?.id, target: 'javascript:alert(1)' })).status).to.equal(400)
      expect((await post({ id: entry?.id, target: '/bad/' })).status).to.equal(409)
      expect((await post({ id: entry?.id, target: '/x/', status: 200 })).status).to.equal(400)
      expect(await urls()).to.deep.equal(['/bad/'])
    })

    it('answers 404 for an entry that is not there', async () => {
      const answer = await post({ id: 999_999, target: '/' })
      expect(answer.status).to.equal(404)
      expect(JSON.parse(await answer.text()).code).to.equal('404_not_found')
    })
  })

  describe('where visitors of a missing address probably wanted to go', () => {
    const suggestions = async () =>
      Object.fromEntries((await missingOn(site)).items.map(({ url, suggestion }) => [url, suggestion]))

    it('is the published page whose slug the URL ends with, whatever surrounds it', async () => {
      for (const path of ['/2019/Hello-World.html', '/blog/hello_world/?q=1', '/hello-world-2/', '/nowhere/', '/x?y=z'])
        await visit(site, path)
      expect(await suggestions()).to.deep.equal({
        '/2019/Hello-World.html': '/hello-world/',
        '/blog/hello_world/?q=1': '/hello-world/',
        '/hello-world-2/': '/hello-world/',
        '/nowhere/': null,
        '/x?y=z': null,
      })
    })

    it('is never a page that only few can read', async () => {
      await site.host.content.posts.insert({ title: 'Secret plan', slug: 'secret-plan', status: 'private' })
      await visit(site, '/old/secret-plan/')
      expect(await suggestions()).to.deep.equal({ '/old/secret-plan/': null })
    })
  })

  describe('POST /404s/ignore', () => {
    const ignore = (id: number | undefined, as = 'administrator') =>
      site.request('/wp-json/seo/v1/404s/ignore', { method: 'POST', body: { id }, as })
    afterEach(() => set(site, { log404Ignored: [] }))

    it('removes a URL from the log permanently, with any query', async () => {
      await visit(site, '/probe.php?x=1')
      const [entry] = (await missingOn(site)).items
      const answer = await ignore(entry?.id)
      expect(JSON.parse(await answer.text()).data).to.deep.equal({ ignored: '/probe.php' })
      await visit(site, '/probe.php?x=2')
      await visit(site, '/other/')
      expect(await urls()).to.deep.equal(['/other/'])
    })

    it('takes a star of a visitor for a star, not for all addresses', async () => {
      await visit(site, '/*')
      const [entry] = (await missingOn(site)).items
      expect(JSON.parse(await (await ignore(entry?.id)).text()).data).to.deep.equal({ ignored: '/%2A' })
      await visit(site, '/*')
      await visit(site, '/other/')
      expect(await urls()).to.deep.equal(['/other/'])
    })

    it('takes the longest address that is kept', async () => {
      await visit(site, `/${'a'.repeat(1999)}`)
      const [entry] = (await missingOn(site)).items
      expect((await ignore(entry?.id)).status).to.equal(200)
    })

    it('loses none of several that come at once', async () => {
      for (const path of ['/a.php', '/b.php', '/c.php', '/d.php']) await visit(site, path)
      const answers = await Promise.all((await missingOn(site)).items.map(({ id }) => ignore(id)))
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
      expect(site.host.settings.get('seo')?.get().log404Ignored).to.have.members([
        '/a.php',
        '/b.php',
        '/c.php',
        '/d.php',
      ])
    })

    it('is undone by the setting, which knows patterns too', async () => {
      await set(site, { log404Ignored: ['/wp-content/*.map', '*/xmlrpc.php', '/a*b*c'] })
      for (const path of ['/wp-content/x/y.map', '/blog/xmlrpc.php', '/aXbYc', '/aXcYb', '/wp-content/y.mapx'])
        await visit(site, path)
      expect((await urls()).toSorted()).to.deep.equal(['/aXcYb', '/wp-content/y.mapx'])
    })

    it('is an administrator’s, and answers 404 for an entry that is not there', async () => {
      expect((await ignore(1, 'editor')).status).to.equal(403)
      expect((await ignore(999_999)).status).to.equal(404)
    })
  })
})
