import { expect } from 'chai'
import type { NewPost, Post } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { statementsOf } from '../../support/statements.ts'
import { LICENSED } from '../license.ts'
import { openSeoSite, set } from '../seo-site.ts'
import { linksSettled } from './links-settled.ts'

const ORPHANS = '/wp-json/seo/v1/orphans'

onEachDatabase('GET /seo/v1/orphans', (databaseUrl, kind) => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite({ config: { ...LICENSED, databaseUrl: await databaseUrl() } })
    await site.host.content.posts.delete(1)
  })
  after(() => site.close())
  afterEach(async () => {
    const { items } = await site.host.content.posts.query({
      types: ['post', 'page', 'note'],
      statuses: ALL,
      limit: 100,
    })
    for (const { id } of items) await site.host.content.posts.delete(id)
  })
  const ALL = ['publish', 'draft', 'private', 'trash', 'future']

  const publish = (slug: string, content = '', more: NewPost = {}): Promise<Post> =>
    site.host.content.posts.insert({ title: slug, slug, content, status: 'publish', type: 'post', ...more })
  const linkTo = (href: string) => `<p>Read <a href="${href}">this</a>.</p>`
  const update = (id: number, changes: NewPost) => site.host.content.posts.update(id, changes)

  async function orphans(query = ''): Promise<string[]> {
    const answer = await site.get(ORPHANS + query, { as: 'administrator' })
    expect(answer.status).to.equal(200)
    return JSON.parse(await answer.text()).data.items.map(({ title }: { title: string }) => title)
  }

  it('is an administrator’s, and Pro', async () => {
    expect((await site.get(ORPHANS)).status).to.equal(401)
    expect((await site.get(ORPHANS, { as: 'editor' })).status).to.equal(403)
    const free = await openSeoSite()
    const answer = await free.get(ORPHANS, { as: 'administrator' })
    expect(JSON.parse(await answer.text()).code).to.equal('rest_no_route')
    await free.close()
  })

  it('lists published pages that nothing links to, newest first, with what an editor needs', async () => {
    const old = await publish('old', '', { date: '2024-01-01T10:00:00' })
    const lonely = await publish('lonely', '', { title: 'Alone &amp; <em>far</em>', date: '2024-02-01T10:00:00' })
    const answer = await site.get(ORPHANS, { as: 'administrator' })
    const { data } = JSON.parse(await answer.text())
    expect(data).to.deep.equal({
      items: [
        {
          postId: lonely.id,
          title: 'Alone & far',
          url: site.host.content.link(lonely),
          type: 'post',
          publishedAt: '2024-02-01T10:00:00Z',
        },
        {
          postId: old.id,
          title: 'old',
          url: site.host.content.link(old),
          type: 'post',
          publishedAt: '2024-01-01T10:00:00Z',
        },
      ],
      ...{ total: 2, pages: 1, page: 1, perPage: 10 },
    })
    expect(answer.headers.get('x-wp-total')).to.equal('2')
  })

  it('comes in pages; one past the last is empty', async () => {
    for (const number of [1, 2, 3]) await publish(`post-${number}`, '', { date: `2024-01-0${number}T00:00:00` })
    expect(await orphans('?perPage=2')).to.deep.equal(['post-3', 'post-2'])
    expect(await orphans('?perPage=2&page=2')).to.deep.equal(['post-1'])
    expect(await orphans('?perPage=2&page=3')).to.deep.equal([])
  })

  describe('counts a link', () => {
    const forms: Record<string, (origin: string, id: number) => string> = {
      relative: () => '/target/',
      'relative to the page': () => '../target/',
      absolute: (origin) => `${origin}/target/`,
      'over https': (origin) => `${origin.replace('http:', 'https:')}/target/`,
      'without a slash at the end': () => '/target',
      'with a query and a fragment': () => '/target/?utm_source=x#part',
      'in capitals': () => '/TARGET/',
      'by id': (origin, id) => `${origin}/?p=${id}`,
      'without a scheme': (origin) => `${origin.replace('http:', '')}/target/`,
      'with entities': () => '/target/?a=1&amp;b=2',
      'with index.php': () => '/index.php/target/',
    }
    for (const [name, href] of Object.entries(forms))
      it(name, async () => {
        const { id } = await publish('target')
        await publish('source', linkTo(href(site.url, id)))
        expect(await orphans()).to.deep.equal(['source'])
      })

    it('to a path of other letters, however it is written', async () => {
      await publish('', '', { title: '東京の天気' })
      await publish('', '', { title: 'Καφές' })
      await publish('source', linkTo('/東京の天気/') + linkTo('/%CE%9A%CE%91%CE%A6%CE%AD%CF%82'))
      expect(await orphans()).to.deep.equal(['source'])
    })

    it('that existed before its target page', async () => {
      await publish('source', linkTo('/target/'))
      await publish('target')
      expect(await orphans()).to.deep.equal(['source'])
    })
  })

  describe('does not count', () => {
    const contents: Record<string, string> = {
      'one in a comment': `<!-- ${linkTo('/target/')} -->`,
      'one in a script': `<script>document.write('${linkTo('/target/')}')</script>`,
      'a fragment of the page itself': linkTo('#target'),
      'one to another site': linkTo('https://example.com/target/'),
      'one to another site whose name begins alike': linkTo('http://127.0.0.1.example.com/target/'),
      'one by mail': linkTo('mailto:target@example.org'),
      'the bare address': '<p>/target/</p>',
    }
    for (const [name, content] of Object.entries(contents))
      it(name, async () => {
        await publish('target')
        await publish('source', content)
        expect(await orphans()).to.have.members(['target', 'source'])
      })

    it('a link of the page to itself', async () => {
      await publish('target', linkTo('/target/'))
      expect(await orphans()).to.deep.equal(['target'])
    })

    for (const [name, more] of Object.entries<NewPost>({
      'a draft': { status: 'draft' },
      'a private page': { status: 'private' },
      'one with a password': { password: 'secret' },
      'one that search engines should not keep': { meta: { _seo_noindex: [true] } },
    }))
      it(`a link of ${name}`, async () => {
        await publish('target')
        await publish('source', linkTo('/target/'), more)
        expect(await orphans()).to.deep.equal(['target'])
      })
  })

  it('leaves out pages that search engines should not keep', async () => {
    const { id } = await publish('target')
    await site.host.content.meta.set('post', id, '_seo_noindex', true)
    expect(await orphans()).to.deep.equal([])
    await site.host.content.meta.delete('post', id, '_seo_noindex')
    expect(await orphans()).to.deep.equal(['target'])
  })

  it('leaves out pages in the menu, and those below a page', async () => {
    const parent = await publish('about', '', { type: 'page' })
    const child = await publish('team', '', { type: 'page', parentId: parent.id })
    expect(await orphans()).to.deep.equal([])
    await update(parent.id, { status: 'draft' })
    expect(await orphans()).to.deep.equal(['team'])
    await update(child.id, { parentId: 0 })
    expect(await orphans()).to.deep.equal([])
  })

  it('excludes pages in a menu of the site, instead of top-level pages', async () => {
    await publish('about', '', { type: 'page' })
    const { id } = await publish('target')
    expect(await orphans()).to.deep.equal(['target'])
    const { menus, terms } = site.host.content
    const menu = await terms.insert('nav_menu', { name: 'Main' })
    await menus.place(menu.id, ['primary'])
    expect(await orphans()).to.have.members(['about', 'target'])
    const entry = await menus.addItem(menu.id, { type: 'post_type', objectId: id })
    expect(await orphans()).to.deep.equal(['about'])
    await menus.deleteItem(entry.id)
    expect(await orphans()).to.have.members(['about', 'target'])
    await menus.delete(menu.id)
  })

  it('leaves out the front page and the page of posts', async () => {
    const parent = await publish('hidden', '', { type: 'page', status: 'private' })
    const front = await publish('front', '', { type: 'page', parentId: parent.id })
    expect(await orphans()).to.deep.equal(['front'])
    await site.host.content.updateSiteSettings({ showOnFront: 'page', pageOnFront: front.id })
    expect(await orphans()).to.deep.equal([])
    await site.host.content.updateSiteSettings({ showOnFront: 'posts', pageOnFront: 0 })
    expect(await orphans()).to.deep.equal(['front'])
  })

  describe('is right as soon as something was saved', () => {
    it('when a link is added and taken away', async () => {
      await publish('target')
      const { id } = await publish('source')
      await update(id, { content: linkTo('/target/') })
      expect(await orphans()).to.deep.equal(['source'])
      await update(id, { content: 'No link.' })
      expect(await orphans()).to.have.members(['target', 'source'])
    })

    it('when the page with the link goes to the trash, comes back and is deleted', async () => {
      await publish('target')
      const { id } = await publish('source', linkTo('/target/'))
      await update(id, { status: 'trash' })
      expect(await orphans()).to.deep.equal(['target'])
      await update(id, { status: 'publish' })
      expect(await orphans()).to.deep.equal(['source'])
      await site.host.content.posts.delete(id)
      expect(await orphans()).to.deep.equal(['target'])
    })

    it('when the slug changes: links to the old one are redirected and count', async () => {
      const { id } = await publish('target')
      await publish('source', linkTo('/target/'))
      await update(id, { slug: 'moved' })
      expect(await orphans()).to.deep.equal(['source'])
    })

    it('when another page takes an address', async () => {
      const { id } = await publish('target')
      await publish('source', linkTo('/target/'))
      await update(id, { slug: 'moved' })
      await publish('target', '', { title: 'another' })
      expect(await orphans()).to.have.members(['source', 'target'])
    })

    it('when an address that another page had taken is free again', async () => {
      const first = await publish('first', 'x', { slug: 'wanted' })
      await update(first.id, { slug: 'other' })
      await publish('source', linkTo('/wanted/'))
      expect(await orphans()).to.deep.equal(['source'])
      const second = await publish('second', '', { slug: 'wanted' })
      expect(await orphans()).to.have.members(['source', 'first'])
      await update(first.id, { content: 'x y' })
      expect(await orphans()).to.have.members(['source', 'first'])
      await site.host.content.posts.delete(second.id)
      await update(first.id, { content: 'x' })
      expect(await orphans()).to.deep.equal(['source'])
    })

    it('without reading the links and keywords if neither changes', async () => {
      await publish('target')
      const { id } = await publish('source', linkTo('/target/'))
      await update(id, { content: linkTo('/elsewhere/') })
      const readBy = async (content: string) => {
        const statements = await statementsOf(() => update(id, { content }))
        return statements.filter((statement) => /^select.* from "seo_link(s|_terms)"/.test(statement)).length
      }
      expect(await readBy(`${linkTo('/elsewhere/')}<p> </p>`)).to.equal(0)
      expect(await orphans()).to.have.members(['target', 'source'])
      expect(await readBy(linkTo('/target/'))).to.equal(kind === 'sqlite' ? 2 : 0)
      expect(await orphans()).to.deep.equal(['source'])
    })

    it('when pages are saved and deleted many at once', async () => {
      await publish('target')
      const sources = await Promise.all(Array.from({ length: 10 }, (_, at) => publish(`source-${at}`)))
      await Promise.all(
        sources
          .flatMap(({ id }, at) => [
            update(id, { content: linkTo('/target/') }),
            at % 2 === 0 ? site.host.content.posts.delete(id).then(() => {}) : update(id, { content: 'No link' }),
          ])
          .map((work) => work.catch(() => {})),
      )
      const { items } = await site.host.content.posts.query({ limit: 100 })
      const isLinked = items.some(({ content }) => content.includes('/target/'))
      const expected = items.map(({ title }) => title).filter((title) => title !== 'target' || !isLinked)
      expect(await orphans('?perPage=100')).to.have.members(expected)
    })

    it('when a type of pages is to be kept out of search engines, or all are', async () => {
      await publish('target')
      await set(site, { noindexTypes: ['post'] })
      await linksSettled(site)
      expect(await orphans()).to.deep.equal([])
      await set(site, { noindexTypes: ['attachment'] })
      await linksSettled(site)
      expect(await orphans()).to.deep.equal(['target'])
    })
  })
})
