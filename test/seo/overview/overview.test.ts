import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { CHECKS } from '../../../plugins/seo/overview/checks.ts'
import { PIXEL } from '../pixel.ts'
import { call, clear, make } from '../redirects/redirects-site.ts'
import { openSeoSite, set } from '../seo-site.ts'

describe('GET /seo/v1/overview', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())

  const overview = async () => (await call(site, 'GET', '/overview')).data
  const missing = async (): Promise<string[]> => (await overview()).actionItems.map(({ id }: { id: string }) => id)

  it('gives 100 points in all', () => {
    expect(CHECKS.reduce((sum, { weight }) => sum + weight, 0)).to.equal(100)
    expect(CHECKS.map(({ weight }) => weight)).to.deep.equal(
      CHECKS.map(({ weight }) => weight).toSorted((a, b) => b - a),
    )
  })

  it('lists recommendations by weight', async () => {
    await site.host.options.update('blog_public', 0)
    const { scorePercent, actionItems } = await overview()
    expect(actionItems[0]).to.deep.include({
      id: 'visible',
      weight: 25,
      action: { type: 'screen', target: 'site-settings' },
    })
    const lost = actionItems.reduce((sum: number, { weight }: { weight: number }) => sum + weight, 0)
    expect(scorePercent).to.equal(100 - lost)
    await site.host.options.update('blog_public', 1)
    expect((await overview()).scorePercent).to.equal(scorePercent + 25)
  })

  it('is 100 percent once all of it is done', async () => {
    const { id: image } = await site.host.content.media.upload({ source: PIXEL, name: 'logo.png' })
    await site.host.content.updateSiteSettings({ title: 'Kitchen', description: 'Notes' })
    await set(site, { logo: image, socialImage: image, googleVerification: 'abc' })
    await call(site, 'POST', '/setup/complete', { answers: {} })
    expect(await overview()).to.deep.include({ scorePercent: 100, actionItems: [] })
    await set(site, { xmlSitemap: 'off', schema: 'off', llmsTxt: 'off', redirects: 'off' })
    expect(await missing()).to.deep.equal(['sitemap', 'structured-data', 'llms-txt', 'changed-slugs'])
  })

  it('counts redirects, missing pages and what crawlers fetched on each day of a week', async () => {
    await make(site, '/old/', '/new/')
    for (let at = 0; at < 5; at++) await site.get('/linked-somewhere/')
    // The log is written when somebody looks.
    await call(site, 'GET', '/404s')
    const { redirects, missingPages, crawls } = await overview()
    expect({ redirects, missingPages }).to.deep.equal({ redirects: 1, missingPages: 1 })
    expect(crawls).to.have.length(7)
    expect(await missing()).to.include('missing-pages')
    await clear(site)
  })

  it('is an administrator’s', async () => {
    expect((await site.get('/wp-json/seo/v1/overview', { as: 'editor' })).status).to.equal(403)
  })
})
