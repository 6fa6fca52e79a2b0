import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { openSeoSite } from '../seo-site.ts'
import { ask, call, clear, make } from './redirects-site.ts'

onEachDatabase('seo/v1/redirects', (databaseUrl) => {
  let site: TestHost

  before(async () => {
    const url = await databaseUrl()
    site = await openSeoSite(url === undefined ? {} : { config: { databaseUrl: url } })
  })
  after(() => site.close())
  afterEach(() => clear(site))

  it('makes a rule that works at once, and answers it', async () => {
    const { status, data } = await call(site, 'POST', '/redirects', { source: '/old', target: '/new/' })
    expect(status).to.equal(201)
    expect(data).to.deep.include({
      source: '/old',
      target: '/new/',
      match: 'exact',
      status: 301,
      query: 'ignore',
      caseSensitive: false,
      enabled: true,
      hits: 0,
      lastHitAt: null,
      note: '',
    })
    expect(data.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(await ask(site, '/old')).to.equal('301 /new/')
  })

  it('lists, searches, reads, changes, switches off and deletes', async () => {
    const id = await make(site, '/one', '/uno')
    await make(site, '/two', '/dos', { enabled: false, note: 'later' })
    const list = await call(site, 'GET', '/redirects?search=ON&perPage=5')
    expect(list.data).to.deep.include({ total: 1, page: 1, perPage: 5, pages: 1 })
    expect(list.data.items[0]).to.deep.include({ id, source: '/one' })
    expect((await call(site, 'GET', '/redirects?enabled=false')).data.items[0].note).to.equal('later')

    const changed = await call(site, 'PATCH', `/redirects/${id}`, { target: '/eins', status: 308 })
    expect(changed.data).to.deep.include({ id, source: '/one', target: '/eins', status: 308 })
    expect(await ask(site, '/one')).to.equal('308 /eins')
    await call(site, 'PUT', `/redirects/${id}`, { enabled: false })
    expect(await ask(site, '/one')).to.equal('404')
    expect((await call(site, 'GET', `/redirects/${id}`)).data.enabled).to.equal(false)

    expect((await call(site, 'DELETE', `/redirects/${id}`)).data.id).to.equal(id)
    const gone = { status: 404, code: 'redirect_not_found' }
    for (const method of ['GET', 'DELETE']) {
      expect(await call(site, method, `/redirects/${id}`)).to.deep.include(gone)
    }
    expect(await call(site, 'PATCH', `/redirects/${id}`, { note: 'x' })).to.deep.include(gone)
  })

  it('switches many at once; one that would close a loop stays off and is named', async () => {
    const off = { enabled: false }
    const there = await make(site, '/there', '/back', off)
    const back = await make(site, '/back', '/there', off)
    const { status, data } = await call(site, 'PUT', '/redirects', { ids: [there, back, there], enabled: true })
    expect(status).to.equal(200)
    expect(data.changed).to.equal(1)
    expect(data.errors).to.have.length(1)
    expect(data.errors[0].id).to.equal(back)
    expect(await ask(site, '/there')).to.equal('301 /back')
    expect(await ask(site, '/back')).to.equal('404')
  })

  it('deletes many at once, fires one action, and skips those that do not exist', async () => {
    const ids = [await make(site, '/one', '/uno'), await make(site, '/two', '/dos')]
    await make(site, '/three', '/tres')
    const told: string[] = []
    const remove = site.host.hooks.addAction('seo_redirects_changed', ({ type, rules }) => {
      told.push(`${type} ${rules.map(({ source }) => source).join()}`)
    })
    expect((await call(site, 'DELETE', '/redirects', { ids: [...ids, 999_999] })).data).to.deep.equal({ deleted: 2 })
    remove()
    expect(told).to.deep.equal(['deleted /one,/two'])
    expect(await ask(site, '/one')).to.equal('404')
    expect(await ask(site, '/three')).to.equal('301 /tres')
    expect((await call(site, 'DELETE', '/redirects', {})).status).to.equal(400)
  })

  it('lists by how a source is read', async () => {
    await make(site, '/one', '/uno')
    await make(site, '/shop/*', '/store/$1', { match: 'wildcard' })
    const { data } = await call(site, 'GET', '/redirects?match=wildcard&orderBy=source&order=asc')
    expect(data.items.map(({ source }: { source: string }) => source)).to.deep.equal(['/shop/*'])
  })

  it('refuses a second rule for the same address, however it is written', async () => {
    await make(site, '/café?b=2&a=1', '/x')
    for (const source of ['/caf%C3%A9/?a=1&b=2', '/CAFÉ?a=1&b=2', '/cafe\u0301?b=2&a=1', `${site.url}/café?b=2&a=1`]) {
      const again = await call(site, 'POST', '/redirects', { source, target: '/y' })
      expect(again, source).to.deep.include({ status: 409, code: 'redirect_exists' })
    }
    const other = await make(site, '/other', '/x')
    const moved = await call(site, 'PATCH', `/redirects/${other}`, { source: '/café?a=1&b=2' })
    expect(moved).to.deep.include({ status: 409, code: 'redirect_exists' })
    expect(await ask(site, '/caf%c3%a9?a=1&b=2')).to.equal('301 /x')
    expect(await ask(site, '/other')).to.equal('301 /x')
  })

  it('counts the hits of requests at the same time, all of them, and not in the rule that was not asked for', async () => {
    const id = await make(site, '/counted', '/x')
    const other = await make(site, '/not-counted', '/x')
    await Promise.all(Array.from({ length: 100 }, () => ask(site, '/counted')))
    const { data } = await call(site, 'GET', `/redirects/${id}`)
    expect(data.hits).to.equal(100)
    expect(Date.parse(data.lastHitAt)).to.be.closeTo(Date.now(), 60_000)
    expect((await call(site, 'GET', `/redirects/${other}`)).data).to.deep.include({ hits: 0, lastHitAt: null })
  })

  it('fires one action per call', async () => {
    const told: string[] = []
    const undo = site.host.hooks.addAction('seo_redirects_changed', ({ type, rules }) => {
      told.push(`${type} ${rules.map(({ source }) => source)}`)
    })
    const id = await make(site, '/a', '/b')
    await call(site, 'PATCH', `/redirects/${id}`, { note: 'n' })
    await call(site, 'POST', '/redirects/import', {
      rules: [
        { source: '/c', target: '/d' },
        { source: '/e', target: '/f' },
      ],
    })
    await call(site, 'DELETE', `/redirects/${id}`)
    undo()
    expect(told).to.deep.equal(['created /a', 'updated /a', 'imported /c,/e', 'deleted /a'])
  })

  it('flattens chains on request', async () => {
    await make(site, '/a', '/b')
    await make(site, '/b', '/c')
    await make(site, '/c', 'https://other.example/d')
    await make(site, '/temporary', '/away', { status: 302 })
    await make(site, '/before', '/temporary')
    const { data } = await call(site, 'POST', '/redirects/flatten')
    expect(data.changed).to.equal(2)
    expect(await ask(site, '/a')).to.equal('301 https://other.example/d')
    expect(await ask(site, '/b')).to.equal('301 https://other.example/d')
    expect(await ask(site, '/before')).to.equal('301 /temporary')
    expect((await call(site, 'POST', '/redirects/flatten')).data).to.deep.equal({ changed: 0, rules: [] })
  })

  it('is for administrators', async () => {
    const routes = [
      ['GET', ''],
      ['POST', ''],
      ['GET', '/1'],
      ['PATCH', '/1'],
      ['DELETE', '/1'],
      ['POST', '/import'],
      ['GET', '/export'],
      ['POST', '/test'],
      ['POST', '/flatten'],
    ] as const
    for (const [method, path] of routes) {
      const options = { method, ...(method !== 'GET' && { body: {} }) }
      const asked = (as?: string) => site.request(`/wp-json/seo/v1/redirects${path}`, { ...options, ...(as && { as }) })
      expect((await asked()).status, `${method} ${path}`).to.equal(401)
      expect((await asked('editor')).status, `${method} ${path}`).to.equal(403)
    }
  })
})
