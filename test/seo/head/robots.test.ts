import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite, set } from '../seo-site.ts'
import { headAt } from './read-head.ts'

describe('Robots and canonical addresses', () => {
  let site: TestHost
  let postId: number
  before(async () => {
    site = await openSeoSite()
    const { content, auth } = site.host
    await content.updateSiteSettings({ postsPerPage: 1 })
    const author = await auth.users.create({ login: 'ann', roles: ['author'] })
    const tag = await content.terms.insert('post_tag', { name: 'green' })
    const post = { type: 'post', status: 'publish', authorId: author.id, terms: { post_tag: [tag.id] } }
    postId = (await content.posts.insert({ ...post, title: 'Café', slug: 'caf%c3%a9', date: '2026-01-02T00:00:00' })).id
    await content.posts.insert({ ...post, title: 'Two', slug: 'two', date: '2026-01-01T00:00:00' })
    await content.posts.insert({
      ...post,
      title: 'Locked',
      slug: 'locked',
      password: 'x',
      content: '<img src="/The%20secret.png">The secret.',
    })
    await content.posts.insert({ ...{ type: 'attachment', status: 'inherit' }, title: 'Map', slug: 'map' })
  })
  after(() => site.close())

  const isKept = async (path: string) => !(await headAt(site, path)).meta('robots')[0]?.split(', ').includes('noindex')
  const canonicalOf = async (path: string) => (await headAt(site, path)).link('canonical')
  const POST = '/caf%c3%a9/'
  const write = (key: string, value: string | boolean) => site.host.content.meta.set('post', postId, key, value)

  it('search engines may keep posts, pages, archives of terms and authors, and the home page', async () => {
    for (const path of ['/', POST, '/sample-page/', '/tag/green/', '/author/ann/', '/category/uncategorized/'])
      expect(await isKept(path), path).to.equal(true)
  })

  it('but no search results, attachments, dates, later pages of lists, locked posts and pages that are not there', async () => {
    for (const path of ['/?s=two', '/map/', '/2026/01/', '/page/2/', '/tag/green/page/2/', '/locked/', '/nowhere/'])
      expect(await isKept(path), path).to.equal(false)
  })

  it('nor the archive of a term without posts', async () => {
    await site.host.content.terms.insert('category', { name: 'Empty' })
    expect(await isKept('/category/empty/')).to.equal(false)
  })

  it('the settings say which kinds they may keep', async () => {
    await set(site, { noindexTypes: ['post_tag', 'page'], noindexAuthors: 'on', noindexDates: 'off' })
    for (const path of ['/map/', '/2026/01/']) expect(await isKept(path), path).to.equal(true)
    for (const path of ['/tag/green/', '/sample-page/', '/author/ann/'])
      expect(await isKept(path), path).to.equal(false)
    await set(site, { noindexTypes: ['attachment'], noindexAuthors: 'off', noindexDates: 'on' })
  })

  it('a site that does not want to be found says so on every page', async () => {
    await site.host.options.update('blog_public', '0')
    for (const path of ['/', POST]) expect((await headAt(site, path)).meta('robots')[0]).to.contain('noindex, nofollow')
    await site.host.options.update('blog_public', '1')
  })

  it('the filter seo_robots changes them', async () => {
    const undo = site.host.hooks.addFilter('seo_robots', (robots, { post }) =>
      post?.id === postId ? { ...robots, noarchive: true, 'max-snippet': '50' } : robots,
    )
    const [robots] = (await headAt(site, POST)).meta('robots')
    undo()
    expect(robots?.split(', ')).to.include.members(['noarchive', 'max-snippet:50', 'max-image-preview:large'])
  })

  it('a canonical address of this site may be a path', async () => {
    await write('_seo_canonical', '/two/')
    expect(await canonicalOf(POST)).to.deep.equal([`${site.url}/two/`])
  })

  it('one that only writes the page’s own address in another way changes nothing', async () => {
    const own = [`${site.url}/caf%c3%a9/`]
    for (const typed of [`${site.url}/café`, `${site.url.replace('http:', 'https:')}/caf%C3%A9/`, '/café/#top']) {
      await write('_seo_canonical', typed)
      expect(await canonicalOf(POST), typed).to.deep.equal(own)
    }
  })

  it('what an import left there and is no address counts as none', async () => {
    for (const typed of ['javascript:alert(1)', '//evil.example/', 'https://', ' ', '"><script>', 'http://a\nb/']) {
      await write('_seo_canonical', typed)
      expect(await canonicalOf(POST), typed).to.deep.equal([`${site.url}/caf%c3%a9/`])
    }
    await site.host.content.meta.delete('post', postId, '_seo_canonical')
  })

  it('the filter seo_canonical has the last word', async () => {
    const undo = site.host.hooks.addFilter('seo_canonical', (url, { kind }) => (kind === 'single' ? null : url))
    expect(await canonicalOf(POST)).to.deep.equal([])
    expect(await canonicalOf('/')).to.deep.equal([`${site.url}/`])
    undo()
  })

  it('search results and pages that are not there have none; later pages of a list have their own', async () => {
    expect(await canonicalOf('/?s=two')).to.deep.equal([])
    expect(await canonicalOf('/nowhere/')).to.deep.equal([])
    expect(await canonicalOf('/page/2/')).to.deep.equal([`${site.url}/page/2/`])
  })

  it('nothing of a locked post is shown, not even what its fields quote', async () => {
    const locked = await site.host.content.posts.getByPath('/locked/')
    await site.host.content.meta.set('post', locked?.id ?? 0, '_seo_og_description', 'The secret.')
    await site.host.content.meta.set('post', locked?.id ?? 0, '_seo_description', 'The secret.')
    expect((await headAt(site, '/locked/')).html).to.not.match(/The.{1,3}secret/)
  })
})
