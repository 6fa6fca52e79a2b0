import { expect } from 'chai'
import request from 'supertest'
import type { Post } from '../../cms/content/types.ts'
import { statementsOf } from '../support/statements.ts'
import { type SiteUnderTest, startSite, textOf } from './site-under-test.ts'

const ORIGIN = 'http://127.0.0.1:8080'

describe('What programs find about a page', () => {
  let site: SiteUnderTest
  let post: Post
  let draft: Post
  before(async () => {
    site = await startSite()
    const { content, auth } = site
    const author = await auth.users.create({ login: 'ann', displayName: 'Ann & Co', roles: ['author'] })
    const category = await content.terms.insert('category', { name: 'Travel' })
    const common = { authorId: author.id, terms: { category: [category.id] } }
    post = await content.posts.insert({ status: 'publish', title: 'Über <em>Züge</em>', slug: 'zuege', ...common })
    draft = await content.posts.insert({ status: 'draft', title: 'Not yet', slug: 'not-yet', ...common })
  })
  after(() => site.close())
  const get = (path: string) => request(site.http).get(path)

  it('its place in the REST API and its short address, in headers and head', async () => {
    const { headers, text } = await get('/zuege/')
    expect(headers.link).to.equal(
      [
        `<${ORIGIN}/wp-json/>; rel="https://api.w.org/"`,
        `<${ORIGIN}/wp-json/wp/v2/posts/${post.id}>; rel="alternate"; title="JSON"; type="application/json"`,
        `<${ORIGIN}/?p=${post.id}>; rel=shortlink`,
      ].join(', '),
    )
    expect(text).to.contain(`<link rel="https://api.w.org/" href="${ORIGIN}/wp-json/">`)
    expect(text).to.match(new RegExp(`rel="alternate"[^>]* href="${ORIGIN}/wp-json/wp/v2/posts/${post.id}"`))
    expect((await get(`/?p=${post.id}`)).headers.location).to.equal('/zuege/')
    expect((await get('/category/travel/')).headers.link).to.match(/wp\/v2\/categories\/\d+>; rel="alternate"/)
    expect((await get('/nowhere/')).headers.link).to.equal(`<${ORIGIN}/wp-json/>; rel="https://api.w.org/"`)
  })

  it('its feeds and those of the site', async () => {
    const { text } = await get('/zuege/')
    for (const path of ['/feed/', '/comments/feed/', '/zuege/feed/']) {
      expect(text).to.contain(`href="${ORIGIN}${path}"`)
      expect((await get(path)).headers['content-type']).to.match(/^application\/rss\+xml/)
    }
  })

  it('the feed of a search', async () => {
    const { text } = await get('/?s=z%26g')
    const href = /title="[^"]*Search results[^"]*" href="([^"]+)"/.exec(text)?.[1] ?? ''
    expect(href).to.equal(`${ORIGIN}/feed/?s=z%26g`)
    await get('/feed/?s=z%26g').expect(200)
  })

  describe('oEmbed', () => {
    it('is announced in the head, as JSON and XML, and answers there', async () => {
      const { text } = await get('/zuege/')
      const found = [...text.matchAll(/type="(\S+\+oembed)" href="([^"]+)"/g)].map(([, type = '', href = '']) => ({
        type,
        path: href.replaceAll('&amp;', '&').replace(ORIGIN, ''),
      }))
      expect(found.map(({ type }) => type)).to.deep.equal(['application/json+oembed', 'text/xml+oembed'])
      const [json, xml] = await Promise.all(found.map(({ path }) => get(path)))
      expect(json?.body).to.include({ version: '1.0', type: 'rich', title: 'Über Züge', author_name: 'Ann & Co' })
      expect(json?.body.html).to.contain(`<a href="${ORIGIN}/zuege/">`)
      expect(xml?.headers['content-type']).to.equal('text/xml; charset=UTF-8')
      expect(textOf(xml?.text ?? '', 'author_name')).to.equal('Ann & Co')
    })

    it('keeps to the bounds of its width', async () => {
      const width = async (asked: number) =>
        (await get(`/wp-json/oembed/1.0/embed?url=${encodeURIComponent(`${ORIGIN}/zuege/`)}&maxwidth=${asked}`)).body
          .width
      expect([await width(10), await width(400), await width(9999)]).to.deep.equal([200, 400, 600])
    })

    it('knows nothing of drafts, other sites and what is not there', async () => {
      for (const url of [`${ORIGIN}/?p=${draft.id}`, `${ORIGIN}/nowhere/`, 'https://elsewhere.example/zuege/']) {
        const { status, body } = await get(`/wp-json/oembed/1.0/embed?url=${encodeURIComponent(url)}`)
        expect([status, body.code], url).to.deep.equal([404, 'oembed_invalid_url'])
      }
      expect((await get('/wp-json/oembed/1.0/embed')).body.code).to.equal('rest_missing_callback_param')
    })
  })

  describe('a search', () => {
    before(async () => {
      const { posts } = site.content
      await posts.insert({ status: 'publish', title: 'Espresso & "Crème"', excerpt: 'An espresso <b>machine</b>' })
      await posts.insert({ status: 'publish', title: '東京都の天気', excerpt: 'Weather' })
    })

    it('marks the search terms, ignoring case and accents', async () => {
      const { text } = await get('/?s=creme+espresso')
      expect(text).to.contain('<mark>Espresso</mark>').and.to.contain('<mark>Crème</mark>')
      expect(text).to.contain('An <mark>espresso</mark> <b>machine</b>')
    })

    it('marks the beginning of a word and parts of scripts without spaces', async () => {
      expect((await get('/?s=espr')).text).to.contain('<mark>Espresso</mark>')
      expect((await get(`/?s=${encodeURIComponent('京都')}`)).text).to.contain('東<mark>京都</mark>の天気')
    })

    it('is not searched again until the site changes', async () => {
      const first = await get('/?s=grinder+machine')
      const searched = (statements: readonly string[]) => statements.filter((sql) => sql.includes('post_search'))
      const again = await statementsOf(
        async () => void expect((await get('/?s=grinder+machine')).text).to.equal(first.text),
      )
      expect(searched(again)).to.deep.equal([])
      await site.content.posts.insert({ status: 'publish', title: 'Grinder', excerpt: 'From a machine' })
      expect((await get('/?s=grinder+machine')).text).to.contain('From a <mark>machine</mark>')
    })

    it('never marks inside a tag, and prints nothing of what was typed as HTML', async () => {
      const { text } = await get(`/?s=${encodeURIComponent('espresso b <script>alert(1)</script>')}`)
      expect(text).to.not.contain('<script>alert(1)')
      expect((await get('/?s=espresso+b')).text).to.not.contain('<<mark>')
    })
  })
})
