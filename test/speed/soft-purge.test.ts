import { expect } from 'chai'
import type { PurgeRequest } from '../../app/index.ts'
import { until } from '../support/until.ts'
import { type SpeedSite, startSpeedSite } from './speed-site.ts'

describe('soft purge', () => {
  let speed: SpeedSite
  let word: string

  beforeEach(async () => {
    speed = await startSpeedSite()
    word = 'old'
    speed.site.host.hooks.addFilter('page_html', (html) => html.replace('</body>', `word:${word}</body>`))
    await speed.fill(['/first/', '/about/'])
  })
  afterEach(() => speed.site.close())

  const read = async (path: string) => {
    const response = await speed.site.get(path)
    return { cache: response.headers.get('x-cache'), html: await response.text() }
  }
  function purge(request: PurgeRequest): void {
    word = 'new'
    speed.site.host.hooks.doAction('purge_pages', request)
  }
  const isUpdated = async (path: string) => (await read(path)).html.includes('word:new')
  const recorded = async () => (await speed.site.host.changes.read(undefined, 1000))?.at(-1)
  const request = (body: object) =>
    speed.site.request('/wp-json/host/v1/purge', { method: 'POST', as: 'administrator', body })

  it('serves the old page once more while the new one is rendered, by tag and by URL', async () => {
    for (const pages of [{ tags: [`post-${speed.ids.first}`] }, { urls: ['/first/'] }]) {
      word = 'old'
      await request({ all: true })
      await speed.fill(['/first/', '/about/'])
      purge({ ...pages, soft: true })
      const { cache, html } = await read('/first/')
      expect(cache).to.equal('STALE')
      expect(html).to.contain('word:old')
      await until(() => isUpdated('/first/'))
      expect((await read('/first/')).cache).to.equal('HIT')
      expect((await read('/about/')).html).to.contain('word:old')
    }
  })

  it('is recorded with the URLs of the cached pages, for caches in front of the site', async () => {
    purge({ tags: [`post-${speed.ids.first}`], soft: true })
    await until(async () => (await recorded())?.soft === true)
    expect(await recorded()).to.deep.include({ tags: [`post-${speed.ids.first}`], soft: true })
    expect((await recorded())?.urls).to.include(`${speed.site.host.config.url}/first/`)
  })

  it('is not soft when it coincides with a change that must show at once', async () => {
    purge({ tags: [`post-${speed.ids.about}`], soft: true })
    purge({ tags: [`post-${speed.ids.first}`], reason: 'Corrected.' })
    expect((await read('/first/')).cache).to.equal('MISS')
    await until(async () => (await recorded())?.reason.includes('Corrected.') ?? false)
    expect(await recorded()).to.include({ soft: false })
  })

  it('does not serve a page that became private meanwhile', async () => {
    purge({ tags: [`post-${speed.ids.first}`], soft: true })
    await speed.site.host.content.posts.update(speed.ids.first, { status: 'private' })
    expect((await speed.site.get('/first/')).status).to.equal(404)
    await until(async () => (await recorded())?.reason.includes('was changed') ?? false)
    expect(await recorded()).to.include({ soft: false })
  })

  it('is requested over REST, for some pages or all', async () => {
    word = 'new'
    expect((await request({ urls: ['/first/'], soft: true })).status).to.equal(200)
    expect((await read('/first/')).cache).to.equal('STALE')
    expect((await read('/about/')).cache).to.equal('HIT')
    expect(await recorded()).to.include({ soft: true, cause: 'request' })
    expect((await request({ all: true, soft: true })).status).to.equal(200)
    expect((await read('/about/')).cache).to.equal('STALE')
    expect(await recorded()).to.include({ scope: 'pages', soft: true })
    await until(() => isUpdated('/about/'))
  })
})
