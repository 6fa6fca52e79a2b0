import { join } from 'node:path'
import { expect } from 'chai'
import type { Post } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { LICENSED } from '../seo/license.ts'
import { onEachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'

const MEMBERS_ONLY = join(import.meta.dirname, 'members-only.extension.ts')

/** In the titles, texts, comments and files of what is for members, and nowhere else. */
const SECRETS = ['Zanzibar', 'Quetzal', 'Umbrage', 'Vermilion']

onEachDatabase('A post that an extension closes', (databaseUrl) => {
  let site: TestHost
  let closed: Post
  let closedPage: Post
  let open: Post
  let attachment: Post
  let comment: number
  const cookies = new Map<string, string>()

  before(async () => {
    const { licensePublicKey, licenseKey } = LICENSED
    const config = { licensePublicKey, databaseUrl: await databaseUrl() }
    site = await createTestHost({ services: true, extensions: [MEMBERS_ONLY], config })
    const { auth, content, license } = site.host
    await license.set(licenseKey)
    await set('ai', { webMcpTools: 'on', aiRelatedPosts: 'on', mcpServer: 'on' })
    await set('seo', { breadcrumbs: 'on', llmsTxt: 'on', noindexDates: 'off' })
    const editor = await auth.users.create({ login: 'writer', displayName: 'A Writer', roles: ['editor'] })
    const news = await content.terms.insert('category', { name: 'News' })
    const post = (title: string, more: Parameters<typeof content.posts.insert>[0] = {}) =>
      content.posts.insert({
        ...{ title, content: `<p>${title} and lanterns</p>`, status: 'publish', authorId: editor.id },
        ...{ date: '2026-01-05T08:00:00', terms: { category: [news.id] } },
        ...more,
      })
    const meta = { members_only: [true] }
    await post('Before', { date: '2026-01-04T08:00:00' })
    closed = await post('Zanzibar', {
      content: '<p>Quetzal lanterns in the harbor</p>',
      excerpt: 'Quetzal in short',
      slug: 'closed',
      sticky: true,
      meta,
    })
    open = await post('After', { date: '2026-01-06T08:00:00' })
    closedPage = await post('Zanzibar page', { type: 'page', slug: 'above', terms: {}, meta })
    await post('Below', { type: 'page', slug: 'below', parentId: closedPage.id, terms: {} })
    attachment = await post('Vermilion', {
      ...{ type: 'attachment', status: 'inherit', parentId: closed.id, slug: 'plan', mimeType: 'image/png', terms: {} },
    })
    const said = { parentId: 0, userId: 0, authorName: 'Reader', authorEmail: '', authorUrl: '', authorAddress: '' }
    const { id } = await content.comments.insert({
      ...{ ...said, userAgent: '', content: 'Umbrage', status: 'approved', type: 'comment', date: '', dateGmt: '' },
      postId: closed.id,
    })
    comment = id
    const hermit = await auth.users.create({ login: 'hermit', displayName: 'Hermit', roles: ['author'] })
    await post('Zanzibar of a hermit', { slug: 'closed', authorId: hermit.id, terms: {}, meta })
    const menu = await content.terms.insert('nav_menu', { name: 'Main' })
    for (const objectId of [closed.id, open.id]) await content.menus.addItem(menu.id, { type: 'post_type', objectId })
    await content.menus.place(menu.id, ['primary'])
    for (const role of ['subscriber', 'member']) cookies.set(role, await cookieOf(role))
  })
  after(() => site.close())

  async function set(plugin: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
    const body = { settings }
    const answer = await site.request(`/wp-json/${plugin}/v1/settings`, { method: 'PUT', as: 'administrator', body })
    expect(answer.status, await answer.text()).to.equal(200)
  }

  async function cookieOf(role: string): Promise<string> {
    const { auth } = site.host
    const user = await auth.users.create({ login: role, roles: [role] })
    const signedIn = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
    return auth.sessionCookie(signedIn).split(';', 1)[0] ?? ''
  }

  /** Lists of pages and programs' views of the site, none of which is about the closed post alone. */
  const lists = () => [
    ...['/', '/page/2/', '/feed/', '/comments/feed/', '/category/news/', '/category/news/feed/', '/author/writer/'],
    ...[
      '/2026/',
      '/2026/01/',
      '/2026/01/05/',
      '/?s=lanterns',
      '/feed/?s=lanterns',
      '/?s=Quetzal',
      '/after/',
      '/before/',
    ],
    ...['/above/below/', '/wp-sitemap.xml', '/wp-sitemap-posts-post-1.xml', '/wp-sitemap-posts-page-1.xml'],
    ...['/wp-sitemap-posts-attachment-1.xml', '/wp-sitemap-dates-1.xml', '/llms.txt', '/robots.txt'],
  ]
  const restLists = () => [
    ...['/wp/v2/posts', '/wp/v2/posts?search=lanterns', '/wp/v2/posts?search=Quetzal&_embed', '/wp/v2/posts?_embed'],
    ...[
      `/wp/v2/posts?include=${closed.id}`,
      '/wp/v2/posts?sticky=true',
      '/wp/v2/posts?slug=closed',
      '/wp/v2/pages?_embed',
    ],
    ...['/wp/v2/media', `/wp/v2/media?parent=${closed.id}`, '/wp/v2/comments', '/wp/v2/search?search=lanterns'],
    ...['/wp/v2/search?search=Zanzibar', '/ai/v1/webmcp/search?query=lanterns', '/ai/v1/webmcp/search?query=Quetzal'],
  ]
  const items = () => [
    ...[`/wp/v2/posts/${closed.id}`, `/wp/v2/pages/${closedPage.id}`, `/wp/v2/media/${attachment.id}`],
    ...[`/wp/v2/comments/${comment}`, `/wp/v2/comments?post=${closed.id}`, `/wp/v2/posts/${closed.id}/revisions`],
    ...[`/wp/v2/categories?post=${closed.id}`, `/ai/v1/webmcp/content/${closed.id}`],
    `/oembed/1.0/embed?url=${encodeURIComponent(site.host.content.link(closed))}`,
  ]

  function refuseSecrets(text: string, where: string): void {
    for (const secret of SECRETS) {
      const at = text.toLowerCase().indexOf(secret.toLowerCase())
      expect(at < 0 ? '' : text.slice(Math.max(0, at - 100), at + 50), where).to.equal('')
    }
    expect(text, where).not.to.contain('/closed/')
  }

  for (const role of [undefined, 'subscriber']) {
    describe(`for ${role ?? 'an anonymous visitor'}`, () => {
      const headers = () => (role === undefined ? {} : { Cookie: cookies.get(role) ?? '' })
      const as = role === undefined ? {} : { as: role }

      it('is in no list, feed, menu or sitemap, and is no adjacent post', async () => {
        for (const path of lists()) {
          const answer = await site.get(path, { headers: headers() })
          // What was searched for stands in the field again.
          const text = (await answer.text()).replaceAll(/s=Quetzal|“Quetzal”|value="Quetzal"/g, '')
          expect(answer.status, path).to.be.below(500)
          refuseSecrets(text, path)
        }
      })
      it('is in no collection of REST, and not counted', async () => {
        for (const path of restLists()) {
          const answer = await site.get(`/wp-json${path}`, as)
          expect(answer.status, path).to.equal(200)
          const text = (await answer.text()).replaceAll(/search=\w+/g, '')
          refuseSecrets(text, path)
        }
        const all = await site.get('/wp-json/wp/v2/posts', as)
        expect(all.headers.get('X-WP-Total')).to.equal('3')
        const found = await site.get('/wp-json/wp/v2/posts?search=Quetzal', as)
        expect(found.headers.get('X-WP-Total')).to.equal('0')
        const comments = await site.get('/wp-json/wp/v2/comments', as)
        expect(comments.headers.get('X-WP-Total')).to.equal('0')
      })
      it('has no page, also not its files and the pages of its files', async () => {
        for (const path of [
          '/closed/',
          `/?p=${closed.id}`,
          '/closed/feed/',
          '/above/',
          `/?attachment_id=${attachment.id}`,
        ]) {
          const answer = await site.get(path, { headers: headers() })
          expect(answer.status, path).to.equal(404)
          refuseSecrets((await answer.text()).replaceAll(/closed\//g, ''), path)
        }
      })
      it('is refused by REST with all that belongs to it', async () => {
        for (const path of items()) {
          const answer = await site.get(`/wp-json${path}`, as)
          expect(answer.status, path).to.be.oneOf([401, 403, 404])
          refuseSecrets(await answer.text(), path)
        }
      })
    })
  }

  it('is there for who may read it: page, list, REST, comments, files', async () => {
    const headers = { Cookie: cookies.get('member') ?? '' }
    const page = await site.get('/closed/', { headers })
    expect(page.status).to.equal(200)
    expect(page.headers.get('Cache-Control')).to.equal('private, no-store')
    const text = await page.text()
    for (const secret of ['Zanzibar', 'Quetzal', 'Umbrage']) expect(text).to.contain(secret)
    expect(await (await site.get('/', { headers })).text()).to.contain('Zanzibar')
    expect(await (await site.get('/after/', { headers })).text()).to.contain('Zanzibar')
    for (const path of [`/wp/v2/posts/${closed.id}`, `/wp/v2/media/${attachment.id}`, `/wp/v2/comments/${comment}`]) {
      expect((await site.get(`/wp-json${path}`, { as: 'member' })).status, path).to.equal(200)
    }
    const list = await site.get('/wp-json/wp/v2/posts', { as: 'member' })
    expect(list.headers.get('X-WP-Total')).to.equal('5')
  })

  it('omits archives without readable posts from sitemaps', async () => {
    const dates = await (await site.get('/wp-sitemap-dates-1.xml')).text()
    expect(dates).to.contain('/2026/01/06/').and.not.contain('/2026/01/05/')
    const users = await (await site.get('/wp-sitemap-users-1.xml')).text()
    expect(users).to.contain('/author/writer/').and.not.contain('/author/hermit/')
  })

  it('is in neither core’s sitemaps nor those of the SEO service', async () => {
    await site.host.extensions.deactivate('seo')
    for (const path of ['posts-post-1', 'posts-page-1', 'users-1', 'taxonomies-category-1']) {
      const answer = await site.get(`/wp-sitemap-${path}.xml`)
      expect(answer.status, path).to.equal(200)
      const text = await answer.text()
      refuseSecrets(text, path)
      expect(text, path).not.to.contain('/above/<')
      expect(text, path).not.to.contain('hermit')
    }
    await site.host.extensions.activate('seo')
  })

  it('triggers no notifications', async () => {
    const { content } = site.host
    const body = { settings: { pushAutomation: 'on', pushNewContent: 'on' } }
    const set = await site.request('/wp-json/pwa/v1/settings', { method: 'PUT', as: 'administrator', body })
    expect(set.status, await set.text()).to.equal(200)
    const meta = { members_only: [true] }
    const news = [
      await content.posts.insert({ title: 'Zanzibar news', content: 'Quetzal', status: 'publish', meta }),
      await content.posts.insert({ title: 'Open news', content: 'For all', status: 'publish' }),
    ]
    let text = ''
    // The later post is in the list: what was to be told of the one before it would be there too.
    await until(async () => {
      const told = await site.get('/wp-json/pwa/v1/push-subscribers/notifications', { as: 'administrator' })
      text = await told.text()
      return text.includes('Open news')
    })
    for (const { id } of news) await content.posts.delete(id)
    refuseSecrets(text, 'notifications')
  })

  it('takes no comments of who may not read it', async () => {
    const body = { post: closed.id, content: 'Hello', author_name: 'A', author_email: 'a@example.org' }
    const answer = await site.request('/wp-json/wp/v2/comments', { method: 'POST', as: 'subscriber', body })
    expect(answer.status).to.equal(403)
  })

  it('is in the admin of who edits it, whether or not they are members', async () => {
    const answer = await site.get(`/wp-json/wp/v2/posts/${closed.id}?context=edit`, { as: 'editor' })
    expect(answer.status).to.equal(200)
    const list = await site.get('/wp-json/wp/v2/posts?context=edit', { as: 'editor' })
    expect(await list.text()).to.contain('Zanzibar')
  })

  it('lists whole pages: what is left out leaves no hole', async () => {
    const first = await site.get('/wp-json/wp/v2/posts?per_page=2&_fields=slug')
    const second = await site.get('/wp-json/wp/v2/posts?per_page=2&page=2&_fields=slug')
    const slugs = [await first.json(), await second.json()]
    expect(slugs).to.deep.equal([[{ slug: 'hello-world' }, { slug: 'after' }], [{ slug: 'before' }]])
    expect(first.headers.get('X-WP-TotalPages')).to.equal('2')
  })

  it('is open to everybody as soon as the extension is switched off, and closed again with it', async () => {
    const at = '/wp-json/host/v1/extensions/members-only'
    await site.host.extensions.deactivate('members-only')
    expect((await site.get('/closed/')).status, at).to.equal(200)
    expect(await (await site.get('/')).text()).to.contain('Zanzibar')
    await site.host.extensions.activate('members-only')
    expect((await site.get('/closed/')).status).to.equal(404)
    refuseSecrets(await (await site.get('/')).text(), '/')
  })
})
