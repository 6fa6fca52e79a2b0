import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'

interface Event {
  readonly id: string
  readonly type: string
  readonly source: string
  readonly data: { scope: string; urls: string[]; tags: string[]; reason: string; cause: string; soft: boolean }
}

describe('GET host/v1/changes', () => {
  let site: TestHost

  beforeEach(async () => {
    site = await createTestHost()
  })
  afterEach(() => site.close())

  const get = (query: Record<string, string> = {}, as = 'cache') =>
    site.get(`/wp-json/host/v1/changes?${new URLSearchParams(query)}`, { as })
  async function events(query: Record<string, string> = {}): Promise<Event[]> {
    const response = await get(query)
    expect(response.status).to.equal(200)
    return JSON.parse(await response.text())
  }
  /** The event of a change, once it is recorded. */
  async function eventOf(reason: string): Promise<Event> {
    let found: Event | undefined
    await until(async () => {
      found = (await events({ limit: '1000' })).find(({ data }) => data.reason.includes(reason))
      return found !== undefined
    })
    return found ?? expect.fail()
  }

  it('lists what content changes purge, without the performance service', async () => {
    const { posts } = site.host.content
    const { id, path } = await posts.insert({ title: 'A trip', status: 'publish' })
    const { type, source, data } = await eventOf(`Post ${id} was added.`)
    expect(type).to.equal('pentad.purge')
    expect(source).to.equal(site.url)
    expect(data).to.include({ scope: 'urls', cause: 'change', soft: false })
    expect(data.urls).to.include.members([site.url + path, `${site.url}/`, `${site.url}/feed/`])
    expect(data.tags).to.include.members(['home', 'archive-type-post'])
  })

  it('lists purges that extensions request, and changes that affect all pages', async () => {
    site.host.hooks.doAction('purge_pages', { tags: ['prices'], urls: ['/shop/'], reason: 'Prices changed.' })
    const { data } = await eventOf('Prices changed.')
    expect(data).to.deep.include({ scope: 'urls', tags: ['prices'], urls: [`${site.url}/shop/`] })
    await site.host.content.updateSiteSettings({ title: 'Other title' })
    await until(async () => (await events({ limit: '1000' })).some((event) => event.data.scope === 'pages'))
  })

  it('ignores invalid values in requests of extensions', async () => {
    const { hooks } = site.host
    const request = (values: Record<string, unknown>) => hooks.doAction('purge_pages', values)
    for (const reason of [Object.create(null), Symbol('reason')]) request({ tags: ['prices'], reason })
    request({ urls: [7, '/shop/'], tags: [42, null, {}, 'prices'], reason: 'Prices changed.' })
    const { data } = await eventOf('Prices changed.')
    expect(data).to.deep.include({ urls: [`${site.url}/shop/`], tags: ['prices'] })
    expect(data.reason).to.equal('An extension requested it. Prices changed.')
    request({ tags: ['later'], reason: 'Later.' })
    expect((await eventOf('Later.')).data.tags).to.deep.equal(['later'])
  })

  it('is a batch of CloudEvents, in pages', async () => {
    const { hooks } = site.host
    for (const name of ['one', 'two', 'three']) {
      hooks.doAction('purge_pages', { tags: [name], reason: `${name}.` })
      await eventOf(`${name}.`)
    }
    const response = await get({ limit: '1' })
    expect(response.headers.get('content-type')).to.equal('application/cloudevents-batch+json')
    const all = await events({ limit: '1000' })
    const walked: Event[] = []
    for (let last: string | undefined; ; ) {
      const page = await events({ limit: '2', ...(last !== undefined && { lastEventId: last }) })
      walked.push(...page)
      last = page.at(-1)?.id
      if (last === undefined) break
    }
    expect(walked).to.deep.equal(all)
  })

  it('waits for an event', async () => {
    site.host.hooks.doAction('purge_pages', { tags: ['first'], reason: 'First.' })
    const { id } = await eventOf('First.')
    const waiting = events({ lastEventId: id, timeout: '30000' })
    site.host.hooks.doAction('purge_pages', { tags: ['second'], reason: 'Second.' })
    const found = await waiting
    expect(found.map(({ data }) => data.reason)).to.deep.equal(['Second.'])
    const newest = found[0]?.id ?? ''
    for (const lastEventId of [newest, newest.toUpperCase()]) {
      expect(await events({ lastEventId, timeout: '50' })).to.deep.equal([])
    }
  })

  it('lets a user wait ten times at once', async () => {
    site.host.hooks.doAction('purge_pages', { tags: ['first'], reason: 'First.' })
    const { id } = await eventOf('First.')
    const waiting = Array.from({ length: 11 }, () => get({ lastEventId: id, timeout: '30000' }))
    const rejected = await Promise.race(waiting)
    expect(rejected.status).to.equal(429)
    expect(rejected.headers.get('retry-after')).to.equal('30')
    site.host.hooks.doAction('purge_pages', { tags: ['second'], reason: 'Second.' })
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).to.have.lengthOf(10)
    expect((await get({ lastEventId: id, timeout: '30000' })).status).to.equal(200)
  })

  it('records a change of settings once, in the process that made it', async () => {
    const { hooks } = site.host
    const changed = async (isExternal: boolean) => {
      await hooks.doActionAsync('updated_option', 'site_settings', {}, {}, isExternal)
      await hooks.doActionAsync('shutdown')
      return (await events({ limit: '1000' })).map(({ data }) => data.reason)
    }
    const purges: string[] = []
    hooks.addFilter('purge_urls', (urls, { reason }) => {
      purges.push(reason)
      return urls
    })
    expect(await changed(true)).to.not.include('The option site_settings changed.')
    expect(purges).to.deep.equal(['The option site_settings changed.'])
    expect(await changed(false)).to.include('The option site_settings changed.')
  })

  it('ends a long poll when the site closes', async () => {
    site.host.hooks.doAction('purge_pages', { tags: ['first'], reason: 'First.' })
    const { id } = await eventOf('First.')
    const { promise: isWaiting, resolve } = Promise.withResolvers<void>()
    site.host.hooks.addFilter('rest_pre_dispatch', (answer) => {
      resolve()
      return answer
    })
    const waiting = get({ lastEventId: id, timeout: '30000' })
    await isWaiting
    await site.close()
    expect((await waiting).status).to.equal(200)
  })

  it('answers 410 with the newest position to a reader that may have missed events', async () => {
    site.host.hooks.doAction('purge_pages', { tags: ['first'], reason: 'First.' })
    const { id } = await eventOf('First.')
    const response = await get({ lastEventId: 'f4e1a2ce-7f0c-4a5a-9d0a-000000000000' })
    expect(response.status).to.equal(410)
    const { code, data } = JSON.parse(await response.text())
    expect(code).to.equal('changes_expired')
    expect(data).to.deep.equal({ status: 410, lastEventId: id })
    expect(await events({ lastEventId: id })).to.deep.equal([])
  })

  it('answers 400 to a malformed or repeated ID, which says nothing about missed events', async () => {
    site.host.hooks.doAction('purge_pages', { tags: ['first'], reason: 'First.' })
    const { id } = await eventOf('First.')
    const malformed = ['', '-1', '7', '1e999', 'null', ' ', `${id}0`, 'a'.repeat(5000), `${id}\0`, '%']
    const queries = malformed.map((value) => `lastEventId=${encodeURIComponent(value)}`)
    const repeated = [`lastEventId=${id}&lastEventId=${id}`, `lastEventId[]=${id}`, `lastEventId[a]=${id}`]
    for (const query of [...queries, 'lastEventId', ...repeated]) {
      const response = await site.get(`/wp-json/host/v1/changes?${query}`, { as: 'cache' })
      expect(response.status, query).to.equal(400)
      expect(JSON.parse(await response.text()).code, query).to.equal('rest_invalid_param')
    }
  })

  it('requires the capability read_changes, which the role Cache has and no other', async () => {
    expect((await get({}, 'administrator')).status).to.equal(200)
    expect((await get({}, 'editor')).status).to.equal(403)
    expect((await site.get('/wp-json/host/v1/changes')).status).to.equal(401)
    expect((await site.get('/wp-json/host/v1/security-log', { as: 'cache' })).status).to.equal(403)
    const { status } = await site.request('/wp-json/wp/v2/posts', {
      method: 'POST',
      as: 'cache',
      body: { title: 'No' },
    })
    expect(status).to.equal(403)
  })
})
