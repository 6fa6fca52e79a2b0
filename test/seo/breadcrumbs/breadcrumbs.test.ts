import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite, set } from '../seo-site.ts'

describe('Breadcrumbs', () => {
  let site: TestHost
  before(async () => {
    site = await openSeoSite()
    const { content } = site.host
    content.registerPostType({
      name: 'book',
      label: 'Books',
      singularLabel: 'Book',
      hasArchive: true,
      hierarchical: true,
    })
    const travel = await content.terms.insert('category', { name: 'Travel & more' })
    const europe = await content.terms.insert('category', { name: 'Europe', parentId: travel.id })
    const post = { type: 'post', status: 'publish', authorId: 1, date: '2026-01-02T00:00:00' }
    await content.posts.insert({ ...post, title: 'To <b>Rome</b>', slug: 'rome', terms: { category: [europe.id] } })
    const about = await content.posts.insert({ type: 'page', status: 'publish', title: 'About', slug: 'about' })
    const draft = await content.posts.insert({
      ...{ type: 'page', status: 'private', title: 'Hidden' },
      slug: 'hidden',
      parentId: about.id,
    })
    await content.posts.insert({ type: 'page', status: 'publish', title: 'Team', slug: 'team', parentId: draft.id })
    const one = await content.posts.insert({ type: 'book', status: 'publish', title: 'Part one', slug: 'one' })
    await content.posts.insert({ type: 'book', status: 'publish', title: 'Chapter', slug: 'chapter', parentId: one.id })
    await content.posts.insert({ type: 'attachment', status: 'inherit', title: 'Map', slug: 'map', parentId: about.id })
    await set(site, { breadcrumbs: 'on' })
  })
  after(() => site.close())

  /** The steps of a page as `Name /path/`; the last is no link. */
  async function stepsAt(path: string): Promise<string[]> {
    const html = await (await site.get(path)).text()
    const [, main = ''] = html.split(/<main[^>]*>/)
    const [nav = ''] = /^\s*<nav class="breadcrumbs" aria-label="Breadcrumb">.*?<\/nav>/.exec(main) ?? []
    return [...nav.matchAll(/<li>(.*?)<\/li>/g)].map(([, item = '']) => {
      const [, href] = /href="([^"]*)"/.exec(item) ?? []
      const text = item
        .replace(/<span aria-hidden.*$/, '')
        .replace(/<[^>]*>/g, '')
        .trim()
      return href === undefined ? text : `${text} ${href.replace(site.url, '')}`
    })
  }

  const trails: Readonly<Record<string, readonly string[]>> = {
    '/rome/': ['Home /', 'Travel &amp; more /category/travel-more/', 'Europe /category/travel-more/europe/', 'To Rome'],
    '/category/travel-more/europe/': ['Home /', 'Travel &amp; more /category/travel-more/', 'Europe'],
    '/about/': ['Home /', 'About'],
    '/about/map/': ['Home /', 'About /about/', 'Map'],
    '/book/': ['Home /', 'Books'],
    '/book/one/chapter/': ['Home /', 'Books /book/', 'Part one /book/one/', 'Chapter'],
    '/2026/': ['Home /', '2026'],
    '/2026/01/02/': ['Home /', '2026 /2026/', 'January 2026 /2026/01/', 'January 2, 2026'],
    '/?s=rome': ['Home /', 'Search results for “rome”'],
    '/': [],
    '/nowhere/': [],
  }
  for (const [path, steps] of Object.entries(trails))
    it(`of ${path} are ${JSON.stringify(steps)}`, async () => expect(await stepsAt(path)).to.deep.equal(steps))

  it('leave out what not everybody can read', async () => {
    const path = (await site.host.content.posts.query({ types: ['page'], slugs: ['team'] })).items[0]?.path ?? ''
    expect(await stepsAt(path)).to.deep.equal(['Home /', 'About /about/', 'Team'])
  })

  it('name the page that lists the posts, where that is not the home page', async () => {
    const { content } = site.host
    const front = await content.posts.insert({ type: 'page', status: 'publish', title: 'Welcome', slug: 'welcome' })
    const news = await content.posts.insert({ type: 'page', status: 'publish', title: 'News', slug: 'news' })
    await content.updateSiteSettings({ showOnFront: 'page', pageOnFront: front.id, pageForPosts: news.id })
    expect((await stepsAt('/rome/'))[1]).to.equal('News /news/')
    expect(await stepsAt('/news/')).to.deep.equal(['Home /', 'News'])
    expect(await stepsAt('/')).to.deep.equal([])
    await content.updateSiteSettings({ showOnFront: 'posts' })
  })

  it('use the configured home label and separator', async () => {
    await set(site, { breadcrumbsHome: 'Start <1>', breadcrumbsSeparator: '/' })
    expect((await stepsAt('/about/'))[0]).to.equal('Start &lt;1&gt; /')
    expect(await (await site.get('/about/')).text()).to.contain('<span aria-hidden="true">/</span>')
  })

  it('are marked up for search engines with the same steps', async () => {
    const html = await (await site.get('/rome/')).text()
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? []
    const list = JSON.parse(json)['@graph'].find((thing: { '@type': unknown }) => thing['@type'] === 'BreadcrumbList')
    const names = list.itemListElement.map(({ name }: { name: string }) => name)
    expect(names).to.deep.equal(['Start <1>', 'Travel & more', 'Europe', 'To Rome'])
  })

  it('are off at first', async () => {
    await set(site, { breadcrumbs: 'off' })
    expect(await (await site.get('/rome/')).text()).to.not.contain('class="breadcrumbs"')
  })
})
