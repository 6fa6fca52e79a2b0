import { expect } from 'chai'
import type { TestHost } from '../../app/testing/index.ts'
import { until } from '../support/until.ts'
import { ask, cacheStateOf, countRenderings, startCachedSite } from './cached-site.ts'

const HOUR = 60 * 60 * 1000

describe('A kept page whose time is over', () => {
  let site: TestHost
  let renderings: Map<string, number>
  let isBroken = false
  beforeEach(async () => {
    isBroken = false
    site = await startCachedSite(
      { now: '2026-01-01T00:00:00Z', config: { environment: 'production' } },
      { cacheTtlSeconds: 3_600 },
    )
    renderings = countRenderings(site)
    site.host.hooks.addAction('template_redirect', (page) => {
      if (isBroken) page.respond({ status: 500, body: 'broken' })
    })
    await ask(site, '/hello-world/')
  })
  afterEach(() => site.close())

  it('is shown once more while it is rendered once', async () => {
    await site.clock.advance(HOUR)
    const states = await Promise.all(Array.from({ length: 100 }, () => cacheStateOf(site, '/hello-world/')))
    expect(states[0]).to.equal('STALE')
    expect(new Set(states)).to.have.property('size').below(3)
    await until(async () => (await cacheStateOf(site, '/hello-world/')) === 'HIT')
    expect(renderings.get('/hello-world/')).to.equal(2)
  })

  it('is rendered before it is answered, once for a thousand visitors, when it is too old', async () => {
    await site.clock.advance(3 * HOUR)
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask(site, '/hello-world/')))
    expect(answers.every(({ status }) => status === 200)).to.equal(true)
    expect(answers.map(({ headers }) => headers['x-cache'])).not.to.include('STALE')
    expect(renderings.get('/hello-world/')).to.equal(2)
  })

  it('stays while it cannot be rendered, and is not tried at each visit', async () => {
    await site.clock.advance(HOUR)
    isBroken = true
    for (let visit = 0; visit < 5; visit++) {
      expect(await cacheStateOf(site, '/hello-world/')).to.equal('STALE')
      await new Promise((resolve) => setImmediate(resolve))
    }
    await until(() => renderings.get('/hello-world/') === 2)
    expect(renderings.get('/hello-world/')).to.equal(2)
    await site.clock.advance(HOUR)
    expect((await ask(site, '/hello-world/')).status).to.equal(500)
  })

  it('is not shown after a purge', async () => {
    await site.clock.advance(HOUR)
    await site.host.content.posts.update(1, { title: 'Changed' })
    await until(async () => (await ask(site, '/hello-world/')).body.includes('Changed'))
    expect(await cacheStateOf(site, '/hello-world/')).to.equal('HIT')
  })

  it('that was not found lives for a minute', async () => {
    await ask(site, '/nothing/')
    await site.clock.advance(59_000)
    expect(await cacheStateOf(site, '/nothing/')).to.equal('HIT')
    await site.clock.advance(2_000)
    expect(await cacheStateOf(site, '/nothing/')).to.equal('MISS')
  })

  it('is one rendering for a crowd that asks for a page not kept yet', async () => {
    const states = await Promise.all(Array.from({ length: 200 }, () => cacheStateOf(site, '/sample-page/')))
    expect(states).not.to.include('BYPASS')
    expect(renderings.get('/sample-page/')).to.equal(1)
  })
})
