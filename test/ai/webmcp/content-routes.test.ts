import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { AI } from '../ai-plugin.ts'

const ROUTES = ['search?query=lantern', 'content/1', 'categories', 'tools', 'products?query=', 'product/1', 'cart']

describe('tools for browser agents', () => {
  let site: TestHost
  const ids = new Map<string, number>()
  before(async () => {
    site = await createTestHost({ extensions: [AI] })
    const { content } = site.host
    const tools = await content.terms.insert('category', { name: 'Tools & lights' })
    await content.terms.insert('category', { name: 'Empty' })
    const body = '<p>A <em>lantern</em> [gallery ids="1"]</p><script>track()</script><p>and a wick</p>'
    const statuses = ['publish', 'draft', 'pending', 'private', 'future', 'trash']
    for (const status of statuses) {
      const terms = { category: [tools.id] }
      const date = status === 'future' ? '2999-01-01T00:00:00' : '2026-02-03T04:05:06'
      const post = await content.posts.insert({
        title: `${status} lantern`,
        content: body,
        status,
        date,
        authorId: 1,
        terms,
      })
      ids.set(status, post.id)
    }
    const more: [title: string, post: object][] = [
      ['page', { type: 'page', status: 'publish' }],
      ['locked', { status: 'publish', password: 'x' }],
      ['attachment', { type: 'attachment', status: 'inherit' }],
      ['revision', { type: 'revision', status: 'inherit', parentId: ids.get('publish') }],
    ]
    for (const [title, post] of more)
      ids.set(title, (await content.posts.insert({ title: `${title} lantern`, content: body, ...post })).id)
  })
  after(() => site.close())

  async function ask(path: string, as?: string) {
    const answer = await site.get(`/wp-json/ai/v1/webmcp/${path}`, as === undefined ? {} : { as })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
  async function turn(webMcpTools: 'on' | 'off'): Promise<void> {
    const body = { settings: { webMcpTools } }
    const answer = await site.request('/wp-json/ai/v1/settings', { method: 'PUT', as: 'administrator', body })
    expect(answer.status).to.equal(200)
  }

  it('do not exist until they are switched on', async () => {
    for (const route of ROUTES) {
      const { status, body } = await ask(route)
      expect([status, body.code], route).to.deep.equal([404, 'rest_no_route'])
    }
    expect(await (await site.get('/wp-json/ai/v1')).text()).to.not.include('webmcp')
    expect(await (await site.get('/')).text()).to.not.include('webmcp')
  })

  it('are listed for administrators before they are turned on, and for no other users', async () => {
    const answer = await site.get('/wp-json/ai/v1/browser-tools', { as: 'administrator' })
    const { data } = JSON.parse(await answer.text())
    expect(data.enabled).to.equal(false)
    const names = data.items.map(({ name }: { name: string }) => name)
    expect(names).to.include.members(['search_content', 'get_content', 'list_categories'])
    expect(names).to.not.include('add_to_cart')
    expect((await site.get('/wp-json/ai/v1/browser-tools', { as: 'editor' })).status).to.equal(403)
    expect((await site.get('/wp-json/ai/v1/browser-tools')).status).to.equal(401)
  })

  describe('when they are on', () => {
    before(() => turn('on'))
    after(() => turn('off'))

    it('are in the index and in a script at the end of pages', async () => {
      expect(await (await site.get('/wp-json/ai/v1')).text()).to.include('/ai/v1/webmcp/search')
      expect(await (await site.get('/')).text()).to.match(
        /<script async src="\/wp-content\/uploads\/ai\/scripts\/webmcp\.[0-9a-f]{12}\.js">/,
      )
    })

    it('find what is public, and nothing else', async () => {
      const { body } = await ask('search?query=lantern')
      expect(body.data.items.map(({ id }: { id: number }) => id)).to.have.members([ids.get('publish'), ids.get('page')])
      const [row] = body.data.items.filter(({ type }: { type: string }) => type === 'post')
      expect(row).to.deep.equal({
        id: ids.get('publish'),
        type: 'post',
        title: 'publish lantern',
        url: `${site.url}/publish-lantern/`,
        excerpt: 'A lantern and a wick',
      })
    })

    it('read one post or page whole', async () => {
      const { status, body } = await ask(`content/${ids.get('publish')}`)
      expect(status).to.equal(200)
      expect(body.data).to.deep.include({
        id: ids.get('publish'),
        type: 'post',
        title: 'publish lantern',
        url: `${site.url}/publish-lantern/`,
        publishedAt: '2026-02-03T04:05:06Z',
      })
      expect(body.data.text)
        .to.match(/^A lantern .*and a wick$/)
        .and.not.match(/gallery|track|</)
      expect(body.data.author).to.be.a('string').and.not.equal('')
      expect((await ask(`content/${ids.get('page')}`)).body.data.type).to.equal('page')
    })

    it('return only public content, even for logged-in users', async () => {
      const hidden = [...ids].filter(([what]) => what !== 'publish' && what !== 'page')
      const paths = [...hidden.map(([what, id]) => [what, id]), ['nothing', 999_999], ['too large', 2 ** 40]]
      for (const as of [undefined, 'administrator']) {
        for (const [what, id] of paths) {
          const { status, body } = await ask(`content/${id}`, as)
          expect([status, body.code], `${what} for ${as}`).to.deep.equal([404, 'ai_not_found'])
        }
        expect((await ask('search?query=draft', as)).body.data.items).to.deep.equal([])
      }
    })

    it('list the categories that have posts', async () => {
      const { items } = (await ask('categories')).body.data
      const tools = items.find(({ name }: { name: string }) => name === 'Tools & lights')
      expect(tools).to.deep.equal({
        id: tools.id,
        name: 'Tools & lights',
        url: `${site.url}/category/tools-lights/`,
        count: 1,
      })
      expect(items.map(({ name }: { name: string }) => name)).to.not.include('Empty')
    })

    it('answer no more than 20 rows', async () => {
      const { content } = site.host
      for (let number = 0; number < 22; number++)
        await content.posts.insert({ title: `many ${number}`, status: 'publish' })
      const count = async (limit: string) => (await ask(`search?query=many${limit}`)).body.data.items.length
      expect([
        await count(''),
        await count('&limit=21'),
        await count('&limit=1000000000'),
        await count('&limit=3'),
      ]).to.deep.equal([10, 20, 20, 3])
      expect((await ask('search?query=&limit=100')).body.data.items).to.have.length(20)
    })

    it('refuse what they cannot read', async () => {
      const refused: [path: string, code: string][] = [
        ['search', 'rest_missing_callback_param'],
        ['search?query=a&limit=0', 'rest_invalid_param'],
        ['search?query=a&limit=-1', 'rest_invalid_param'],
        ['search?query=a&limit=1.5', 'rest_invalid_param'],
        ['search?query=a&limit=abc', 'rest_invalid_param'],
        [`search?query=${'a'.repeat(10_000)}`, 'rest_invalid_param'],
        ['content/abc', 'rest_invalid_param'],
        ['content/0', 'rest_invalid_param'],
      ]
      for (const [path, code] of refused) {
        const { status, body } = await ask(path)
        expect([status, body.code], path.slice(0, 40)).to.deep.equal([400, code])
      }
      for (const text of ['%', '_', '', "'; drop table posts", '"', '🏮', '\u202e\u0634', '<img onerror=alert(1)>'])
        expect((await ask(`search?query=${encodeURIComponent(text)}`)).status, text).to.equal(200)
    })

    it('without a store have none for products and carts', async () => {
      for (const route of ['products?query=', 'product/1', 'cart']) {
        const { status, body } = await ask(route)
        expect([status, body.code], route).to.deep.equal([404, 'rest_no_route'])
      }
      const { items } = (await ask('tools')).body.data
      expect(items.map(({ name }: { name: string }) => name)).to.deep.equal([
        'search_content',
        'get_content',
        'list_categories',
      ])
    })

    it('are described for agents, with the schema of their input', async () => {
      const [search] = (await ask('tools')).body.data.items
      expect(search).to.deep.include({ method: 'GET', url: site.host.rest.url('/ai/v1/webmcp/search'), readOnly: true })
      expect(search.inputSchema.required).to.deep.equal(['query'])
      expect(search.inputSchema.properties.limit).to.deep.include({ type: 'integer', minimum: 1, default: 10 })
    })
  })
})
