import { expect } from 'chai'
import request from 'supertest'
import { type SiteUnderTest, startSite, textOf } from './site-under-test.ts'

describe('Archives of post formats', () => {
  let site: SiteUnderTest
  const get = (path: string) => request(site.http).get(path)

  before(async () => {
    site = await startSite()
    const { content } = site
    const slug = 'post-format-quote'
    const { id } = await content.terms.insert('post_format', { name: slug, slug })
    for (const title of ['First', 'Second'])
      await content.posts.insert({ status: 'publish', title, content: 'x', terms: { post_format: [id] } })
    await content.posts.insert({ status: 'publish', title: 'Standard', content: 'x' })
    await content.updateSiteSettings({ postsPerPage: 1 })
  })
  after(() => site.close())

  it('have WordPress’s addresses, with pages and feeds', async () => {
    const { status, text } = await get('/type/quote/')
    expect([status, textOf(text, 'h1')]).to.deep.equal([200, 'Quote'])
    expect(text).to.contain('tax-post_format term-post-format-quote').and.contain(' format-quote ')
    expect((await get('/type/quote/page/2/')).status).to.equal(200)
    expect((await get('/type/quote/page/3/')).status).to.equal(404)
    const feed = await get('/type/quote/feed/')
    expect(feed.text).to.contain('First').and.contain('Second').and.not.contain('Standard')
  })

  it('are found by the slug of the term too, and not for unknown formats', async () => {
    const { status, headers } = await get('/type/post-format-quote/')
    expect([status, headers.location]).to.deep.equal([301, '/type/quote/'])
    expect((await get('/type/nothing/')).status).to.equal(404)
  })

  it('are in the sitemaps', async () => {
    expect((await get('/wp-sitemap-taxonomies-post_format-1.xml')).text).to.contain('/type/quote/')
  })

  it('have the front of the permalink structure', async () => {
    await site.content.updateSiteSettings({ permalinkStructure: '/blog/%postname%/' })
    expect((await get('/blog/type/quote/')).status).to.equal(200)
    expect((await get('/type/quote/')).headers.location).to.equal('/blog/type/quote/')
  })
})
