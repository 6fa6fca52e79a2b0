import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from '../../app/testing/index.ts'
import type { PageCache } from '../../plugins/speed/types.ts'
import { until } from '../support/until.ts'
import { startBareCache } from './bare-cache.ts'
import { ask, cacheStateOf } from './cached-site.ts'

describe('A purge', () => {
  let site: TestHost
  let cache: PageCache
  beforeEach(async () => {
    ;({ site, cache } = await startBareCache())
  })
  afterEach(() => site.close())

  it('takes all variants of a path and nothing else', async () => {
    const paths = ['/', '/?a=1', '/hello-world/', '/hello-world/?a=1', '/hello-world-2/', '/hello-world/feed/']
    for (const path of paths) await ask(site, path)
    const url = site.host.config.url
    const taken = cache.purge({ urls: [`${url}/hello-world/?b=2#top`] })
    expect(taken.toSorted()).to.deep.equal([`${url}/hello-world/`, `${url}/hello-world/?a=1`])
    expect(await cacheStateOf(site, '/hello-world/')).to.equal('MISS')
    for (const path of ['/', '/?a=1', '/hello-world-2/']) expect(await cacheStateOf(site, path), path).to.equal('HIT')
  })

  it('of the home page is not one of the site', async () => {
    for (const path of ['/', '/?a=1', '/hello-world/']) await ask(site, path)
    expect(cache.purge({ urls: ['/'] })).to.have.length(2)
    expect(await cacheStateOf(site, '/hello-world/')).to.equal('HIT')
  })

  it('takes pages by tag, and all of them', async () => {
    for (const path of ['/', '/hello-world/', '/sample-page/']) await ask(site, path)
    expect(cache.purge({ tags: ['post-1'] })).to.have.length.within(2, 3)
    expect(await cacheStateOf(site, '/hello-world/')).to.equal('MISS')
    expect(cache.purge('all')).not.to.deep.equal([])
    expect([...cache.list()]).to.deep.equal([])
    expect(await cacheStateOf(site, '/sample-page/')).to.equal('MISS')
  })

  it('answers what it took, and nothing that an older purge had left over', async () => {
    const url = site.host.config.url
    const folder = join(site.host.config.siteDir, 'cache/pages')
    const isWriting = () => readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.tmp'))
    for (let times = 0; times < 10; times++) {
      await ask(site, '/hello-world/')
      while (!isWriting()) await new Promise((resolve) => setImmediate(resolve))
      cache.purge({ tags: ['post-1'] })
      await ask(site, '/sample-page/')
      expect(cache.purge({ urls: ['/sample-page/'] })).to.deep.equal([`${url}/sample-page/`])
    }
  })

  it('takes nothing for another site or a path that climbs', async () => {
    await ask(site, '/')
    expect(cache.purge({ urls: ['http://other.example/', 'http://', '/x/../../../etc'] })).to.deep.equal([])
    expect(await cacheStateOf(site, '/')).to.equal('HIT')
  })

  it('prevents earlier renderings from being stored, and later requests do not wait for them', async () => {
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let isHeld = true
    let word = 'old'
    site.host.hooks.addFilter('page_html', async (html) => {
      const seen = word
      if (isHeld) {
        isHeld = false
        begun.resolve()
        await held.promise
      }
      return html.replace('</body>', `word:${seen}</body>`)
    })
    const early = ask(site, '/hello-world/')
    await begun.promise
    word = 'new'
    cache.purge({ urls: ['/hello-world/'] })
    const late = await ask(site, '/hello-world/')
    expect(late.body.toString()).to.include('word:new')
    held.resolve()
    expect((await early).body.toString()).to.include('word:old')
    const after = await ask(site, '/hello-world/')
    expect(after.headers['x-cache']).to.equal('HIT')
    expect(after.body.toString()).to.include('word:new')
  })

  it('wins over a refresh that runs at the same time', async () => {
    await ask(site, '/hello-world/')
    const held = Promise.withResolvers<void>()
    let word = 'old'
    let isHeld = true
    site.host.hooks.addFilter('page_html', async (html) => {
      const seen = word
      if (isHeld) {
        isHeld = false
        await held.promise
      }
      return html.replace('</body>', `word:${seen}</body>`)
    })
    cache.refresh({ urls: ['/hello-world/'] })
    expect(await cacheStateOf(site, '/hello-world/')).to.equal('STALE')
    await until(() => !isHeld)
    word = 'new'
    cache.purge({ tags: ['post-1'] })
    held.resolve()
    await until(async () => (await cacheStateOf(site, '/hello-world/')) === 'HIT')
    expect((await ask(site, '/hello-world/')).body.toString()).to.include('word:new')
  })

  it('is heard of by another host on the same folder within two seconds', async () => {
    const second = await startBareCache({ siteDir: site.host.config.siteDir, url: site.host.config.url })
    try {
      const host = new URL(site.host.config.url).host
      await ask(site, '/hello-world/')
      expect(await cacheStateOf(second.site, '/hello-world/', { host })).not.to.equal('BYPASS')
      second.cache.purge({ urls: ['/hello-world/'] })
      // A part of the performance service that is missing here does both.
      second.site.host.hooks.doAction('purge_pages', { urls: ['/hello-world/'] })
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      expect(await cacheStateOf(site, '/hello-world/')).to.equal('MISS')
    } finally {
      await second.site.close()
    }
  })

  it('leaves other clients alone when one leaves in the middle', async () => {
    const held = Promise.withResolvers<void>()
    site.host.hooks.addFilter('page_html', async (html) => {
      await held.promise
      return html
    })
    const leaving = new AbortController()
    const gone = fetch(`${site.url}/hello-world/`, { signal: leaving.signal }).catch(() => 'left')
    const others = Array.from({ length: 5 }, () => ask(site, '/hello-world/'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    leaving.abort()
    expect(await gone).to.equal('left')
    held.resolve()
    for (const answer of await Promise.all(others)) expect(answer.status).to.equal(200)
  })

  it('does not affect what warm and list report for other pages', async () => {
    expect(await cache.warm('/hello-world/')).to.equal('stored')
    expect(await cache.warm('/hello-world/')).to.equal('fresh')
    expect(await cache.warm('/?s=x')).to.equal('skipped')
    expect(await cache.warm('/hello-world')).to.equal('skipped')
    await ask(site, '/hello-world/')
    const first = () => [...cache.list()][0]
    await until(() => (first()?.compressedSize ?? 0) < (first()?.size ?? 0))
    const page = first()
    expect(page).to.include({ url: `${site.host.config.url}/hello-world/`, hits: 1, status: 'fresh' })
  })
})
