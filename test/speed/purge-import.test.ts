import { expect } from 'chai'
import { purgesTold, type SpeedSite, startSpeedSite } from './speed-site.ts'

describe('the page cache during an import', () => {
  let speed: SpeedSite

  afterEach(() => speed.site.close())

  it('continues to serve cached pages, and purges all pages when the import ends', async () => {
    speed = await startSpeedSite()
    const { hooks, content } = speed.site.host
    await speed.fill(['/', '/first/'])
    await hooks.doActionAsync('import_start')
    await content.posts.insert({ title: 'Imported', status: 'publish' })
    expect(await speed.gone(['/', '/first/'])).to.deep.equal([])
    await hooks.doActionAsync('import_end')
    expect(await speed.gone(['/', '/first/'])).to.deep.equal(['/', '/first/'])
  })

  it('purges what an editor changes meanwhile at once', async () => {
    speed = await startSpeedSite()
    await speed.fill(['/first/', '/about/'])
    await speed.site.host.hooks.doActionAsync('import_start')
    const route = `/wp-json/wp/v2/posts/${speed.ids.first}`
    await speed.site.request(route, { method: 'POST', as: 'administrator', body: { status: 'draft' } })
    expect((await speed.site.get('/first/')).status).to.equal(404)
    expect(await speed.visit('/about/')).to.equal('HIT')
    await speed.site.host.hooks.doActionAsync('import_end')
  })

  it('preloads once it has ended, not while each purge discards what was rendered', async () => {
    speed = await startSpeedSite({ preload: 'on' })
    const { hooks, content } = speed.site.host
    await hooks.doActionAsync('import_start')
    let preloads = 0
    hooks.addFilter('speed_preload_urls', (urls) => {
      preloads++
      return urls
    })
    // A setting that all pages show, as the title that an import takes over.
    await content.updateSiteSettings({ title: 'Imported' })
    await purgesTold(speed.site)
    expect(preloads).to.equal(0)
    const { promise: preloaded, resolve } = Promise.withResolvers<unknown>()
    hooks.addAction('speed_preloaded', resolve)
    await hooks.doActionAsync('import_end')
    await preloaded
    expect(preloads).to.equal(1)
  })
})
