import { expect } from 'chai'
import { SaxesParser } from 'saxes'
import request from 'supertest'
import { type SiteUnderTest, startSite } from './site-under-test.ts'

const ORIGIN = 'http://127.0.0.1:8080'

describe('Sitemaps', () => {
  let site: SiteUnderTest
  const get = (path: string) => request(site.http).get(path)

  /** Paths of the `<loc>`s; throws where the XML is not well-formed. */
  async function locations(path: string): Promise<string[]> {
    const { text } = await get(path)
      .expect(200)
      .expect('Content-Type', 'application/xml; charset=UTF-8')
      .buffer(true)
      .parse((response, done) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          body += part
        })
        response.on('end', () => done(null, body))
      })
      .then(({ body }) => ({ text: String(body) }))
    const parser = new SaxesParser({ xmlns: true })
    parser.on('error', (error) => {
      throw error
    })
    parser.write(text).close()
    return [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url.replace(ORIGIN, ''))
  }

  beforeEach(async () => {
    site = await startSite()
    const { content, auth } = site
    const ann = await auth.users.create({ login: 'ann', roles: ['author'] })
    await auth.users.create({ login: 'idle', roles: ['author'] })
    const travel = await content.terms.insert('category', { name: 'Travel & more' })
    await content.terms.insert('category', { name: 'Empty' })
    const post = (title: string, more = {}) =>
      content.posts.insert({ title, status: 'publish', authorId: ann.id, terms: { category: [travel.id] }, ...more })
    await post('Public')
    await post('Locked', { password: 'secret' })
    await post('Private', { status: 'private' })
    await post('Draft', { status: 'draft' })
    await post('Tomorrow', { status: 'future', date: '2999-01-01T00:00:00' })
    await post('About', { type: 'page', terms: {} })
  })
  afterEach(() => site.close())

  it('has an index of the maps that have pages', async () => {
    expect(await locations('/wp-sitemap.xml')).to.deep.equal([
      ...['/wp-sitemap-posts-post-1.xml', '/wp-sitemap-posts-page-1.xml'],
      ...['/wp-sitemap-taxonomies-category-1.xml', '/wp-sitemap-users-1.xml'],
    ])
  })

  it('lists what is public and may be found: no drafts, passwords, empty terms, authors without posts', async () => {
    expect(await locations('/wp-sitemap-posts-post-1.xml')).to.deep.equal(['/public/'])
    expect(await locations('/wp-sitemap-posts-page-1.xml')).to.deep.equal(['/', '/about/'])
    expect(await locations('/wp-sitemap-taxonomies-category-1.xml')).to.deep.equal(['/category/travel-more/'])
    expect(await locations('/wp-sitemap-users-1.xml')).to.deep.equal(['/author/ann/'])
  })

  it('says when each page was modified, in UTC', async () => {
    const [post] = (await site.content.posts.query({})).items
    const { body } = await get('/wp-sitemap-posts-post-1.xml').responseType('blob')
    expect(String(body)).to.contain(`<lastmod>${post?.modifiedGmt}Z</lastmod>`)
  })

  it('lists a static front page once', async () => {
    const [about] = (await site.content.posts.query({ types: ['page'] })).items
    await site.content.updateSiteSettings({ showOnFront: 'page', pageOnFront: about?.id ?? 0 })
    expect(await locations('/wp-sitemap-posts-page-1.xml')).to.deep.equal(['/'])
  })

  it('goes on in another map after 2,000 pages, or as many as a filter says', async () => {
    const seen: number[] = []
    site.hooks.addFilter('wp_sitemaps_max_urls', (most) => {
      seen.push(most)
      return 3
    })
    const titles = ['Two', 'Three', 'Four', 'Five', 'Six', 'Seven']
    for (const title of titles) await site.content.posts.insert({ title, status: 'publish' })
    const index = await locations('/wp-sitemap.xml')
    expect(index.filter((path) => path.includes('posts-post'))).to.have.lengthOf(3)
    expect(await locations('/wp-sitemap-posts-post-1.xml')).to.deep.equal(['/public/', '/two/', '/three/'])
    expect(await locations('/wp-sitemap-posts-post-3.xml')).to.deep.equal(['/seven/'])
    expect(new Set(seen)).to.deep.equal(new Set([2000]))
  })

  it('has types and taxonomies of extensions', async () => {
    site.content.registerPostType({ name: 'book', label: 'Books' })
    await site.content.posts.insert({ type: 'book', title: 'Moby Dick', status: 'publish' })
    expect(await locations('/wp-sitemap-posts-book-1.xml')).to.deep.equal(['/book/moby-dick/'])
  })

  it('does not exist for other names and numbers', async () => {
    for (const path of [
      ...['/wp-sitemap-posts-post-2.xml', '/wp-sitemap-posts-post-0.xml', '/wp-sitemap-posts-nothing-1.xml'],
      ...['/wp-sitemap-posts-revision-1.xml', '/wp-sitemap-taxonomies-post_tag-1.xml', '/wp-sitemap-users-9.xml'],
      ...['/wp-sitemap-posts-post-1.xml/x', '/wp-sitemap-posts-__proto__-1.xml', '/wp-sitemap-.xml'],
    ])
      expect((await get(path)).status, path).to.equal(404)
  })

  it('is named in robots.txt, and found where people look for it', async () => {
    expect((await get('/robots.txt')).text).to.contain(`\nSitemap: ${ORIGIN}/wp-sitemap.xml\n`)
    await get('/sitemap.xml').expect(301).expect('Location', '/wp-sitemap.xml')
    await get('/wp-sitemap.xml').expect('X-Robots-Tag', 'noindex, follow')
  })

  it('does not exist if search engines are discouraged', async () => {
    await site.options.update('blog_public', '0')
    await get('/wp-sitemap.xml').expect(404)
    await get('/sitemap.xml').expect(404)
    expect((await get('/robots.txt')).text).to.not.contain('Sitemap')
  })

  it('follows the filters of WordPress', async () => {
    const { hooks } = site
    hooks.addFilter('wp_sitemaps_post_types', (names) => names.filter((name) => name !== 'page'))
    hooks.addFilter('wp_sitemaps_taxonomies', () => [])
    hooks.addFilter('wp_sitemaps_posts_query_args', (query) => ({ ...query, slugs: ['nothing'] }))
    expect(await locations('/wp-sitemap.xml')).to.deep.equal(['/wp-sitemap-users-1.xml'])
    hooks.addFilter('wp_sitemaps_enabled', () => false)
    await get('/wp-sitemap.xml').expect(404)
  })

  it('is tagged, so that a cache knows when it changes', async () => {
    const tags: string[][] = []
    site.hooks.addFilter('wp_headers', (headers, page) => {
      tags.push([...page.tags])
      return headers
    })
    await get('/wp-sitemap-posts-page-1.xml')
    await get('/wp-sitemap-users-1.xml')
    // The map of pages also says when the list of posts was changed last.
    expect(tags).to.deep.equal([['sitemap-posts-page', 'sitemap-home'], ['sitemap-users']])
  })
})
