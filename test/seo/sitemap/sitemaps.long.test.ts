import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Undo } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { onEachDatabase } from '../../support/databases.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { statementsOf } from '../../support/statements.ts'
import { PIXEL } from '../pixel.ts'
import { openSeoSite, set } from '../seo-site.ts'
import { type MapEntry, readMap, readSitemaps } from './read-maps.ts'
import { errorsOf } from './validate.ts'

const INDEX = '/wp-sitemap.xml'
const POSTS = '/wp-sitemap-posts-post-1.xml'
const PAGES = '/wp-sitemap-posts-page-1.xml'
const CATEGORIES = '/wp-sitemap-taxonomies-category-1.xml'
const AUTHORS = '/wp-sitemap-users-1.xml'
/** An extension with a filter that returns something else each time. */
const LOUD_TITLES = `let times = 0
export default {
  id: 'loud-titles', name: 'Loud titles', version: '1.0.0', description: 'Shouts.', requires: { pentad: '*' },
  setup({ hooks }) {
    hooks.addFilter('the_title', (title) => title.toUpperCase() + ' ' + ++times)
  },
}`

describe('Sitemaps of terms (SQLite)', () => {
  it('read the posts of each term, not all posts for each term', async () => {
    const site = await openSeoSite()
    const { db } = site.host.database
    const statements = await statementsOf(() => site.get(CATEGORIES))
    const ofPosts = statements.filter((statement) => /max\(posts\.modified_gmt\)/.test(statement))
    expect(ofPosts).to.have.length(1)
    const plan = await sql<{ detail: string }>`explain query plan ${sql.raw(ofPosts.join())}`.execute(db)
    expect(plan.rows.map(({ detail }) => detail)).to.deep.equal([
      'SEARCH terms USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH term_relationships USING COVERING INDEX term_relationships_term (term_id=?)',
      'SEARCH posts USING INTEGER PRIMARY KEY (rowid=?)',
    ])
    await site.close()
  })

  it('are listed once until content or settings change, and each time while an extension filters them', async () => {
    const site = await openSeoSite()
    const { content, hooks, settings } = site.host
    const listed = async () => {
      const statements = await statementsOf(() => site.get(INDEX))
      return statements.some((statement) => /max\(posts\.modified_gmt\)/.test(statement))
    }
    const seen = [await listed(), await listed()]
    await content.posts.update(1, { title: 'Changed' })
    seen.push(await listed(), await listed())
    await content.meta.set('post', 1, '_seo_noindex', true)
    seen.push(await listed(), await listed())
    await settings.get('seo')?.update({ noindexDates: 'off' })
    seen.push(await listed(), await listed())
    const undo = hooks.addFilter('seo_robots', (robots) => robots)
    seen.push(await listed(), await listed())
    undo()
    expect(seen).to.deep.equal([true, false, true, false, true, false, true, false, true, true])
    await site.close()
  })

  it('of posts are written once until content changes, and each time while an extension may change what they show', async () => {
    const site = await openSeoSite()
    const { content, extensions } = site.host
    const seen: [images: string[], isWritten: boolean][] = []
    const look = async () => {
      let images: string[] = []
      const statements = await statementsOf(async () => {
        const { entries } = await readMap(site, POSTS)
        images = entries.flatMap((entry) => entry.images.map(({ title = '' }) => title))
      })
      seen.push([images, statements.some((statement) => /from "postmeta"\s+where "post_id" in/.test(statement))])
    }
    await look()
    await look()
    const image = await content.media.upload({ source: PIXEL, name: 'cover.png' }, { title: 'Cover' })
    await content.meta.set('post', 1, '_thumbnail_id', image.id)
    await look()
    await look()
    const file = join(temporaryFolder(), 'loud-titles.js')
    await writeFile(file, LOUD_TITLES)
    await extensions.activate(await extensions.add(file))
    await look()
    await look()
    expect(seen).to.deep.equal([
      [[], true],
      [[], false],
      [['Cover'], true],
      [['Cover'], false],
      [['COVER 1'], true],
      [['COVER 2'], true],
    ])
    await site.close()
  })

  it('are not asked one by one for an index of unchanged content', async () => {
    const site = await openSeoSite()
    await site.get(INDEX)
    const statements = await statementsOf(() => site.get(INDEX))
    expect(statements.filter((statement) => statement.includes('content_versions')).length).to.be.within(1, 2)
    await site.close()
  })
})

onEachDatabase('Sitemaps', (databaseUrl) => {
  let site: TestHost
  let undo: Undo[]
  const ids = { ann: 0, travel: 0, europe: 0, empty: 0 }

  const statusOf = async (path: string) => (await site.get(path)).status
  const entriesOf = async (path: string) => (await readMap(site, path)).entries
  const pathsOf = async (path: string) => (await entriesOf(path)).map(({ url }) => url.replace(site.url, ''))
  const entryOf = async (map: string, path: string): Promise<MapEntry | undefined> =>
    (await entriesOf(map)).find(({ url }) => url === site.url + path)
  const namesInIndex = () => pathsOf(INDEX)
  const post = (title: string, more = {}) =>
    site.host.content.posts.insert({ title, status: 'publish', authorId: ids.ann, ...more })

  before(async () => {
    site = await openSeoSite({ config: { databaseUrl: await databaseUrl() } })
    const { content, auth } = site.host
    for (const { id } of (await content.posts.query({ types: ['post', 'page'] })).items) await content.posts.delete(id)
    ids.ann = (await auth.users.create({ login: 'ann', roles: ['author'] })).id
    await auth.users.create({ login: 'idle', roles: ['author'] })
    ids.travel = (await content.terms.insert('category', { name: 'Travel' })).id
    ids.europe = (await content.terms.insert('category', { name: 'Europe', parentId: ids.travel })).id
    ids.empty = (await content.terms.insert('category', { name: 'Empty' })).id
    await post('First', { terms: { category: [ids.europe] }, modifiedGmt: '2025-01-01T00:00:00' })
    const old = { modifiedGmt: '2024-01-01T00:00:00' }
    await post('Locked', { password: 'secret', terms: { category: [ids.europe] }, ...old })
    await post('Private', { status: 'private' })
    await post('Draft', { status: 'draft' })
    await post('Tomorrow', { status: 'future', date: '2999-01-01T00:00:00' })
    await post('About', { type: 'page' })
  })
  beforeEach(() => {
    undo = []
  })
  afterEach(() => {
    for (const one of undo) one()
  })
  after(() => site.close())

  describe('the index', () => {
    it('is at the URLs of core’s and WordPress’s sitemap, and in robots.txt', async () => {
      expect(await namesInIndex()).to.deep.equal([POSTS, PAGES, CATEGORIES, AUTHORS])
      expect(await (await site.get('/robots.txt')).text()).to.contain(`\nSitemap: ${site.url}${INDEX}\n`)
      const { headers } = await site.get(INDEX)
      expect(headers.get('content-type')).to.equal('application/xml; charset=UTF-8')
      expect(headers.get('x-robots-tag')).to.equal('noindex, follow')
    })

    it('is found where people and other plugins have it', async () => {
      for (const path of ['/sitemap.xml', '/sitemap_index.xml']) {
        const { status, headers } = await site.get(path)
        expect([status, headers.get('location')]).to.deep.equal([301, INDEX])
      }
    })

    it('names no map in which nothing is left', async () => {
      undo.push(
        site.host.hooks.addFilter('seo_robots', (robots, { post: of }) => (of ? { ...robots, noindex: true } : robots)),
      )
      // The list of posts at the home page is no post.
      expect(await namesInIndex()).to.deep.equal([PAGES, CATEGORIES, AUTHORS])
      expect(await pathsOf(PAGES)).to.deep.equal(['/'])
      expect(await statusOf(POSTS)).to.equal(404)
    })
  })

  it('list what everybody may read: no drafts, passwords, empty terms, authors without posts', async () => {
    expect(await pathsOf(POSTS)).to.deep.equal(['/first/'])
    expect(await pathsOf(PAGES)).to.deep.equal(['/', '/about/'])
    expect(await pathsOf(AUTHORS)).to.deep.equal(['/author/ann/'])
  })

  it('list a category whose posts are all in the categories below it', async () => {
    expect(await pathsOf(CATEGORIES)).to.deep.equal(['/category/travel/', '/category/travel/europe/'])
  })

  it('leave out what a field keeps out of search engines, or has its canonical address elsewhere', async () => {
    const { meta, posts } = site.host.content
    const { id } = await post('Hidden')
    await meta.set('post', id, '_seo_noindex', true)
    expect(await pathsOf(POSTS)).to.not.include('/hidden/')
    await meta.set('post', id, '_seo_noindex', false)
    expect(await pathsOf(POSTS)).to.include('/hidden/')
    await meta.set('post', id, '_seo_canonical', 'https://example.org/original/')
    expect(await pathsOf(POSTS)).to.not.include('/hidden/')
    await meta.set('post', id, '_seo_canonical', '/hidden/')
    expect(await pathsOf(POSTS)).to.include('/hidden/')
    await meta.set('term', ids.europe, '_seo_noindex', true)
    expect(await pathsOf(CATEGORIES)).to.not.include('/category/travel/europe/')
    await meta.delete('term', ids.europe, '_seo_noindex')
    await posts.delete(id)
  })

  it('leave out whole types and authors where the settings say so', async () => {
    await set(site, { noindexTypes: ['attachment', 'page', 'category'], noindexAuthors: 'on' })
    expect(await namesInIndex()).to.deep.equal([POSTS, PAGES])
    expect(await pathsOf(PAGES)).to.deep.equal(['/'])
    await set(site, { noindexTypes: ['attachment'], noindexAuthors: 'off' })
  })

  it('have attachments where the settings let them in', async () => {
    const { content } = site.host
    const image = await content.media.upload({ source: PIXEL, name: 'alone.png' })
    await set(site, { noindexTypes: [] })
    expect(await pathsOf('/wp-sitemap-posts-attachment-1.xml')).to.deep.equal([new URL(content.link(image)).pathname])
    await set(site, { noindexTypes: ['attachment'] })
    expect(await statusOf('/wp-sitemap-posts-attachment-1.xml')).to.equal(404)
    await content.posts.delete(image.id)
  })

  it('have archives by date where the settings let them in, with the moment of the newest post', async () => {
    const { id } = await post('Old news', { date: '2001-02-03T10:00:00', modifiedGmt: '2001-03-01T00:00:00' })
    await set(site, { noindexDates: 'off' })
    expect(await namesInIndex()).to.include('/wp-sitemap-dates-1.xml')
    const dates = await entriesOf('/wp-sitemap-dates-1.xml')
    for (const path of ['/2001/', '/2001/02/', '/2001/02/03/']) {
      expect(dates).to.deep.include({ url: site.url + path, lastmod: '2001-03-01T00:00:00Z', images: [] })
      expect(await statusOf(path), path).to.equal(200)
    }
    await set(site, { noindexDates: 'on' })
    expect(await statusOf('/wp-sitemap-dates-1.xml')).to.equal(404)
    await site.host.content.posts.delete(id)
  })

  it('list posts of types that extensions make, with the archive of the type', async () => {
    undo.push(site.host.content.registerPostType({ name: 'book', label: 'Books', hasArchive: true }))
    const { id, modifiedGmt } = await post('Moby Dick', { type: 'book' })
    expect(await pathsOf('/wp-sitemap-posts-book-1.xml')).to.deep.equal(['/book/', '/book/moby-dick/'])
    expect((await entryOf('/wp-sitemap-posts-book-1.xml', '/book/'))?.lastmod).to.equal(`${modifiedGmt}Z`)
    await site.host.content.posts.delete(id)
  })

  it('list a static front page once, and the page of posts with the moment of the newest post', async () => {
    const { content } = site.host
    const [about] = (await content.posts.query({ types: ['page'] })).items
    const blog = await post('Blog', { type: 'page', modifiedGmt: '2020-01-01T00:00:00' })
    await content.updateSiteSettings({ showOnFront: 'page', pageOnFront: about?.id ?? 0, pageForPosts: blog.id })
    expect(await pathsOf(PAGES)).to.deep.equal(['/', '/blog/'])
    const [newest] = (await content.posts.query({ orderBy: 'modified', limit: 1 })).items
    expect((await entryOf(PAGES, '/blog/'))?.lastmod).to.equal(`${newest?.modifiedGmt}Z`)
    await content.updateSiteSettings({ showOnFront: 'posts', pageOnFront: 0, pageForPosts: 0 })
    await content.posts.delete(blog.id)
  })

  it('say of a list when the newest post in it changed', async () => {
    const { content } = site.host
    const [first] = (await content.posts.query({ slugs: ['first'] })).items
    const { id } = await post('Newer', { modifiedGmt: '2998-01-01T00:00:00', terms: { category: [ids.empty] } })
    for (const path of ['/category/travel/', '/category/travel/europe/'])
      expect((await entryOf(CATEGORIES, path))?.lastmod, path).to.equal(`${first?.modifiedGmt}Z`)
    const [newest] = (await content.posts.query({ orderBy: 'modified', limit: 1 })).items
    for (const [map, path] of [
      [PAGES, '/'],
      [AUTHORS, '/author/ann/'],
      [CATEGORIES, '/category/empty/'],
    ] as const)
      expect((await entryOf(map, path))?.lastmod, path).to.equal(`${newest?.modifiedGmt}Z`)
    await content.posts.delete(id)
  })

  it('list the images of a page with their titles: the featured one, those of the text, those of a gallery', async () => {
    const { content } = site.host
    const upload = (name: string, title: string) => content.media.upload({ source: PIXEL, name }, { title })
    const [cover, inText, inGallery] = [
      await upload('cover.png', 'A <b>cover</b> & more'),
      await upload('text.png', 'In the text'),
      await upload('gallery.png', 'In the gallery'),
    ]
    const details = await content.media.details([cover, inText, inGallery])
    const urlOf = (id: number) => details.get(id)?.url ?? ''
    const { id } = await post('Pictures', {
      meta: { _thumbnail_id: [cover.id] },
      content: `<img class="wp-image-${inText.id} size-large" src="${urlOf(inText.id)}" alt="Seen">
<img src="/elsewhere.png" alt="Bell \u0007 and &quot;quotes&quot;"><img src="/elsewhere.png"><img src="data:image/png;base64,AAAA">
<img src="javascript:alert(1)"><img src="https://cdn.example/a b.jpg">
[gallery ids="${inGallery.id},999999"]`,
    })
    const entry = await entryOf(POSTS, '/pictures/')
    expect(entry?.images).to.deep.equal([
      { url: urlOf(cover.id), title: 'A cover & more' },
      { url: urlOf(inText.id), title: 'In the text' },
      { url: `${site.url}/elsewhere.png`, title: 'Bell  and "quotes"' },
      { url: 'https://cdn.example/a%20b.jpg', title: undefined },
      { url: urlOf(inGallery.id), title: 'In the gallery' },
    ])
    expect(await errorsOf([await readMap(site, POSTS)])).to.deep.equal([])
    await set(site, { sitemapImages: 'off' })
    expect((await entryOf(POSTS, '/pictures/'))?.images).to.deep.equal([])
    await set(site, { sitemapImages: 'on' })
    for (const one of [id, cover.id, inText.id, inGallery.id]) await content.posts.delete(one)
  })

  it('continue in the next sitemap if one is full, without duplicates', async () => {
    undo.push(site.host.hooks.addFilter('wp_sitemaps_max_urls', () => 3))
    const made = []
    for (const title of ['Two', 'Three', 'Four', 'Five', 'Six', 'Seven']) made.push(await post(title))
    const { maps } = await readSitemaps(site)
    for (const map of maps) expect(map.entries.length, map.name).to.be.within(1, 3)
    const ofPosts = maps.filter(({ name }) => name.includes('posts-post')).flatMap(({ entries }) => entries)
    const expected = ['first', 'two', 'three', 'four', 'five', 'six', 'seven'].map((slug) => `${site.url}/${slug}/`)
    expect(ofPosts.map(({ url }) => url)).to.deep.equal(expected)
    for (const { id } of made) await site.host.content.posts.delete(id)
  })

  it('have 2,000 pages each at most on a large site, all of them once', async () => {
    const { db } = site.host.database
    const { id, ...row } = await db
      .selectFrom('posts')
      .selectAll()
      .where('slug', '=', 'first')
      .executeTakeFirstOrThrow()
    for (let at = 0; at < 2500; at += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => ({
        ...row,
        slug: `copy-${at + index}`,
        path: `/copy-${at + index}/`,
      }))
      await db.insertInto('posts').values(rows).execute()
    }
    // The statements above bypass the version of the content.
    await site.host.content.meta.set('post', id, 'copied', true)
    const { index, maps } = await readSitemaps(site)
    const ofPosts = maps.filter(({ name }) => name.includes('posts-post'))
    expect(ofPosts.map(({ entries }) => entries.length <= 2000)).to.deep.equal([true, true])
    expect(new Set(ofPosts.flatMap(({ entries }) => entries.map(({ url }) => url))).size).to.equal(2501)
    expect(await errorsOf([index], 'siteindex.xsd')).to.deep.equal([])
    expect(await errorsOf(maps)).to.deep.equal([])
    await db.deleteFrom('posts').where('slug', 'like', 'copy-%').execute()
    await site.host.content.meta.delete('post', id, 'copied')
    expect(await pathsOf(POSTS), `${id}`).to.deep.equal(['/first/'])
  })

  it('can be changed by the filter seo_sitemap_urls, and stay valid whatever it answers', async () => {
    undo.push(
      site.host.hooks.addFilter('seo_sitemap_urls', (urls, { name, number }) =>
        name === 'posts-post' && number === 1
          ? [
              ...urls,
              { url: `${site.url}/brochure.pdf?a=1&b=2`, lastModified: 'yesterday' },
              { url: 'https://elsewhere.example/' },
              { url: 'no address' },
              { url: `${site.url}/${'x'.repeat(3000)}` },
              {
                url: `${site.url}/möwe/`,
                images: [{ url: 'nothing', title: 'x' }],
                lastModified: '2025-99-99T00:00:00Z',
              },
            ]
          : urls,
      ),
    )
    expect(await pathsOf(POSTS)).to.deep.equal(['/first/', '/brochure.pdf?a=1&b=2', '/m%C3%B6we/'])
    expect(await errorsOf([await readMap(site, POSTS)])).to.deep.equal([])
    expect(await pathsOf(PAGES)).to.deep.equal(['/', '/about/'])
    for (const answer of [null, [null], [{ url: 7 }], 'nothing']) {
      // @ts-expect-error: an extension in JavaScript may answer anything
      undo.push(site.host.hooks.addFilter('seo_sitemap_urls', () => answer))
      expect(await pathsOf(POSTS), JSON.stringify(answer)).to.deep.equal(['/first/'])
    }
  })

  it('do not exist for other names and numbers', async () => {
    for (const path of [
      ...['/wp-sitemap-posts-post-2.xml', '/wp-sitemap-posts-post-0.xml', '/wp-sitemap-posts-nothing-1.xml'],
      ...['/wp-sitemap-posts-revision-1.xml', '/wp-sitemap-taxonomies-post_tag-1.xml', '/wp-sitemap-users-9.xml'],
      ...['/wp-sitemap-posts-post-1.xml/x', '/wp-sitemap-posts-__proto__-1.xml', '/wp-sitemap-.xml'],
    ])
      expect(await statusOf(path), path).to.equal(404)
  })

  it('are gone where the settings say so, core’s too, and where the site does not want to be found', async () => {
    const areGone = async () => {
      for (const path of [INDEX, POSTS, '/sitemap.xml']) expect(await statusOf(path), path).to.equal(404)
      expect(await (await site.get('/robots.txt')).text()).to.not.contain('Sitemap')
    }
    await set(site, { xmlSitemap: 'off' })
    await areGone()
    await set(site, { xmlSitemap: 'on' })
    await site.host.options.update('blog_public', '0')
    await areGone()
    await site.host.options.update('blog_public', '1')
    expect(await statusOf(INDEX)).to.equal(200)
  })

  it('give their place back to core’s when the service is switched off, at the same address', async () => {
    await site.host.extensions.deactivate('seo')
    expect(await namesInIndex()).to.include.members([POSTS, PAGES])
    expect(await (await site.get('/robots.txt')).text()).to.contain(`\nSitemap: ${site.url}${INDEX}\n`)
    await site.host.extensions.activate('seo')
    expect((await entryOf(PAGES, '/'))?.images).to.deep.equal([])
  })
})
