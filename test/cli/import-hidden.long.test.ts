import { expect } from 'chai'
import { wxrFile, wxrItem } from '../content/import/wxr-file.ts'
import { pentad, type RunningSite, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'

/** One post of every status that strangers do not see, its word in the title, the text, the excerpt, and so on. */
const HIDDEN = { draft: 101, pending: 102, private: 103, future: 104, trash: 105 }
/** Everybody may know that it is there, and nothing else. */
const PROTECTED = 106
const STATUSES = Object.keys(HIDDEN)
const WORDS = [...STATUSES, 'protected'].map((status) => word(status))

/** A word that stands nowhere else, in this part of this post. */
function word(status: string, part = ''): string {
  return `zq${status}${part}`
}

function withComment(id: number, text: string): string {
  return `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author><![CDATA[${text}author]]></wp:comment_author>
    <wp:comment_author_email>${text}@example.org</wp:comment_author_email><wp:comment_date>2026-02-02 10:00:00</wp:comment_date>
    <wp:comment_date_gmt>2026-02-02 10:00:00</wp:comment_date_gmt><wp:comment_content><![CDATA[${text}]]></wp:comment_content>
    <wp:comment_approved>1</wp:comment_approved><wp:comment_parent>0</wp:comment_parent></wp:comment>`
}

const NEWS = '<category domain="category" nicename="news"><![CDATA[News]]></category>'

/** Each hidden post lies between two public ones, so that it would be the neighbor of both. */
function writeExport(): string {
  const open = [1, 3, 5, 7].map((day) =>
    wxrItem({ id: 200 + day, title: `Open ${day}`, date: `2026-01-0${day} 08:00:00`, content: 'Seen', more: NEWS }),
  )
  const hidden = Object.entries(HIDDEN).flatMap(([status, id]) => {
    const date = status === 'future' ? '2099-01-04 08:00:00' : '2026-01-04 08:00:00'
    return [
      wxrItem({
        ...{ id, status, slug: word(status), title: word(status, 'title'), content: word(status, 'text') },
        date,
        more: NEWS + withComment(id, word(status, 'comment')),
        meta: { note: word(status, 'meta') },
      }),
      wxrItem({
        ...{ id: id + 200, type: 'page', status, slug: `${word(status)}page`, title: word(status, 'pagetitle') },
        ...{ date, content: word(status, 'pagetext') },
      }),
      wxrItem({
        ...{ id: id + 400, type: 'attachment', status: 'inherit', slug: `${word(status)}file`, parent: id },
        ...{ title: word(status, 'filetitle'), content: word(status, 'filetext') },
        meta: { _wp_attached_file: `2026/01/${word(status)}.jpg` },
      }),
    ].map((item) => withExcerpt(item, word(status, 'excerpt')))
  })
  const locked = wxrItem({
    ...{ id: PROTECTED, slug: 'locked', title: 'Behind the door', content: word('protected', 'text') },
    ...{ date: '2026-01-06 08:00:00', more: NEWS + withComment(PROTECTED, word('protected', 'comment')) },
  }).replace('<wp:post_password>', '<wp:post_password>sesame')
  return wxrFile([...open, ...hidden, withExcerpt(locked, word('protected', 'excerpt'))])
}

function withExcerpt(item: string, excerpt: string): string {
  return item.replace('<excerpt:encoded><![CDATA[', `<excerpt:encoded><![CDATA[${excerpt}`)
}

describe('what an imported site hides from strangers', () => {
  const siteDir = temporaryFolder()
  let site: RunningSite

  before(async () => {
    site = await startPentad(siteDir)
    const imported = await pentad(siteDir, ['import', writeExport()])
    expect(imported.code, imported.errors).to.equal(0)
  })
  after(() => site.end())

  const get = (path: string) => fetch(new URL(path, site.url), { redirect: 'manual' })
  const leaksOf = (text: string) => WORDS.filter((secret) => text.includes(secret))

  it('is in no page, feed, file or REST response that the public site links to', async () => {
    const seen = new Set([
      '/',
      '/robots.txt',
      '/feed/',
      '/comments/feed/',
      '/2026/',
      '/2026/01/04/',
      '/2099/',
      '/wp-json/',
    ])
    for (const path of seen) {
      const answer = await get(path)
      const text = await answer.text()
      expect(leaksOf(text), path).to.deep.equal([])
      if (!answer.headers.get('Content-Type')?.includes('text/html')) continue
      for (const [, target = ''] of text.matchAll(/(?:href|src)="([^"#]+)/g)) {
        const url = new URL(target.replaceAll('&amp;', '&'), site.url)
        if (url.origin === site.url) seen.add(url.pathname + url.search)
      }
    }
    expect(seen.size).to.be.greaterThan(15)
    for (const path of ['/item-201/', '/item-207/', '/category/news/', '/author/admin/', '/locked/'])
      expect([...seen], path).to.include(path)
  })

  it('is in no list of wp/v2, whatever is asked for', async () => {
    const lists = ['posts', 'pages', 'media', 'comments', 'categories', 'tags', 'users', 'search']
    const asked = [
      'per_page=100&_embed=1',
      'search=zq',
      ...STATUSES.map((status) => `status=${status}`),
      'status=any',
      'context=edit',
      'orderby=relevance&search=zqdrafttitle',
      `include=${Object.values(HIDDEN).join()}`,
      `parent=${Object.values(HIDDEN).join()}`,
      `post=${[...Object.values(HIDDEN), PROTECTED].join()}`,
      'slug=zqdraft,zqprivate,zqfuture',
      'search_columns=post_excerpt&search=zq',
    ]
    for (const list of lists) {
      for (const query of asked) {
        const answer = await get(`/wp-json/wp/v2/${list}?${query}`)
        expect(answer.status, `${list} ${query}`).to.be.lessThan(500)
        // A refusal may repeat what was asked.
        if (answer.status < 400) expect(leaksOf(await answer.text()), `${list} ${query}`).to.deep.equal([])
      }
    }
  })

  it('has no public URL', async () => {
    for (const [status, id] of Object.entries(HIDDEN)) {
      const byId = [id, id + 200, id + 400].flatMap((each) => [
        `/?p=${each}`,
        `/?page_id=${each}`,
        `/?attachment_id=${each}`,
        `/?p=${each}&preview=true`,
        `/?p=${each}&feed=rss2`,
        ...['posts', 'pages', 'media'].map((route) => `/wp-json/wp/v2/${route}/${each}?_embed=1`),
      ])
      const name = word(status)
      const bySlug = [`/${name}/`, `/${name}/feed/`, `/${name}page/`, `/${name}file/`, `/${name}/${name}file/`]
      for (const path of [...byId, ...bySlug, `/${name}/embed/`, `/${name}page/embed/`]) {
        const answer = await get(path)
        expect(answer.status, path).to.be.oneOf([401, 403, 404])
        const text = (await answer.text()).replaceAll(path, '')
        expect(text, path).to.not.match(/zq\w+(title|text|excerpt|comment|meta)/)
      }
    }
  })

  it('is not found by searching', async () => {
    const parts = ['title', 'text', 'excerpt', 'pagetitle', 'pagetext', 'filetitle', 'filetext', 'comment', 'meta']
    const secrets = [...STATUSES, 'protected'].flatMap((status) => parts.map((part) => word(status, part)))
    for (const secret of [...secrets, 'sesame']) {
      const page = await (await get(`/?s=${secret}`)).text()
      expect(page, secret).to.match(/<p class="?nothing/)
      const feed = await (await get(`/?s=${secret}&feed=rss2`)).text()
      expect(feed, secret).to.not.contain('<item>')
      for (const route of ['search', 'posts', 'pages', 'media'])
        expect(
          await (await get(`/wp-json/wp/v2/${route}?search=${secret}`)).json(),
          `${route} ${secret}`,
        ).to.deep.equal([])
    }
  })

  it('shows only the title of a protected post', async () => {
    const page = await (await get('/locked/')).text()
    // The imported site is in German.
    expect(page).to.contain('Geschützt: Behind the door').and.to.contain('name="post_password"')
    const post = JSON.parse(await (await get(`/wp-json/wp/v2/posts/${PROTECTED}?_embed=1`)).text())
    expect(post.content).to.deep.include({ rendered: '', protected: true })
    expect(post.excerpt).to.deep.include({ rendered: '', protected: true })
    expect((await get(`/wp-json/wp/v2/comments?post=${PROTECTED}`)).status).to.equal(401)
    for (const path of ['/locked/feed/', `/?p=${PROTECTED}&feed=rss2`])
      expect(leaksOf(await (await get(path)).text()), path).to.deep.equal([])
  })
})
