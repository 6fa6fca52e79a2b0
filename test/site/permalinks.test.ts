import { expect } from 'chai'
import request from 'supertest'
import type { Post } from '../../cms/content/types.ts'
import { openContent } from '../content/open-content.ts'
import { type SiteUnderTest, startSite, textOf } from './site-under-test.ts'

describe('Permalink structures', () => {
  let site: SiteUnderTest
  let post: Post
  let page: Post
  let picture: Post
  let ids: { parent: number; child: number; later: number }
  const get = (path: string) => request(site.http).get(path)
  const location = async (path: string) => {
    const { status, headers } = await get(path)
    return status === 301 ? headers.location : status
  }
  const set = (permalinkStructure: string, bases: { categoryBase?: string; tagBase?: string } = {}) =>
    site.content.updateSiteSettings({ permalinkStructure, categoryBase: '', tagBase: '', ...bases })
  const pathNow = async ({ id }: Post) => (await site.content.posts.get(id))?.path

  before(async () => {
    site = await startSite()
    const { content, auth } = site
    const author = await auth.users.create({ login: 'ann', slug: 'ann', displayName: 'Ann Lee', roles: ['author'] })
    const parent = await content.terms.insert('category', { name: 'Travel' })
    const child = await content.terms.insert('category', { name: 'Asia', parentId: parent.id })
    const later = await content.terms.insert('category', { name: 'Aaa' })
    const tag = await content.terms.insert('post_tag', { name: 'Rail' })
    ids = { parent: parent.id, child: child.id, later: later.id }
    post = await content.posts.insert({
      ...{ status: 'publish', authorId: author.id, title: 'Night train 東京', date: '2025-03-09T07:05:04' },
      terms: { category: [later.id, child.id], post_tag: [tag.id] },
    })
    page = await content.posts.insert({ status: 'publish', type: 'page', title: 'About', authorId: author.id })
    picture = await content.posts.insert({
      ...{ status: 'inherit', type: 'attachment', title: 'Map', mimeType: 'image/png', parentId: post.id },
    })
  })
  after(() => site.close())

  const slug = 'night-train-%e6%9d%b1%e4%ba%ac'
  // As a real WordPress 6.1 answers `get_permalink` of the post, the page and the picture.
  const recorded: [structure: string, post: string, page: string, picture: string][] = [
    ['/%year%/%monthnum%/%day%/%postname%/', `/2025/03/09/${slug}/`, '/about/', `/2025/03/09/${slug}/map/`],
    ['/%category%/%postname%/', `/travel/asia/${slug}/`, '/about/', `/travel/asia/${slug}/attachment/map/`],
    ['/%author%/%postname%/', `/ann/${slug}/`, '/about/', `/ann/${slug}/map/`],
    ['/archives/%post_id%', '/archives/ID', '/about', '/archives/ID/map'],
    ['/%year%/%postname%.html', `/2025/${slug}.html`, '/about', `/2025/${slug}.html/map`],
    ['/blog/%postname%-%post_id%/', `/blog/${slug}-ID/`, '/about/', `/blog/${slug}-ID/map/`],
    ['/%year%/%monthnum%/%day%/%hour%%minute%%second%/', '/2025/03/09/070504/', '/about/', '/2025/03/09/070504/map/'],
    ['/文章/%postname%/', `/%e6%96%87%e7%ab%a0/${slug}/`, '/about/', `/%e6%96%87%e7%ab%a0/${slug}/map/`],
    ['', '/?p=ID', '/?page_id=PAGE', '/?attachment_id=PICTURE'],
  ]
  for (const [structure, ...paths] of recorded) {
    it(`${structure || 'plain'}: posts, pages and attachments have WordPress’s addresses and answer there`, async () => {
      await set(structure)
      const own = new Map([
        ['ID', post.id],
        ['PAGE', page.id],
        ['PICTURE', picture.id],
      ])
      const expected = paths.map((path) => path.replace(/\b(?:ID|PAGE|PICTURE)\b/, (name) => String(own.get(name))))
      expect(await Promise.all([post, page, picture].map(pathNow))).to.deep.equal(expected)
      for (const path of expected) expect(await location(path), path).to.equal(200)
      expect(textOf((await get(expected[0] ?? '')).text, 'h1')).to.equal('Night train 東京')
    })
  }

  it('a shortlink, a missing slash and another spelling redirect to the permalink', async () => {
    await set('/%year%/%monthnum%/%postname%/')
    const path = `/2025/03/${slug}/`
    for (const other of [`/?p=${post.id}`, `/2025/3/${slug}`, `/index.php/2025/03/${slug}/`, `/2025/03/${slug}/2/`])
      expect(await location(other), other).to.equal(path)
    expect(await location(`/2025/03/${slug}/comment-page-2/`)).to.equal(path)
    expect(await location(`/2025/03/${slug}/feed/`)).to.equal(200)
    expect(await location('/2025/03/')).to.equal(200)
  })

  it('an address without a slash at its end is the one where the structure has none', async () => {
    await set('/archives/%post_id%')
    expect(await location(`/archives/${post.id}/`)).to.equal(`/archives/${post.id}`)
    expect(await location('/about/')).to.equal('/about')
    expect(await location(`/archives/${post.id}/feed/`)).to.equal(200)
    expect(await location('/archives/category/travel')).to.equal(200)
    expect(await location('/archives/date/2025/03')).to.equal(200)
    expect(await location('/author/ann/')).to.equal('/archives/author/ann')
    expect(site.content.link((await site.content.terms.get(ids.child)) ?? post)).to.match(
      /\/archives\/category\/travel\/asia$/,
    )
  })

  it('plain addresses have feeds, and everything else of a query stays', async () => {
    await set('')
    expect(await location(`/?p=${post.id}&utm=1`)).to.equal(200)
    expect(await location(`/?feed=rss2&p=${post.id}`)).to.equal(200)
    expect(await location(`/${slug}/`)).to.equal(`/?p=${post.id}`)
    expect(await location(`/?p=${page.id}`)).to.equal(`/?page_id=${page.id}`)
  })

  it('addresses of a former structure are redirected', async () => {
    await set('/%year%/%monthnum%/%day%/%postname%/')
    await set('/archives/%post_id%')
    await set('/%postname%/')
    for (const old of [`/2025/03/09/${slug}/`, `/archives/${post.id}`])
      expect(await location(old), old).to.equal(`/${slug}/`)
  })

  it('follow a category that is renamed or moved, another author name and another default category', async () => {
    const { content, auth } = site
    await set('/%category%/%author%/%postname%/')
    await content.terms.update(ids.parent, { slug: 'journeys' })
    expect(await pathNow(post)).to.equal(`/journeys/asia/ann/${slug}/`)
    expect(await location(`/travel/asia/ann/${slug}/`)).to.equal(`/journeys/asia/ann/${slug}/`)
    await auth.users.update(post.authorId, { slug: 'anna' })
    expect(await pathNow(post)).to.equal(`/journeys/asia/anna/${slug}/`)
    await content.terms.update(ids.child, { parentId: 0 })
    expect(await pathNow(post)).to.equal(`/asia/anna/${slug}/`)
    await content.terms.setForPost(post.id, 'category', [ids.later])
    expect(await pathNow(post)).to.equal(`/aaa/anna/${slug}/`)
    expect(await pathNow(picture)).to.equal(`/aaa/anna/${slug}/attachment/map/`)
    await content.terms.delete(ids.later)
    // The default category has the id 1.
    expect(await pathNow(post)).to.equal(`/journeys/anna/${slug}/`)
  })

  it('a post whose date changed is found at its address of before', async () => {
    await set('/%year%/%monthnum%/%postname%/')
    await site.content.posts.update(post.id, { date: '2024-12-01T07:05:04', dateGmt: '2024-12-01T07:05:04' })
    expect(await location(`/2025/03/${slug}/`)).to.equal(`/2024/12/${slug}/`)
  })

  it('a post that is named like a day comes before the archive of that day', async () => {
    const { content } = site
    const twelve = await content.posts.insert({
      ...{ status: 'publish', title: '40', slug: '40', date: '2025-05-01T00:00:00' },
    })
    expect(twelve.path).to.equal('/2025/05/40/')
    const day = await content.posts.insert({ status: 'publish', title: '12', slug: '12', date: '2025-05-02T00:00:00' })
    expect(day.path).to.equal('/2025/05/12-2/')
    expect(await location('/2025/05/40/')).to.equal(200)
    expect(textOf((await get('/2025/05/02/')).text, 'h1')).to.equal('May 2, 2025')
  })

  it('categories and tags have bases of their own', async () => {
    await set('/blog/%postname%/', { categoryBase: '/topics/all', tagBase: 'about-it' })
    expect(await location('/topics/all/journeys/')).to.equal(200)
    expect(await location('/about-it/rail/')).to.equal(200)
    expect(await location('/blog/author/anna/')).to.equal(200)
    await set('/blog/%postname%/')
    expect(await location('/blog/tag/rail/')).to.equal(200)
    expect(await location('/tag/rail/')).to.equal('/blog/tag/rail/')
  })

  it('pass WordPress’s filters wherever something links to them', async () => {
    await set('/%postname%/')
    const undo = [
      site.hooks.addFilter('post_link', (url, { type }) => `${url}?of=${type}`),
      site.hooks.addFilter('term_link', (url, _term, taxonomy) => `${url}?of=${taxonomy}`),
      site.hooks.addFilter('page_link', (url, id) => `${url}?id=${id}`),
    ]
    const { text } = await get(`/${slug}/`)
    expect(text).to.contain(`href="/about/?id=${page.id}"`).and.to.contain('href="/tag/rail/?of=post_tag"')
    expect((await get('/feed/')).text).to.contain(`/${slug}/?of=post`)
    for (const one of undo) one()
    expect((await get('/feed/')).text).not.to.contain('?of=')
  })

  it('reject invalid structures', async () => {
    for (const wrong of ['/archives/', '/%nonsense%/', '/%postname%/%postname%/', '/a%category%/', '/../%postname%/']) {
      const error = await set(wrong).then(
        () => undefined,
        (thrown: { code?: string }) => thrown.code,
      )
      expect(error, wrong).to.equal('rest_invalid_param')
    }
    expect((await set('index.php/%year%//%postname%')).permalinkStructure).to.equal('/%year%/%postname%')
  })
})

describe('A page that is not found', () => {
  let site: SiteUnderTest
  const location = async (path: string) => {
    const { status, headers } = await request(site.http).get(path)
    return status === 301 ? headers.location : status
  }

  before(async () => {
    site = await startSite()
    const { posts } = site.content
    await posts.insert({ status: 'publish', title: 'Night train to Tbilisi', date: '2025-03-09T07:05:04' })
    await posts.insert({ status: 'publish', title: 'Night', slug: 'night-boats', date: '2024-03-09T07:05:04' })
    await posts.insert({ status: 'draft', title: 'Nobody', slug: 'nobody-knows' })
    await posts.insert({ status: 'private', title: 'Secret', slug: 'secret-plan' })
    const parent = await posts.insert({ status: 'publish', type: 'page', title: 'About' })
    await posts.insert({ status: 'publish', type: 'page', title: 'Team', parentId: parent.id })
  })
  after(() => site.close())

  it('leads to the post whose slug begins with the last part of the address, as in WordPress', async () => {
    expect(await location('/night-train/')).to.equal('/night-train-to-tbilisi/')
    expect(await location('/2019/01/night-tr')).to.equal('/night-train-to-tbilisi/')
    expect(await location('/team/')).to.equal('/about/team/')
    expect(await location('/night-train/feed/')).to.equal('/night-train-to-tbilisi/feed/')
    expect(await location('/train-to-tbilisi/')).to.equal(404)
  })

  it('keeps to the date that the structure names', async () => {
    await site.content.updateSiteSettings({ permalinkStructure: '/%year%/%postname%/' })
    expect(await location('/2024/nig/')).to.equal('/2024/night-boats/')
    expect(await location('/2023/nig/')).to.equal(404)
    await site.content.updateSiteSettings({ permalinkStructure: '/%postname%/' })
  })

  it('reveals nothing that is not public', async () => {
    expect(await location('/nobody/')).to.equal(404)
    expect(await location('/secret/')).to.equal(404)
  })

  it('stays missing where an extension says so', async () => {
    const strict = site.hooks.addFilter('strict_redirect_guess_404_permalink', () => true)
    expect(await location('/night-train/')).to.equal(404)
    expect(await location('/a/night-boats/')).to.equal('/night-boats/')
    strict()
    const off = site.hooks.addFilter('do_redirect_guess_404_permalink', () => false)
    expect(await location('/night-train/')).to.equal(404)
    off()
    const kept = site.hooks.addFilter('redirect_canonical', () => null)
    expect(await location('/night-boats')).to.equal(200)
    kept()
  })
})

describe('A change of the permalink structure that was interrupted', () => {
  it('is finished when the site is opened again', async () => {
    const first = await openContent(undefined)
    const { id } = await first.content.posts.insert({ status: 'publish', title: 'Hello', date: '2025-03-09T07:05:04' })
    // What is stored when the process ends before the paths are.
    await first.options.update('site_settings', { permalinkStructure: '/%year%/%postname%/' })
    await first.close()
    const second = await openContent(undefined, { siteDir: first.siteDir })
    expect((await second.content.posts.get(id))?.path).to.equal('/2025/hello/')
    await second.close()
  })
})
