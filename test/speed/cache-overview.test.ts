import { mock } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { HistoryDay } from '../../plugins/speed/history/index.ts'
import type { CachedPage, PreloadProgress } from '../../plugins/speed/types.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type SpeedSite, startSpeedSite } from './speed-site.ts'
import { anyId, fromPage, openSite, REPORT, tokenOf } from './visits.ts'

interface Totals {
  total: number
  originalSize: number
  size: number
}

interface Overview {
  status: string
  pages: { total: number; stale: number; size: number; compressedSize: number }
  visits: { days: number; hits: number; misses: number }
  assets: Totals & { types: (Totals & { type: string })[] }
  preload: PreloadProgress
  optimizer: { waiting: number }
}

describe('the totals of the page cache', () => {
  let speed: SpeedSite

  afterEach(() => speed.site.close())

  async function call<Data>(method: string, route: string): Promise<Data> {
    const answer = await speed.site.request(`/wp-json/speed/v1/${route}`, { method, as: 'administrator' })
    const { data }: { data: Data } = JSON.parse(await answer.text())
    return data
  }
  const overview = () => call<Overview>('GET', 'cache-overview/fetch')

  it('are an administrator’s', async () => {
    speed = await startSpeedSite()
    for (const [method, route] of [
      ['GET', 'cache-overview/fetch'],
      ['GET', 'history/fetch'],
      ['POST', 'preload-cache/cancel'],
    ] as const) {
      expect((await speed.site.request(`/wp-json/speed/v1/${route}`, { method })).status).to.equal(401)
      expect((await speed.site.request(`/wp-json/speed/v1/${route}`, { method, as: 'editor' })).status).to.equal(403)
    }
  })

  it('count pages, visits that were answered from the cache and those that were not', async () => {
    speed = await startSpeedSite()
    expect(await overview()).to.deep.include({
      status: 'active',
      pages: { total: 0, stale: 0, size: 0, compressedSize: 0 },
      visits: { days: 7, hits: 0, misses: 0 },
      optimizer: { waiting: 0 },
    })
    for (let visits = 0; visits < 3; visits++) await speed.visit('/about/')
    await speed.visit('/first/')
    const { visits, ...seen } = await overview()
    let { pages } = seen
    expect(visits).to.deep.equal({ days: 7, hits: 2, misses: 2 })
    expect(pages.total).to.equal(2)
    // Pages are compressed after the visitor has got them.
    while (pages.compressedSize >= pages.size) {
      await wait(50)
      pages = (await overview()).pages
    }
    // Asked again, nothing is counted twice.
    expect((await overview()).visits).to.deep.equal({ days: 7, hits: 2, misses: 2 })
  })

  it('sum up what the optimizer made, by kind', async () => {
    speed = await startSpeedSite({ minifyCss: 'on' })
    await speed.visit('/first/')
    let seen = await overview()
    while (seen.assets.total === 0) {
      await wait(50)
      seen = await overview()
    }
    const { types, ...all } = seen.assets
    expect(types).to.deep.equal([{ type: 'css', ...all }])
    expect(all.size).to.be.lessThan(all.originalSize)
  })

  it('come with a list of pages that can be searched', async () => {
    speed = await startSpeedSite()
    await speed.fill(['/about/', '/about/team/', '/first/'])
    const urls = async (query: string) => {
      const { items } = await call<{ items: CachedPage[] }>('GET', `optimized-pages/fetch?${query}`)
      return items.map(({ url }) => new URL(url).pathname)
    }
    expect(await urls('search=ABOUT')).to.have.members(['/about/', '/about/team/'])
    expect(await urls('search=ABOUT&status=stale')).to.deep.equal([])
    expect(await urls('status=fresh&perPage=2')).to.have.lengthOf(2)
  })

  it('POST /preload-cache/cancel ends the preload; what was rendered stays', async () => {
    speed = await startSpeedSite()
    const [beginning, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    speed.site.host.hooks.addFilter('page_html', async (html) => {
      beginning.resolve()
      await gate.promise
      return html
    })
    const { preload } = await call<{ preload: { queued: number } }>('POST', 'preload-cache')
    expect(preload.queued).to.be.greaterThan(3)
    await beginning.promise
    expect((await overview()).preload).to.include({ running: true, stored: 0 })
    const cancelled = call<{ preload: PreloadProgress }>('POST', 'preload-cache/cancel')
    while ((await overview()).preload.queued > 0) await wait(10)
    gate.resolve()
    expect((await cancelled).preload).to.deep.equal({ running: false, queued: 0, stored: 1, skipped: 0, failed: 0 })
    expect((await overview()).pages.total).to.equal(1)
  })
})

onEachDatabase('GET /history/fetch', (databaseUrl) => {
  it('reports the hit rate and the performance at the end of each day', async () => {
    const host = await openSite({ config: { databaseUrl: await databaseUrl() } })
    const history = async (query = '') => {
      const { users, applicationPasswords } = host.host.auth
      const admin = await users.getByLogin('admin')
      const { password } = await applicationPasswords.create(admin?.id ?? 0, anyId())
      const headers = { Authorization: `Basic ${btoa(`admin:${password}`)}` }
      const answer = await host.get(`/wp-json/speed/v1/history/fetch${query}`, { headers })
      const { data }: { data: { days: HistoryDay[] } } = JSON.parse(await answer.text())
      return data.days
    }
    const report = async (LCP: number) => {
      const metrics = [{ name: 'LCP', value: LCP, id: anyId() }]
      const body = { token: await tokenOf(host), url: '/', metrics }
      expect((await host.request(REPORT, { method: 'POST', headers: fromPage(), body })).status).to.equal(204)
    }
    const none = { LCP: null, CLS: null, INP: null, FCP: null, TTFB: null }
    expect(await history()).to.have.lengthOf(30)
    expect((await history('?days=2')).at(-1)).to.deep.include({ hits: 0, misses: 0, score: null, metrics: none })

    for (let visits = 0; visits < 10; visits++) await report(2500)
    const before = (await history('?days=1'))[0]
    expect(before).to.deep.include({ score: 90, metrics: { ...none, LCP: 2500 } })

    await host.host.jobs.runDue()
    const now = Date.now()
    mock.timers.enable({ apis: ['Date'], now: now + 3600_000 })
    await host.host.jobs.runDue()
    mock.timers.setTime(now + 25 * 3600_000)
    const days = await history('?days=3')
    mock.timers.reset()
    expect(days.map(({ metrics }) => metrics.LCP)).to.deep.equal([null, 2500, 2500])
    expect(days[1]).to.deep.include({ score: 90, hits: 0 })
    await host.close()
  })
})
