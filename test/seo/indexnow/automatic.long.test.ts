import { mock } from 'node:test'
import { expect } from 'chai'
import type { NewPost, Post } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { freePort } from '../../support/free-port.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { openSeoSite, set } from '../seo-site.ts'
import { type Endpoint, letOut, openEndpoint } from './endpoint.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Time passes, and what is due is done by then; timers stand still, so that nothing else does it. */
async function pass({ host, clock }: TestHost, milliseconds: number): Promise<void> {
  mock.timers.setTime(clock.now() + milliseconds)
  await host.jobs.runDue()
}

onEachDatabase('IndexNow by itself', (databaseUrl) => {
  let site: TestHost
  let endpoint: Endpoint
  before(async () => {
    endpoint = await openEndpoint()
    site = await openSeoSite({ now: '2026-03-01T10:00:00Z', config: { databaseUrl: await databaseUrl() } })
    letOut(site)
    await set(site, { indexNow: 'on', indexNowEndpoint: endpoint.url })
  })
  after(async () => {
    await site.close()
    await endpoint.close()
  })
  beforeEach(async () => {
    endpoint.mood = 200
    endpoint.headers = {}
    await sentLongAgo()
  })

  /** What waits is sent, and may be sent again. */
  async function sentLongAgo(): Promise<void> {
    await passed(HOUR)
    await passed(HOUR)
    endpoint.received.length = 0
  }

  const passed = (milliseconds: number) => pass(site, milliseconds)
  /** URLs of each submission since the test began. */
  const sent = () => endpoint.received.map(({ body }) => body.urlList)
  const { insert, update } = {
    insert: (post: NewPost): Promise<Post> =>
      site.host.content.posts.insert({ type: 'post', status: 'publish', title: 'News', content: 'Text', ...post }),
    update: (id: number, changes: NewPost) => site.host.content.posts.update(id, changes),
  }
  const link = (post: Post) => site.host.content.link(post)

  it('sends what is published within a minute in one submission', async () => {
    const posts = [await insert({ title: 'One' }), await insert({ title: 'Two' }), await insert({ title: 'Three' })]
    expect(sent()).to.deep.equal([])
    await passed(MINUTE)
    expect(sent()).to.have.length(1)
    expect(sent()[0]).to.have.members(posts.map(link))
    await passed(HOUR)
    expect(sent()).to.have.length(1)
  })

  it('sends a draft when it is published, and a scheduled post when its time has come', async () => {
    const draft = await insert({ status: 'draft' })
    const scheduled = await insert({ status: 'future', title: 'Later', date: '2027-01-01T00:00:00' })
    await passed(MINUTE)
    expect(sent()).to.deep.equal([])
    const post = await update(draft.id, { status: 'publish' })
    await update(scheduled.id, { status: 'publish', date: '2026-01-01T00:00:00' })
    await passed(MINUTE)
    expect(sent()[0]).to.include(link(post))
    expect(sent()[0]).to.have.length(2)
  })

  for (const [name, post] of Object.entries<NewPost>({
    'a private post': { status: 'private' },
    'one with a password': { password: 'secret' },
    'one that search engines should not keep': { meta: { _seo_noindex: [true] } },
    'one whose canonical address is elsewhere': { meta: { _seo_canonical: ['https://example.com/'] } },
    'one of a type without pages': { type: 'revision', status: 'inherit' },
  }))
    it(`sends nothing for ${name}`, async () => {
      await insert(post)
      await passed(MINUTE)
      expect(sent()).to.deep.equal([])
    })

  it('sends nothing for a save that changes nothing that a page shows', async () => {
    const { id, title, content } = await insert({})
    await sentLongAgo()
    await update(id, { title, content })
    await update(id, { commentStatus: 'closed' })
    await site.host.content.meta.set('post', id, 'note', 'x')
    await passed(MINUTE)
    expect(sent()).to.deep.equal([])
    await update(id, { content: 'Other text' })
    await passed(MINUTE)
    expect(sent()).to.have.length(1)
  })

  it('sends many saves of one page once, and not again within ten minutes', async () => {
    const post = await insert({})
    for (const content of ['a', 'b', 'c']) await update(post.id, { content })
    await passed(MINUTE)
    expect(sent()).to.deep.equal([[link(post)]])
    await update(post.id, { content: 'd' })
    await passed(MINUTE)
    expect(sent()).to.have.length(1)
    await passed(10 * MINUTE)
    expect(sent()).to.have.length(2)
  })

  it('sends both addresses when a page moves', async () => {
    const before = await insert({ slug: 'old-place' })
    await sentLongAgo()
    const after = await update(before.id, { slug: 'new-place' })
    await passed(MINUTE)
    expect(sent()[0]).to.have.members([link(before), link(after)])
  })

  it('sends the URL of a page that was trashed or deleted', async () => {
    const trashed = await insert({ title: 'To the trash' })
    const deleted = await insert({ title: 'To be deleted' })
    const hidden = await insert({ title: 'Hidden', meta: { _seo_noindex: [true] } })
    await sentLongAgo()
    await update(trashed.id, { status: 'trash' })
    await site.host.content.posts.delete(deleted.id)
    await site.host.content.posts.delete(hidden.id)
    await passed(MINUTE)
    expect(sent()[0]).to.have.members([link(trashed), link(deleted)])
  })

  it('sends a page from the moment search engines may keep it', async () => {
    const post = await insert({ meta: { _seo_noindex: [true] } })
    await site.host.content.meta.delete('post', post.id, '_seo_noindex')
    await passed(MINUTE)
    expect(sent()).to.deep.equal([[link(post)]])
  })

  it('does not send what was hidden again before it was sent', async () => {
    const { id } = await insert({})
    await site.host.content.meta.set('post', id, '_seo_noindex', true)
    await passed(MINUTE)
    expect(sent()).to.deep.equal([])
  })

  it('skips excluded types, and sends nothing while it is off', async () => {
    await set(site, { indexNowExcludedTypes: ['page'] })
    await insert({ type: 'page' })
    await set(site, { indexNowExcludedTypes: [], indexNow: 'off' })
    await insert({})
    await set(site, { indexNow: 'on' })
    await passed(MINUTE)
    expect(sent()).to.deep.equal([])
  })

  for (const mood of [429, 500, 'hang up'] as const)
    it(`tries again, ever less often, where the endpoint says ${mood}`, async () => {
      endpoint.mood = mood
      const post = await insert({})
      await passed(MINUTE)
      expect(sent()).to.have.length(1)
      await passed(2 * MINUTE)
      await passed(MINUTE)
      expect(sent()).to.have.length(2)
      endpoint.mood = 202
      await passed(HOUR)
      expect(sent()).to.deep.equal([[link(post)], [link(post)], [link(post)]])
      await passed(HOUR)
      expect(sent()).to.have.length(3)
    })

  it('waits as long as the endpoint asks', async () => {
    endpoint.mood = 429
    endpoint.headers = { 'Retry-After': '1800' }
    await insert({})
    await passed(MINUTE)
    endpoint.mood = 200
    await passed(20 * MINUTE)
    expect(sent()).to.have.length(1)
    await passed(11 * MINUTE)
    expect(sent()).to.have.length(2)
  })

  for (const mood of [400, 403, 422] as const)
    it(`gives up where the endpoint says ${mood}`, async () => {
      endpoint.mood = mood
      await insert({})
      await passed(MINUTE)
      await passed(HOUR)
      expect(sent()).to.have.length(1)
    })

  it('gives up after a day', async () => {
    endpoint.mood = 503
    await insert({})
    for (let hours = 0; hours < 30; hours++) await passed(HOUR)
    const tries = sent().length
    endpoint.mood = 200
    await passed(2 * HOUR)
    expect(sent()).to.have.length(tries)
    expect(tries).to.be.within(20, 30)
  })
})

describe('Automatic IndexNow, across a restart', () => {
  it('forgets no page that waits', async () => {
    const endpoint = await openEndpoint()
    const options = { now: '2026-03-01T10:00:00Z', config: { siteDir: temporaryFolder(), port: await freePort() } }
    const before = await openSeoSite(options)
    await set(before, { indexNow: 'on', indexNowEndpoint: endpoint.url })
    const post = await before.host.content.posts.insert({ title: 'News', status: 'publish' })
    const url = before.host.content.link(post)
    await before.close()
    const site = await openSeoSite(options)
    letOut(site)
    await pass(site, MINUTE)
    await pass(site, MINUTE)
    expect(endpoint.received.map(({ body }) => body.urlList)).to.deep.equal([[url]])
    await site.close()
    await endpoint.close()
  })
})
