import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { PreloadResult } from '../../plugins/speed/types.ts'
import { until } from '../support/until.ts'
import { startCachedSite } from './cached-site.ts'
import { type SpeedSite, startSpeedSite } from './speed-site.ts'

describe('preload', () => {
  let speed: SpeedSite

  afterEach(() => speed.site.close())

  /** Answers how many pages wait. */
  async function start(): Promise<number> {
    const answer = await speed.site.request('/wp-json/speed/v1/preload-cache', { method: 'POST', as: 'administrator' })
    const { data }: { data: { preload: { queued: number } } } = JSON.parse(await answer.text())
    return data.preload.queued
  }
  /** Resolves when the next preload has ended. */
  function ended(): Promise<PreloadResult> {
    const { promise, resolve } = Promise.withResolvers<PreloadResult>()
    const undo = speed.site.host.hooks.addAction('speed_preloaded', (result) => {
      undo()
      resolve(result)
    })
    return promise
  }
  /** Paths that the application rendered, in their order. */
  function rendered(): string[] {
    const paths: string[] = []
    speed.site.host.hooks.addAction('template_redirect', (page) => {
      if (page.kind !== 'sitemap' && page.kind !== 'robots') paths.push(page.path)
    })
    return paths
  }

  it('renders all pages of the sitemap, so that the first visitor has them from the cache', async () => {
    speed = await startSpeedSite()
    const end = ended()
    const queued = await start()
    expect(await end).to.include({ stored: queued, failed: 0 })
    for (const path of ['/', '/first/', '/about/team/', '/category/food/', '/author/ann/'])
      expect(await speed.visit(path), path).to.equal('HIT')
  })

  it('fills gaps and renders nothing that is there', async () => {
    speed = await startSpeedSite()
    await speed.fill(['/first/', '/about/'])
    const paths = rendered()
    const end = ended()
    await start()
    expect((await end).skipped).to.equal(2)
    expect(paths).to.not.include.members(['/first/'])
    expect(new Set(paths).size).to.equal(paths.length)
  })

  it('renders a page again whose optimized files are finished, before a visitor asks', async () => {
    speed = await startSpeedSite({ minifyCss: 'on' })
    await speed.site.host.settings.get('speed')?.update({ preload: 'on' })
    await speed.visit('/first/')
    expect(await ended()).to.include({ stored: 1 })
    expect(await speed.visit('/first/')).to.equal('HIT')
    expect(await (await speed.site.get('/first/')).text()).to.include('/wp-content/uploads/speed/assets/')
  })

  it('begins with the most visited pages after a purge', async () => {
    speed = await startSpeedSite()
    await speed.fill(['/third/', '/about/team/'])
    for (let visits = 0; visits < 5; visits++) await speed.visit('/about/team/')
    for (let visits = 0; visits < 9; visits++) await speed.visit('/third/')
    const paths = rendered()
    const end = ended()
    await speed.site.request('/wp-json/speed/v1/purge-pages-and-preload', { method: 'POST', as: 'administrator' })
    await end
    expect(paths.slice(0, 2)).to.deep.equal(['/third/', '/about/team/'])
  })

  it('follows what robots.txt names, on this host only, without going round in circles', async () => {
    speed = await startSpeedSite()
    const { hooks } = speed.site.host
    const { url } = speed.site
    hooks.addFilter('robots_txt', () => `Sitemap: https://example.org/map.xml\nsitemap: ${url}/own-map.xml\n`)
    const map = `<?xml version="1.0"?><sitemapindex><sitemap><loc>${url}/own-map.xml</loc></sitemap>
      <sitemap><loc>${url}/pages.xml</loc></sitemap></sitemapindex>`
    const pages = `<urlset xmlns:image="x"><url><loc>${url}/third/</loc><image:image><image:loc>${url}/first/</image:loc>
      </image:image></url><url><loc>https://example.org/about/</loc></url><url><loc>${url}/third/</loc></url></urlset>`
    const headers = { 'Content-Type': 'application/xml' }
    hooks.addAction('template_redirect', (page) => {
      if (page.request.path === '/own-map.xml') page.respond({ headers, body: map })
      if (page.request.path === '/pages.xml') page.respond({ headers, body: pages })
    })
    const end = ended()
    await start()
    expect(await end).to.deep.equal({ stored: 1, skipped: 0, failed: 0 })
    expect(await speed.visit('/third/')).to.equal('HIT')
    expect(await speed.visit('/first/')).to.equal('MISS')
  })

  it('gives up when page after page fails', async () => {
    speed = await startSpeedSite()
    speed.site.host.hooks.addFilter('page_html', () => {
      throw new Error('broken')
    })
    const end = ended()
    await start()
    expect(await end).to.deep.equal({ stored: 0, skipped: 0, failed: 5 })
  })

  it('ends before the site closes, also the rendering of a page that was purged meanwhile', async () => {
    speed = await startSpeedSite()
    const { hooks, extensions } = speed.site.host
    const begun: string[] = []
    const finished: string[] = []
    const { promise: beginning, resolve: begin } = Promise.withResolvers<void>()
    hooks.addAction('template_redirect', async ({ path }) => {
      if (path !== '/') return
      begun.push(path)
      begin()
      if (begun.length === 1) await wait(1000)
      finished.push(path)
    })
    await start()
    await beginning
    hooks.doAction('purge_pages', { tags: ['site'] })
    await speed.visit('/')
    await extensions.deactivate('speed')
    expect(begun).to.have.length(2)
    expect(finished).to.have.length(2)
  })

  it('does not begin where the site closes, as a command does right after its change', async () => {
    speed = await startSpeedSite({ preload: 'on' })
    await ended()
    const { hooks, content } = speed.site.host
    const asked: string[] = []
    hooks.addFilter('robots_txt', (text) => {
      asked.push('/robots.txt')
      return text
    })
    // A purge is told 20 ms after its change, which a busy machine needs to begin closing. Real timers, which are all cleared by the same
    // function: those of node:test leave older ones running.
    const { setTimeout: start } = globalThis
    const late = mock.method(globalThis, 'setTimeout', (work: () => void) => start(work, 3_600_000))
    hooks.addAction('shutdown', () => late.mock.restore(), { priority: 1 })
    await content.updateSiteSettings({ title: 'Another' })
    await speed.site.close()
    expect(asked).to.deep.equal([])
  })

  it('reads no further sitemap once the site closes', async () => {
    speed = await startSpeedSite({ preload: 'on' })
    await ended()
    const { hooks, extensions, content } = speed.site.host
    const { url } = speed.site
    const maps = ['/one.xml', '/two.xml']
    hooks.addFilter('robots_txt', () => maps.map((path) => `Sitemap: ${url}${path}\n`).join(''))
    const asked: string[] = []
    const [reading, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    hooks.addAction('template_redirect', async (page) => {
      const { path } = page.request
      if (!maps.includes(path)) return
      asked.push(path)
      reading.resolve()
      await going.promise
      page.respond({ headers: { 'Content-Type': 'application/xml' }, body: '<urlset></urlset>' })
    })
    await content.updateSiteSettings({ title: 'Another' })
    await reading.promise
    const ending = extensions.deactivate('speed')
    const isWithdrawn = async () => (await speed.site.get('/wp-json/speed/v1/cache-overview/fetch')).status === 404
    await until(isWithdrawn)
    // Before it waits for the sitemap, it waits for files only.
    await until(() => !process.getActiveResourcesInfo().some((resource) => resource.startsWith('FSReq')))
    going.resolve()
    await ending
    expect(asked).to.deep.equal(['/one.xml'])
  })

  it('renders the pages that a change of content purged, and no others', async () => {
    speed = await startSpeedSite({ preload: 'on' })
    await ended()
    await speed.fill(['/second/', '/about/'])
    const paths = rendered()
    const end = ended()
    await speed.site.host.content.posts.update(speed.ids.about, { content: 'Other' })
    await end
    expect(paths).to.include('/about/')
    expect(paths).to.not.include('/second/')
    expect(await speed.visit('/about/')).to.equal('HIT')
  })

  it('leaves paths alone that are not to be cached', async () => {
    speed = await startSpeedSite({ bypassPaths: ['/about/*'] })
    const paths = rendered()
    const end = ended()
    await start()
    await end
    expect(paths).to.not.include('/about/team/')
  })

  it('does nothing at the start of the site, nor while pages are not cached', async () => {
    speed = await startSpeedSite({}, { config: { pageCache: 'off' } })
    const paths = rendered()
    expect(await start()).to.equal(0)
    await wait(100)
    expect(paths).to.deep.equal([])
  })
})

describe('preload of a site that closes', () => {
  it('does not wait for a quiet moment', async () => {
    // No moment is quiet while the clock stands still.
    const site = await startCachedSite({ now: '2026-06-26T12:00:00Z' }, { preload: 'on' })
    await site.host.content.posts.insert({ type: 'page', status: 'publish', title: 'About' })
    const status = async () => {
      const answer = await site.get('/wp-json/speed/v1/cache-overview/fetch', { as: 'administrator' })
      return JSON.parse(await answer.text()).data
    }
    while (!(await status()).preload.running) await site.clock.advance(1000)
    await site.close()
  })
})
