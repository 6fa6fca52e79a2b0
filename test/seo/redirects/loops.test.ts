import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite } from '../seo-site.ts'
import { ask, call, clear, make } from './redirects-site.ts'

describe('Redirect loops', () => {
  let site: TestHost

  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())
  afterEach(() => clear(site))

  const create = (rule: object) => call(site, 'POST', '/redirects', rule)
  const isLoop = { status: 409, code: 'redirect_loop' }

  describe('are rejected for rules that redirect to themselves', () => {
    const OWN = [
      ['/a', '/a'],
      ['/a', '/a/'],
      ['/a/', '/A'],
      ['/a', '/%61'],
      ['/é', '/%C3%A9/'],
      ['/a', '/a?x=1'],
      ['/a', '/a#part'],
      ['/a', '/b/../a'],
      ['/a/b', '/a/%2E/b?x=1'],
      ['/a?x=1', '/a?y=2&x=1'],
      ['/', '/?x=1'],
      // Browsers ask for what is left of these without the dots.
      ['/a', '/a/.'],
      ['/a', '/./a'],
      ['/a', '/b/../a'],
      ['/a', '/b/%2E%2e/a/?x=1'],
    ]
    for (const [source, target] of OWN) {
      it(`${source} → ${target}`, async () => {
        expect(await create({ source, target })).to.deep.include(isLoop)
        expect(await create({ source, target, query: 'pass' })).to.deep.include(isLoop)
      })
    }

    it('by this site’s own address, with another scheme or www. too', async () => {
      const own = await openSeoSite({ config: { url: 'https://example.com' } })
      const add = (target: string) => call(own, 'POST', '/redirects', { source: '/a', target })
      for (const origin of ['https://example.com', 'http://EXAMPLE.com:80', 'https://www.example.com:443']) {
        expect(await add(`${origin}/a/`), origin).to.deep.include(isLoop)
      }
      expect((await add('https://example.com:8443/a')).status).to.equal(201)
      await own.close()
    })

    it('by a pattern that takes its own target', async () => {
      const patterns = [
        ['^/a(.*)', '/a$1'],
        ['^/a(.*)', '/ab$1'],
        ['^/a(.*)', '/b/../a$1'],
        ['^/(.*)$', '/$1'],
        ['/x|/y/(\\d{3})', '/y/123'],
        ['^/[^a]+(?:b|c)?$', '/z'],
        ['^/\\p{L}+/?$', '/é'],
      ]
      for (const [source, target] of patterns) {
        expect(await create({ source, target, match: 'regex' }), source).to.deep.include(isLoop)
      }
      for (const [source, target] of [
        ['/*', '/new/*'],
        ['/*', '/'],
        ['/old/*', '/old/x/*'],
      ]) {
        expect(await create({ source, target, match: 'wildcard' }), source).to.deep.include(isLoop)
      }
    })
  })

  it('are rejected when the last of several rules closes them, with the chain in the error', async () => {
    await make(site, '/a', '/b')
    await make(site, '/B/', '/c?x=1')
    const closing = await create({ source: '/c', target: '/a?y=2' })
    expect(closing).to.deep.include(isLoop)
    expect(closing.data.chain).to.deep.equal(['/c', '/a?y=2', '/b', '/c?x=1', '/a?y=2'])
    expect((await create({ source: '/c?x=2', target: '/a' })).status).to.equal(201)
  })

  it('are refused when only a query that is passed on closes them', async () => {
    await make(site, '/b?x=1', '/a?x=1')
    expect(await create({ source: '/a', target: '/b', query: 'pass' })).to.deep.include(isLoop)
  })

  it('are refused between patterns and exact rules, whichever comes first', async () => {
    await make(site, '/new/1', '/old/1')
    expect(await create({ source: '/old/*', target: '/new/*', match: 'wildcard' })).to.deep.include(isLoop)
    expect(await create({ source: '^/old/(\\d)$', target: '/new/$1', match: 'regex' })).to.deep.include(isLoop)
    await clear(site)
    await make(site, '/old/*', '/new/*', { match: 'wildcard' })
    expect(await create({ source: '/new/1', target: '/old/1' })).to.deep.include(isLoop)
  })

  it('are refused when the site itself closes them, which sends to the one address of a page', async () => {
    const post = await site.host.content.posts.getByPath('/hello-world/')
    for (const target of [`/?p=${post?.id}`, '/Hello-World/', '/index.php/hello-world']) {
      expect(await create({ source: '/hello-world/', target }), target).to.deep.include(isLoop)
    }
    for (const [match, source] of [
      ['regex', '^/hello-world/?$'],
      ['wildcard', '/hello-world*'],
    ]) {
      expect(await create({ source, target: `/?p=${post?.id}`, match }), source).to.deep.include(isLoop)
    }
    const rules = [
      { source: '/hello-world/', target: `/?p=${post?.id}` },
      { source: '/sample-page/', target: '/index.php/sample-page' },
    ]
    const { data } = await call(site, 'POST', '/redirects/import', { rules })
    expect(data.imported).to.equal(0)
    expect(data.errors.map(({ line }: { line: number }) => line)).to.deep.equal([1, 2])
    await make(site, '/between', `/?p=${post?.id}`)
    expect(await create({ source: '/hello-world', target: '/between' })).to.deep.include(isLoop)
  })

  it('are refused in an import when the site closes them at the end of several rules', async () => {
    const post = await site.host.content.posts.getByPath('/hello-world/')
    const rules = [
      { source: '/sample-page/', target: '/?pagename=sample-page' },
      { source: '/other', target: `/?p=${post?.id}` },
      { source: '/further', target: '/other' },
      { source: '/hello-world/', target: '/further' },
    ]
    const { data } = await call(site, 'POST', '/redirects/import', { rules })
    expect(data).to.deep.include({ imported: 3, skipped: 0 })
    expect(data.errors.map(({ line }: { line: number }) => line)).to.deep.equal([4])
    expect(await ask(site, '/hello-world/')).to.equal('200')
  })

  it('are refused when a rule is switched on or changed, and then everything is as it was', async () => {
    await make(site, '/a', '/b')
    const id = await make(site, '/b', '/a', { enabled: false })
    expect(await call(site, 'PATCH', `/redirects/${id}`, { enabled: true })).to.deep.include(isLoop)
    await call(site, 'PATCH', `/redirects/${id}`, { target: '/c' })
    await call(site, 'PATCH', `/redirects/${id}`, { enabled: true })
    expect(await call(site, 'PATCH', `/redirects/${id}`, { target: '/a' })).to.deep.include(isLoop)
    expect(await call(site, 'PATCH', `/redirects/${id}`, { source: '/c', target: '/a?x' })).to.have.property(
      'status',
      200,
    )
    expect(await ask(site, '/a')).to.equal('301 /b')
    expect(await ask(site, '/b')).to.equal('404')
    expect(await ask(site, '/c')).to.equal('301 /a?x')
  })

  it('are errors of an import, in whichever order the rules come; the others are taken', async () => {
    const rules = [
      { source: '/c', target: '/a' },
      { source: '/a', target: '/b' },
      { source: '/b', target: '/c' },
      { source: '/self', target: '/self/' },
      { source: '/fine', target: '/a' },
      { source: '^/p/(.*)', target: '/q/$1', match: 'regex' },
      { source: '/q/1', target: '/p/1' },
    ]
    const { data } = await call(site, 'POST', '/redirects/import', { rules })
    expect(data).to.deep.include({ imported: 4, skipped: 0 })
    expect(data.errors.map(({ line }: { line: number }) => line)).to.deep.equal([3, 4, 7])
    expect(data.errors[0].message).to.contain('would create a loop')
  })

  it('are not followed if they were not detected in advance', async () => {
    // The one takes numbers above 41 only, which no sample shows.
    await make(site, '^/even/(4[2-9])$', '/odd/$1', { match: 'regex' })
    await make(site, '^/(?:odd)/(\\d[3-9])$', '/even/$1', { match: 'regex' })
    expect(await ask(site, '/even/42')).to.equal('301 /odd/42')
    expect(await ask(site, '/even/43')).to.equal('404')
    expect(await ask(site, '/odd/43')).to.equal('404')
    const { data } = await call(site, 'POST', '/redirects/test', { url: '/even/43' })
    expect(data.end).to.equal('loop')
  })

  it('show in the simulator with every hop and why; a long way through paths that get shorter is none', async () => {
    await make(site, '^/x/(.*)$', '/$1', { match: 'regex', status: 302 })
    await make(site, '/end', 'https://other.example/')
    const long = await call(site, 'POST', '/redirects/test', { url: `${site.url}/${'x/'.repeat(40)}end?y=1` })
    expect(long.data).to.deep.include({ end: 'elsewhere', url: 'https://other.example/' })
    expect(long.data.hops).to.have.length(41)
    expect(long.data.hops[0]).to.have.nested.property('rule.source', '^/x/(.*)$')
    expect(long.data.hops[40]).to.deep.include({ url: '/end', location: 'https://other.example/' })
    const none = await call(site, 'POST', '/redirects/test', { url: '/nothing' })
    expect(none.data).to.deep.equal({ hops: [], end: 'page', url: '/nothing' })
    const foreign = await call(site, 'POST', '/redirects/test', { url: 'https://other.example/x' })
    expect(foreign).to.deep.include({ status: 400, code: 'rest_invalid_param' })
    expect(
      (await call(site, 'GET', '/redirects')).data.items.every(({ hits }: { hits: number }) => hits === 0),
    ).to.equal(true)
  })
})
