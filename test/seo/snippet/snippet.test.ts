import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite } from '../seo-site.ts'

describe('POST /seo/v1/snippet', () => {
  let site: TestHost
  let postId: number
  before(async () => {
    site = await openSeoSite()
    await site.host.content.updateSiteSettings({ title: 'The Gazette' })
    const text = 'Tea is hot, green and better than coffee.'
    postId = (await site.host.content.posts.insert({ type: 'post', status: 'draft', title: 'Tea', content: text })).id
  })
  after(() => site.close())

  async function ask(body: Readonly<Record<string, unknown>>, as = 'editor') {
    const answer = await site.request('/wp-json/seo/v1/snippet', { method: 'POST', as, body })
    const told = JSON.parse(await answer.text())
    return { status: answer.status, code: told.code, data: told.data }
  }

  it('shows a stored post as search engines will', async () => {
    const { data } = await ask({ postId })
    expect(data.title).to.equal('Tea – The Gazette')
    expect(data.description).to.equal('Tea is hot, green and better than coffee.')
    expect(data.robots).to.deep.equal({ index: true, follow: true })
  })

  it('prefers unsaved values in the editor to stored ones, and stores nothing', async () => {
    const meta = { _seo_title: '%title% for all', _seo_description: '', _seo_noindex: true, _seo_og_title: 'Share me' }
    const { data } = await ask({ postId, title: 'Coffee', content: 'Black.', meta })
    expect(data).to.deep.include({ title: 'Coffee for all', description: 'Black.' })
    expect(data.robots).to.deep.equal({ index: false, follow: true })
    expect(data.openGraph.title).to.equal('Share me')
    expect(data.usual.title, 'what it is without the field').to.equal('Coffee – The Gazette')
    expect((await site.host.content.posts.get(postId))?.title).to.equal('Tea')
    expect(await site.host.content.meta.get('post', postId, '_seo_title')).to.equal(undefined)
  })

  it('shows an unsaved post', async () => {
    const { data } = await ask({ type: 'page', title: 'About', content: '<p>We are here.</p>' }, 'editor')
    expect(data).to.include({ title: 'About – The Gazette', description: 'We are here.' })
  })

  it('does not grow with a long title that a field names again and again', async () => {
    const answer = await site.request('/wp-json/seo/v1/snippet', {
      ...{ method: 'POST', as: 'contributor' },
      body: { title: 'x'.repeat(400_000), meta: { _seo_title: '%title%'.repeat(280) } },
    })
    expect((await answer.text()).length).to.be.below(10_000_000)
  })

  it('is available to users who may edit the post', async () => {
    expect(await ask({ postId }, 'author')).to.include({ status: 403, code: 'rest_forbidden' })
    expect(await ask({ type: 'page', title: 'x' }, 'author')).to.include({ status: 403 })
    expect(await ask({ title: 'x' }, 'subscriber')).to.include({ status: 403 })
    expect(await ask({ postId: 999_999 })).to.include({ status: 404, code: 'post_not_found' })
  })
})
