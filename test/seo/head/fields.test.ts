import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite } from '../seo-site.ts'
import { headAt } from './read-head.ts'

describe('The fields of the SEO box', () => {
  let site: TestHost
  let postId: number
  let termId: number
  before(async () => {
    site = await openSeoSite()
    const { content } = site.host
    postId = (await content.posts.insert({ type: 'post', status: 'publish', title: 'Tea', slug: 'tea', authorId: 1 }))
      .id
    termId = (await content.terms.insert('category', { name: 'Drinks' })).id
  })
  after(() => site.close())

  const save = (route: string, meta: Readonly<Record<string, unknown>>, as = 'editor') =>
    site.request(`/wp-json/wp/v2${route}`, { method: 'POST', as, body: { meta } })

  it('of posts are read and written over wp/v2', async () => {
    const meta = {
      _seo_title: 'All about tea',
      _seo_description: 'Hot and green',
      _seo_canonical: 'https://example.org/tea/',
      _seo_noindex: true,
      _seo_nofollow: true,
      _seo_og_title: 'Tea!',
      _seo_og_description: 'Have some',
      _seo_og_image: 'https://example.org/tea.png',
      _seo_x_title: 'Tea on X',
      _seo_x_description: 'Have more',
      _seo_x_image: '/cup.png',
      _seo_primary_category: termId,
      _seo_schema_type: 'NewsArticle',
      _seo_focus_keyword: 'green tea',
    }
    expect((await save(`/posts/${postId}`, meta)).status).to.equal(200)
    const read = JSON.parse(await (await site.get(`/wp-json/wp/v2/posts/${postId}`)).text())
    expect(read.meta).to.deep.include(meta)
    const head = await headAt(site, '/tea/')
    expect(head.titles).to.deep.equal(['All about tea'])
    expect(head.meta('description')).to.deep.equal(['Hot and green'])
    expect(head.link('canonical')).to.deep.equal(['https://example.org/tea/'])
    expect(head.meta('robots')[0]?.split(', ')).to.include.members(['noindex', 'nofollow'])
    expect(head.meta('og:title')).to.deep.equal(['Tea!'])
    expect(head.meta('og:description')).to.deep.equal(['Have some'])
    expect(head.meta('og:image')).to.deep.equal(['https://example.org/tea.png'])
    expect(head.meta('og:url')).to.deep.equal(['https://example.org/tea/'])
    expect(head.meta('twitter:title')).to.deep.equal(['Tea on X'])
    expect(head.meta('twitter:description')).to.deep.equal(['Have more'])
    expect(head.meta('twitter:image')).to.deep.equal([`${site.url}/cup.png`])
  })

  it('of terms too, without those that only posts have', async () => {
    expect((await save(`/categories/${termId}`, { _seo_title: 'Drinks we like', _seo_noindex: true })).status).to.equal(
      200,
    )
    const head = await headAt(site, '/category/drinks/')
    expect(head.titles).to.deep.equal(['Drinks we like'])
    expect(head.meta('robots')[0]).to.contain('noindex')
    const { meta } = JSON.parse(await (await site.get(`/wp-json/wp/v2/categories/${termId}`)).text())
    expect(meta)
      .to.include({ _seo_title: 'Drinks we like', _seo_noindex: true })
      .and.not.have.property('_seo_schema_type')
  })

  it('are empty again when they are set to null', async () => {
    await save(`/posts/${postId}`, { _seo_title: null, _seo_canonical: null, _seo_noindex: null, _seo_og_image: null })
    const head = await headAt(site, '/tea/')
    expect(head.titles[0]).to.contain('Tea – ')
    expect(head.link('canonical')).to.deep.equal([`${site.url}/tea/`])
    expect(head.meta('robots')[0]).to.not.contain('noindex')
  })

  it('can only be written by users who may edit the post', async () => {
    const route = `/posts/${postId}`
    expect((await site.request(`/wp-json/wp/v2${route}`, { method: 'POST', body: { meta: {} } })).status).to.equal(401)
    for (const as of ['author', 'contributor', 'subscriber'])
      expect((await save(route, { _seo_title: 'Mine' }, as)).status, as).to.equal(403)
    expect((await save(`/categories/${termId}`, { _seo_title: 'Mine' }, 'author')).status).to.equal(403)
    expect((await headAt(site, '/tea/')).html).to.not.contain('Mine')
  })

  for (const [key, value] of [
    ['_seo_title', 'two\nlines'],
    ['_seo_title', 'x'.repeat(1001)],
    ['_seo_title', ['a']],
    ['_seo_canonical', 'javascript:alert(1)'],
    ['_seo_canonical', '//evil.example/'],
    ['_seo_canonical', '/\\evil.example/'],
    ['_seo_canonical', 'https://user:password@example.org/'],
    ['_seo_canonical', 'example.org'],
    ['_seo_og_image', 'data:image/png;base64,AAAA'],
    ['_seo_x_image', 'picture.png'],
    ['_seo_noindex', 'perhaps'],
    ['_seo_primary_category', -1],
    ['_seo_primary_category', 'travel'],
  ] as const)
    it(`refuse ${JSON.stringify(value).slice(0, 40)} as ${key}`, async () => {
      const answer = await save(`/posts/${postId}`, { [key]: value })
      expect([answer.status, JSON.parse(await answer.text()).code]).to.deep.equal([400, 'rest_invalid_param'])
    })
})
