import { expect } from 'chai'
import { SaxesParser } from 'saxes'
import request from 'supertest'
import { type SiteUnderTest, startSite } from './site-under-test.ts'

/** Texts of the elements of a feed by their path; throws where it is not well-formed. */
function read(xml: string): Map<string, string[]> {
  const texts = new Map<string, string[]>()
  const path: string[] = []
  let text = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    path.push(name)
    text = ''
  })
  const add = (part: string) => {
    text += part
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => {
    const key = path.join('/').replace('rss/channel/', '')
    texts.set(key, [...(texts.get(key) ?? []), text])
    path.pop()
    text = ''
  })
  parser.write(xml).close()
  return texts
}

describe('Feeds', () => {
  let site: SiteUnderTest
  const get = (path: string) => request(site.http).get(path)

  before(async () => {
    site = await startSite()
    const { content } = site
    await content.updateSiteSettings({ title: 'Bread & butter', description: 'Daily', language: 'de_DE' })
    const author = await site.auth.users.create({
      login: 'ann',
      slug: 'ann',
      displayName: 'Ann <Lee>',
      roles: ['author'],
    })
    const category = await content.terms.insert('category', { name: 'Travel' })
    const tag = await content.terms.insert('post_tag', { name: 'a < b' })
    const terms = { category: [category.id], post_tag: [tag.id] }
    const common = { status: 'publish', authorId: author.id, terms }
    const post = await content.posts.insert({
      ...common,
      title: 'Salt &amp; <em>pepper</em>',
      slug: 'salt',
      content: 'One ]]> two \u0007 & three',
      excerpt: 'Short',
      date: '2026-03-01T08:00:00',
    })
    for (let number = 1; number <= 12; number++)
      await content.posts.insert({ ...common, title: `Older ${number}`, date: `2025-05-${10 + number}T08:00:00` })
    await content.comments.insert({
      ...{ postId: post.id, parentId: 0, userId: 0, authorName: 'Eve', authorEmail: 'eve@example.net', authorUrl: '' },
      ...{ authorAddress: '', userAgent: '', content: 'Nice <script>x</script>', status: 'approved', type: 'comment' },
      ...{ date: '2026-03-02T08:00:00', dateGmt: '2026-03-02T08:00:00' },
    })
  })
  after(() => site.close())

  it('are RSS 2.0 as WordPress writes it', async () => {
    const { text, type, headers } = await get('/feed/').expect(200)
    expect(type).to.equal('application/rss+xml')
    expect(headers['cache-control']).to.equal('public, max-age=0, must-revalidate')
    expect(text).to.contain('<atom:link href="http://127.0.0.1:8080/feed/" rel="self" type="application/rss+xml" />')
    const feed = read(text)
    const first = (path: string) => feed.get(path)?.[0]
    expect(first('title')).to.equal('Bread & butter')
    expect(first('link')).to.equal('http://127.0.0.1:8080/')
    expect(first('language')).to.equal('de-DE')
    expect(first('lastBuildDate')).to.match(/^\w{3}, \d{2} \w{3} 20\d{2} \d{2}:\d{2}:\d{2} \+0000$/)
    expect(feed.get('item/title')).to.have.length(10)
    expect(first('item/title')).to.equal('Salt & pepper')
    expect(first('item/link')).to.equal('http://127.0.0.1:8080/salt/')
    expect(first('item/dc:creator')).to.equal('Ann <Lee>')
    expect(first('item/pubDate')).to.equal('Sun, 01 Mar 2026 08:00:00 +0000')
    expect(feed.get('item/category')?.slice(0, 2)).to.deep.equal(['Travel', 'a < b'])
    expect(first('item/description')).to.contain('Short')
    expect(first('item/content:encoded')).to.match(/One \]\]> two +(&|&amp;|&#038;) three/)
    expect(first('item/slash:comments')).to.equal('1')
  })

  for (const path of [
    '/category/travel/feed/',
    '/tag/a-b/feed/',
    '/author/ann/feed/',
    '/2026/feed/',
    '/?s=salt&feed=rss2',
    '/search/salt/feed/',
  ]) {
    it(`${path} holds the posts of that list`, async () => {
      const address = path.startsWith('/?') ? ((await get(path).expect(301)).headers.location ?? '') : path
      const { text } = await get(address).expect(200)
      expect(read(text).get('item/title')).to.include('Salt & pepper')
    })
  }

  for (const [path, page] of Object.entries({
    '/feed/?s=a%20b': '/?s=a%20b',
    '/search/a%20b/feed/': '/search/a%20b/',
  })) {
    it(`${path} says that it is the feed of that search`, async () => {
      const { text } = await get(path).expect(200)
      expect(text).to.contain(`<atom:link href="http://127.0.0.1:8080${path}" rel="self"`)
      expect(read(text).get('link')).to.deep.equal([`http://127.0.0.1:8080${page}`])
    })
  }

  const ofComments: Record<string, string> = {
    '/salt/feed/': 'By: Eve',
    '/comments/feed/': 'Comment on Salt & pepper by Eve',
  }
  for (const [path, title] of Object.entries(ofComments)) {
    it(`${path} holds comments, made harmless`, async () => {
      const feed = read((await get(path).expect(200)).text)
      expect(feed.get('item/title')).to.deep.equal([title])
      expect(feed.get('item/link')).to.deep.equal([`http://127.0.0.1:8080/salt/#comment-1`])
      expect(feed.get('item/content:encoded')?.[0]).to.contain('Nice').and.not.contain('script')
    })
  }

  it('of all comments has the newest ten on whatever is public: old posts and pages, nothing hidden', async () => {
    const other = await startSite()
    const { posts, comments } = other.content
    const insert = async (about: object, said: object) => {
      const post = await posts.insert({ status: 'publish', title: 'Old', date: '2001-01-01T08:00:00', ...about })
      return comments.insert({
        ...{ postId: post.id, parentId: 0, userId: 0, authorName: 'Eve', authorEmail: '', authorUrl: '' },
        ...{ authorAddress: '', userAgent: '', content: 'Words', status: 'approved', type: 'comment' },
        ...{ date: '2026-03-02T08:00:00', dateGmt: '2026-03-02T08:00:00', ...said },
      })
    }
    try {
      for (let number = 1; number <= 60; number++) await posts.insert({ status: 'publish', title: `Newer ${number}` })
      for (let number = 1; number <= 9; number++) await insert({}, {})
      await insert({ type: 'page', title: 'About' }, { authorName: 'Ann' })
      await insert({ title: 'Last' }, { authorName: 'Zoe' })
      const hidden = { date: '2026-03-03T08:00:00', dateGmt: '2026-03-03T08:00:00' }
      await insert({ password: 'secret' }, hidden)
      await insert({ status: 'draft' }, hidden)
      await insert({ status: 'private' }, hidden)
      await insert({}, { ...hidden, status: 'hold' })
      const feed = read((await request(other.http).get('/comments/feed/').expect(200)).text)
      expect(feed.get('title')).to.deep.equal(['Comments for My Pentad site'])
      expect(feed.get('link')).to.deep.equal(['http://127.0.0.1:8080/'])
      const titles = feed.get('item/title') ?? []
      expect(titles.slice(0, 2)).to.deep.equal(['Comment on Last by Zoe', 'Comment on About by Ann'])
      expect(titles.slice(2)).to.deep.equal(Array.from({ length: 8 }, () => 'Comment on Old by Eve'))
    } finally {
      await other.close()
    }
  })

  it('do not exist for what does not exist', async () => {
    for (const path of ['/nothing/feed/', '/category/nothing/feed/', '/2020/feed/', '/page/9/feed/'])
      await get(path).expect(404)
  })

  it('respond with 304 to a client that has them', async () => {
    const { headers } = await get('/feed/')
    await get('/feed/')
      .set('If-None-Match', headers.etag ?? '')
      .expect(304)
  })

  it('let extensions add to each post', async () => {
    const undo = site.hooks.addFilter('the_content_feed', (html, type, post) => `${html}<p>${type} ${post.slug}</p>`)
    expect((await get('/feed/')).text).to.contain('<p>rss2 salt</p>')
    undo()
  })
})
