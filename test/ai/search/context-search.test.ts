import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { AI } from '../ai-plugin.ts'

describe('GET /context/search', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost({ extensions: [AI] })
    // A first request makes the users.
    for (const role of ['author', 'editor']) await site.get('/wp-json/', { as: role })
    const author = (await site.host.auth.users.getByLogin('test-author'))?.id
    const post = (title: string, more: object = {}) =>
      site.host.content.posts.insert({ title, content: '<p>On <em>lanterns</em> &amp; wicks</p>', ...more })
    await post('Public', { status: 'publish', excerpt: 'Short &amp; <b>bold</b>' })
    await post('Page', { status: 'publish', type: 'page' })
    await post('Locked lanterns', { status: 'publish', password: 'x' })
    await post('Own draft', { status: 'draft', authorId: author })
    await post('Draft of another', { status: 'draft', authorId: 1 })
    await post('Private of another', { status: 'private', authorId: 1 })
    await post('Page of another', { status: 'draft', type: 'page', authorId: 1 })
    await post('Thrown away', { status: 'trash', authorId: author })
    await site.host.content.posts.insert({ type: 'attachment', title: 'lanterns.png', status: 'inherit' })
  })
  after(() => site.close())

  async function search(query: string, as?: string): Promise<Response> {
    return site.get(`/wp-json/ai/v1/context/search${query}`, as === undefined ? {} : { as })
  }
  async function titles(query: string, as: string): Promise<string[]> {
    const { data } = JSON.parse(await (await search(query, as)).text())
    return data.items.map(({ title }: { title: string }) => title)
  }

  it('is for those who write', async () => {
    expect((await search('?query=lanterns')).status).to.equal(401)
    expect((await search('?query=lanterns', 'subscriber')).status).to.equal(403)
  })

  it('answers rows of plain text', async () => {
    const { status, data } = JSON.parse(await (await search('?query=lanterns%20public', 'author')).text())
    const [{ id }] = data.items
    const row = { id, type: 'post', title: 'Public', url: `${site.url}/public/`, excerpt: 'Short & bold' }
    expect({ status, items: data.items }).to.deep.equal({ status: 'success', items: [row] })
    expect((await site.host.content.posts.get(id))?.title).to.equal('Public')
    expect(await titles('?query=nothing', 'author')).to.deep.equal([])
  })

  it('shows only what the caller may read', async () => {
    expect(await titles('?query=lanterns', 'author')).to.have.members([
      'Public',
      'Page',
      'Own draft',
      'Protected: Locked lanterns',
    ])
    expect(await titles('?query=lanterns', 'editor')).to.have.members([
      'Public',
      'Page',
      'Own draft',
      'Draft of another',
      'Page of another',
      'Private: Private of another',
      'Protected: Locked lanterns',
    ])
    site.host.auth.addRole('post-editor', 'Editor of posts', ['read', 'edit_posts', 'edit_others_posts'])
    expect(await titles('?query=lanterns', 'post-editor'), 'no pages, nothing private').to.have.members([
      ...['Public', 'Page', 'Own draft', 'Draft of another', 'Protected: Locked lanterns'],
    ])
  })

  it('says nothing of what a password protects', async () => {
    const { data } = JSON.parse(await (await search('?query=locked', 'editor')).text())
    expect(data.items.map(({ excerpt }: { excerpt: string }) => excerpt)).to.deep.equal([''])
    expect(await titles('?query=wicks%20locked', 'editor')).to.deep.equal([])
  })

  it('shows what was changed last where nothing is asked for yet', async () => {
    expect(await titles('?query=&limit=2', 'author')).to.have.length(2)
  })

  it('refuses what it cannot read', async () => {
    const refused: [query: string, code: string][] = [
      ['', 'rest_missing_callback_param'],
      ['?query=a&limit=0', 'rest_invalid_param'],
      ['?query=a&limit=51', 'rest_invalid_param'],
      ['?query=a&limit=some', 'rest_invalid_param'],
      [`?query=${'a'.repeat(1001)}`, 'rest_invalid_param'],
    ]
    for (const [query, code] of refused) {
      const answer = await search(query, 'author')
      expect([answer.status, JSON.parse(await answer.text()).code], query.slice(0, 30)).to.deep.equal([400, code])
    }
  })

  it('takes any text as words', async () => {
    for (const text of ['%', '_', "' or 1=1 --", '"', '\u202e\u0634\u0628', '🏮', '<script>']) {
      expect((await search(`?query=${encodeURIComponent(text)}`, 'author')).status, text).to.equal(200)
    }
  })
})
