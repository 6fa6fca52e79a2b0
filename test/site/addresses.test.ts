import { expect } from 'chai'
import request from 'supertest'
import type { Post, Term } from '../../cms/content/types.ts'
import { weekOf } from '../../cms/site/page/archive-date.ts'
import { getExactly, type SiteUnderTest, startSite, textOf } from './site-under-test.ts'

describe('Addresses of the public site', () => {
  let site: SiteUnderTest
  let post: Post
  let page: Post
  let below: Post
  let child: Term
  const get = (path: string) => request(site.http).get(path)

  before(async () => {
    site = await startSite()
    const { content, auth } = site
    const author = await auth.users.create({ login: 'ann', slug: 'ann', displayName: 'Ann Lee', roles: ['author'] })
    const parent = await content.terms.insert('category', { name: 'Travel' })
    child = await content.terms.insert('category', { name: 'Georgia', parentId: parent.id })
    const tag = await content.terms.insert('post_tag', { name: '日本' })
    const common = { status: 'publish', authorId: author.id }
    post = await content.posts.insert({
      ...common,
      title: 'Night train',
      content: 'Leaves at ten.',
      date: '2026-01-05T08:00:00',
      terms: { category: [child.id], post_tag: [tag.id] },
    })
    await content.posts.insert({ ...common, title: '東京', content: 'Last train.', date: '2025-03-02T08:00:00' })
    page = await content.posts.insert({ ...common, type: 'page', title: 'About' })
    below = await content.posts.insert({ ...common, type: 'page', title: 'Team', parentId: page.id })
    for (let number = 1; number <= 12; number++)
      await content.posts.insert({ ...common, title: `Filler ${number}`, date: `2024-05-${10 + number}T08:00:00` })
  })
  after(() => site.close())

  const pages: Record<string, string> = {
    '/': 'My Pentad site',
    '/page/2/': 'My Pentad site – Page 2',
    '/night-train/': 'Night train – My Pentad site',
    '/%E6%9D%B1%E4%BA%AC/': '東京 – My Pentad site',
    '/%e6%9d%b1%e4%ba%ac/': '東京 – My Pentad site',
    '/about/': 'About – My Pentad site',
    '/about/team/': 'Team – My Pentad site',
    '/category/travel/': 'Travel – My Pentad site',
    '/category/travel/georgia/': 'Georgia – My Pentad site',
    '/tag/%E6%97%A5%E6%9C%AC/': '日本 – My Pentad site',
    '/author/ann/': 'Ann Lee – My Pentad site',
    '/author/ann/page/2/': 'Ann Lee – Page 2 – My Pentad site',
    '/2026/': '2026 – My Pentad site',
    '/2026/01/': 'January 2026 – My Pentad site',
    '/2026/01/05/': 'January 5, 2026 – My Pentad site',
    '/2024/page/2/': '2024 – Page 2 – My Pentad site',
    '/?m=2026&w=2': 'January 5\u2009–\u200911, 2026 – My Pentad site',
    '/?m=2024&w=20': 'May 13\u2009–\u200919, 2024 – My Pentad site',
    '/?s=train': 'Search results for “train” – My Pentad site',
    '/search/train/': 'Search results for “train” – My Pentad site',
    '/?s=': 'Search – My Pentad site',
  }
  for (const [path, title] of Object.entries(pages)) {
    it(`${path} is “${title}”`, async () => {
      const { status, text } = await get(path)
      expect(status).to.equal(200)
      expect(textOf(text, 'title')).to.equal(title)
    })
  }

  const moved: Record<string, string> = {
    '/night-train': '/night-train/',
    '/Night-Train/': '/night-train/',
    '//night-train//': '/night-train/',
    '/index.php/night-train/': '/night-train/',
    '/index.php': '/',
    '/night-train/page/3/': '/night-train/',
    '/night-train?utm_source=x': '/night-train/?utm_source=x',
    '/page/1/': '/',
    '/?paged=2': '/page/2/',
    '/category/georgia/': '/category/travel/georgia/',
    '/category/europe/georgia': '/category/travel/georgia/',
    '/tag/%e6%97%a5%e6%9c%ac': '/tag/%e6%97%a5%e6%9c%ac/',
    '/AUTHOR/ann/': '/author/ann/',
    '/2026/1/': '/2026/01/',
    '/?feed=rss2': '/feed/',
    '/feed/rss2/': '/feed/',
    '/?tag=%E6%97%A5%E6%9C%AC': '/tag/%e6%97%a5%e6%9c%ac/',
    '/?category_name=travel/georgia': '/category/travel/georgia/',
    '/?author_name=ann': '/author/ann/',
    '/?feed=comments-rss2': '/comments/feed/',
    '/night-train/?feed=rss2': '/night-train/feed/',
    '/category/travel/?feed=rss2&x=1': '/category/travel/feed/?x=1',
    '/2024/?paged=2': '/2024/page/2/',
    '/night-train/comment-page-2/': '/night-train/',
    '/about/team/comment-page-1/': '/about/team/',
    '/?m=2026': '/2026/',
    '/?m=202601': '/2026/01/',
    '/?m=20260105': '/2026/01/05/',
    '/?year=2026&monthnum=1&day=5': '/2026/01/05/',
    '/?year=2024&paged=2': '/2024/page/2/',
    '/2026/?w=2': '/?m=2026&w=2',
    '/?year=2026&w=2': '/?m=2026&w=2',
  }
  for (const [path, target] of Object.entries(moved)) {
    it(`${path} leads to ${target}`, async () => {
      const { status, headers } = await get(path)
      expect([status, headers.location]).to.deep.equal([301, target])
    })
  }

  it('redirects from ids to paths', async () => {
    const location = async (path: string) => (await get(path).expect(301)).headers.location
    expect(await location(`/?p=${post.id}`)).to.equal('/night-train/')
    expect(await location(`/?page_id=${below.id}`)).to.equal('/about/team/')
    expect(await location(`/?cat=${child.id}`)).to.equal('/category/travel/georgia/')
    expect(await location(`/?author=${post.authorId}`)).to.equal('/author/ann/')
    expect(await location(`/?p=${page.id}&x=1`)).to.equal('/about/?x=1')
  })

  it('lists the posts of one week, to which a list of weeks links', async () => {
    const { content } = site
    const titles = async (path: string) =>
      (await get(path).expect(200)).text
        .match(/Filler \d+/g)
        ?.filter((title, at, all) => all.indexOf(title) === at)
        .sort()
    // 13 to 19 May 2024, from Monday to Sunday.
    const week = ['Filler 3', 'Filler 4', 'Filler 5', 'Filler 6', 'Filler 7', 'Filler 8', 'Filler 9']
    expect(await titles('/?m=2024&w=20')).to.deep.equal(week)

    const list = '<!-- wp:archives {"type":"weekly","showPostCounts":true} /-->'
    const { id, path } = await content.posts.insert({ type: 'page', title: 'Weeks', status: 'publish', content: list })
    const links = [...(await get(path)).text.matchAll(/<li><a href='[^']*(\/\?m=[^']*)'>([^<]*)<\/a>&nbsp;\((\d+)\)/g)]
    await content.posts.delete(id)
    const told = links.map(([, link = '', text, count]) => [
      link.replaceAll('&amp;', '&'),
      text?.replace('&#8211;', '–'),
      count,
    ])
    expect(told.slice(-4)).to.deep.equal([
      ['/?m=2025&w=9', 'February 24, 2025–March 2, 2025', '1'],
      ['/?m=2024&w=21', 'May 20, 2024–May 26, 2024', '3'],
      ['/?m=2024&w=20', 'May 13, 2024–May 19, 2024', '7'],
      ['/?m=2024&w=19', 'May 6, 2024–May 12, 2024', '2'],
    ])
  })

  it('counts weeks as MySQL does, where a year begins and ends too', () => {
    const week = (date: string, start: number) => weekOf(new Date(`${date}T00:00:00Z`), start)
    // SELECT WEEK(date, 1), WEEK(date, 0)
    const known: [string, number, number][] = [
      ['2008-02-20', 8, 7],
      ['2008-12-31', 53, 52],
      ['2000-01-01', 0, 0],
      ['2024-01-01', 1, 0],
      ['2024-12-30', 53, 52],
      ['2023-01-01', 0, 1],
      ['2027-01-01', 0, 0],
      ['2026-12-31', 53, 52],
    ]
    for (const [date, monday, sunday] of known)
      expect([week(date, 1), week(date, 0)], date).to.deep.equal([monday, sunday])
  })

  const missing = [
    '/nothing/',
    '/about/nothing/',
    '/page/9/',
    '/category/nothing/',
    '/category/travel/page/9/',
    '/tag/nothing/feed/',
    '/author/nobody/',
    '/2023/',
    '/2026/13/',
    '/2026/02/31/',
    '/?p=99999',
    '/?author=99999',
    '/?m=202613',
    '/?m=2026&w=3',
    '/?m=2026&w=54',
    '/comment-page-1/',
    '/wp-content/',
    '/wp-includes/version.php',
    '/..%2f..%2fetc%2fpasswd',
    '/%c0%ae%c0%ae/',
    '/%00/',
    '/a%0d%0aSet-Cookie:x/',
    '/__proto__/',
    '/page/99999999999999999999/',
  ]
  for (const path of missing) {
    it(`${path} is not found`, async () => {
      const { status, text } = await get(path)
      expect([status, textOf(text, 'h1')]).to.deep.equal([404, 'Page not found'])
    })
  }

  it('takes a parameter that is no number for none', async () => {
    const { status, text } = await get('/?p=1e3')
    expect([status, textOf(text, 'h1')]).to.deep.equal([200, 'My Pentad site'])
  })

  it('has no canonical URL for missing pages', async () => {
    expect(textOf((await get('/page/9/')).text, 'title')).to.equal('Page not found – My Pentad site')
  })

  it('takes half a date for none', async () => {
    for (const path of ['/?m=2', '/?monthnum=1', '/?year=2026&day=5']) {
      const { status, text } = await get(path)
      expect([status, textOf(text, 'h1')], path).to.deep.equal([200, 'My Pentad site'])
    }
  })

  it('never redirects to another host', async () => {
    for (const path of [
      '//evil.example',
      '//evil.example/',
      '/\\evil.example/',
      '///night-train',
      '//evil.example/%2e%2e',
    ]) {
      const { location } = await getExactly(site.http, path)
      expect(location || '/').to.match(/^\/(?![/\\])/)
    }
  })

  it('answers HEAD as GET without a body', async () => {
    const answer = await request(site.http).head('/night-train/').expect(200)
    expect(answer.text ?? '').to.equal('')
    expect(Number(answer.headers['content-length'])).to.be.greaterThan(1000)
  })

  it('refuses other methods', async () => {
    for (const method of ['post', 'put', 'delete', 'patch'] as const) {
      const { status, headers } = await request(site.http)[method]('/night-train/')
      expect([status, headers.allow]).to.deep.equal([405, 'GET, HEAD'])
    }
  })

  it('responds with 304 to a client that has the page', async () => {
    const { headers } = await get('/night-train/')
    expect(headers['cache-control']).to.equal('public, max-age=0, must-revalidate')
    await get('/night-train/')
      .set('If-None-Match', headers.etag ?? '')
      .expect(304)
  })

  it('links to the REST API', async () => {
    const { headers, text } = await get('/')
    expect(headers.link).to.equal('<http://127.0.0.1:8080/wp-json/>; rel="https://api.w.org/"')
    expect(text).to.contain('<link rel="https://api.w.org/" href="http://127.0.0.1:8080/wp-json/">')
  })

  it('shows a chosen page at the front and the posts elsewhere', async () => {
    await site.content.updateSiteSettings({ showOnFront: 'page', pageOnFront: page.id, pageForPosts: below.id })
    try {
      const front = await get('/').expect(200)
      expect(textOf(front.text, 'title')).to.equal('My Pentad site')
      expect(textOf(front.text, 'article')).to.contain('About')
      expect((await get('/about/').expect(301)).headers.location).to.equal('/')
      const posts = await get('/about/team/').expect(200)
      expect(textOf(posts.text, 'title')).to.equal('Team – My Pentad site')
      expect(posts.text).to.contain('Night train')
      await get('/about/team/page/2/').expect(200)
      await get('/feed/').expect(200)
    } finally {
      await site.content.updateSiteSettings({ showOnFront: 'posts' })
    }
  })

  it('answers robots.txt and a favicon', async () => {
    const robots = await get('/robots.txt').expect(200)
    expect(robots.type).to.equal('text/plain')
    expect(robots.text).to.contain('Disallow: /wp-admin/')
    await get('/favicon.ico').expect(204)
  })
})
