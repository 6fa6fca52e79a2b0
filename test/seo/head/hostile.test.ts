import { expect } from 'chai'
import { Parser } from 'htmlparser2'
import type { TestHost } from 'pentad/testing'
import { openSeoSite, putSettings, set } from '../seo-site.ts'
import { readHead } from './read-head.ts'

const MARK = 'pwned()'
const HOSTILE = [
  `"><script>${MARK}</script>`,
  `</title></head><body onload="${MARK}">`,
  `' onmouseover='${MARK}' x='`,
  `" http-equiv="refresh" content="0;url=javascript:${MARK}`,
  `<!--<script>${MARK}//-->`,
  `]]><script>${MARK}</script>`,
  `&lt;script&gt;${MARK}&lt;/script&gt;`,
  `<%= ${MARK} %> \${${MARK}} {{${MARK}}}`,
  `%title% %sep% %sep% %%title%% %__proto__% %constructor% ${MARK}`,
  `a\u0000b\u0007c\u2028d\r\nSet-Cookie: e=${MARK}`,
  `\ud800 lone \udfff surrogates ${MARK}`,
  `\u202egnp.exe ${MARK}`,
  `👩‍👩‍👧‍👦${'\u0301'.repeat(500)}${MARK}`,
  `${MARK} `.repeat(20_000),
]
const FIELDS = [
  ...['_seo_title', '_seo_description', '_seo_canonical', '_seo_og_title', '_seo_og_description', '_seo_og_image'],
  ...['_seo_x_title', '_seo_x_description', '_seo_x_image', '_seo_schema_type', '_seo_focus_keyword', '_thumbnail_id'],
  ...['_seo_noindex', '_seo_nofollow', '_seo_primary_category'],
]
/** What the head of a page may hold, with the attributes that it may have. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  head: [],
  title: [],
  meta: ['charset', 'name', 'property', 'content'],
  link: ['rel', 'href', 'type', 'title', 'sizes', 'media', 'as', 'crossorigin', 'hreflang'],
  script: ['type'],
  style: ['id'],
}

describe('Hostile text in every field', () => {
  let site: TestHost
  let postId: number
  let termId: number
  let userId: number
  before(async () => {
    site = await openSeoSite()
    const { content, auth } = site.host
    userId = (await auth.users.create({ login: 'ann', slug: 'ann', roles: ['author'] })).id
    termId = (await content.terms.insert('category', { name: 'News', slug: 'news' })).id
    const terms = { category: [termId] }
    postId = (await content.posts.insert({ type: 'post', status: 'publish', slug: 'post', authorId: userId, terms })).id
    await set(site, { breadcrumbs: 'on', noindexDates: 'off' })
    await set(site, {
      postTitleTemplate: '%title% %excerpt% %category% %author% %keyword% %sep% %sitename% %tagline%',
      categoryTitleTemplate: '%title% %term_description% %sep% %sitename%',
      authorTitleTemplate: '%title% %author_description%',
      searchTitleTemplate: '%searchphrase% %sep% %sitename%',
    })
  })
  after(() => site.close())

  /** Fails if the head of a page holds anything but what it should, each once. */
  async function expectSound(path: string): Promise<void> {
    const answer = await site.get(path)
    const html = await answer.text()
    expect(answer.status, path).to.equal(200)
    expect(answer.headers.get('set-cookie'), path).to.equal(null)
    const head = readHead(answer.status, html)
    expect(head.titles, path).to.have.length(1)
    for (const name of ['description', 'og:title', 'og:url', 'og:image'])
      expect(head.meta(name), `${path} ${name}`).to.have.length(1)
    expect(head.meta('description')[0], path).to.not.match(/[\p{Cc}\u2028]/u)
    for (const url of [...head.link('canonical'), ...head.meta('og:image'), ...head.meta('og:url')])
      expect(new URL(url).protocol, `${path} ${url}`).to.match(/^https?:$/)
    expect(unexpected(html), path).to.deep.equal([])
  }

  for (const text of HOSTILE)
    it(`${JSON.stringify(text.slice(0, 60))} stays text`, async () => {
      const { content, auth } = site.host
      await content.posts.update(postId, {
        title: text,
        excerpt: text,
        content: `<img src="/a.png" alt="${text}"> ${text}`,
      })
      for (const key of FIELDS) await content.meta.set('post', postId, key, text)
      await content.terms.update(termId, { name: text.slice(0, 150), description: text })
      for (const key of FIELDS) await content.meta.set('term', termId, key, text)
      await auth.users.update(userId, { displayName: text.slice(0, 200), description: text })
      await content.updateSiteSettings({ title: text.slice(0, 900), description: text.slice(0, 900) })
      for (const path of ['/post/', '/category/news/', '/author/ann/', '/']) await expectSound(path)
      // Without the fields it is what the templates make of the texts.
      for (const key of FIELDS) await content.meta.delete('post', postId, key)
      await expectSound('/post/')
      await expectSound(`/?s=${encodeURIComponent(text.toWellFormed().slice(0, 500))}`)
    })

  it('values of other types count as nothing or as the text that they are', async () => {
    const { content } = site.host
    for (const value of [null, true, 7, -1, 1e308, [], ['a', 'b'], {}, { a: ['<script>'] }, [[['x']]]]) {
      for (const key of FIELDS) await content.meta.set('post', postId, key, value)
      await expectSound('/post/')
    }
    for (const key of FIELDS) await content.meta.delete('post', postId, key)
  })

  it('settings either refuse it or keep it as text', async () => {
    for (const text of HOSTILE) {
      for (const key of [
        'homeTitle',
        'homeDescription',
        'titleSeparator',
        'breadcrumbsHome',
        'googleVerification',
        'xAccount',
      ]) {
        expect((await putSettings(site, { [key]: text })).status, key).to.be.oneOf([200, 400])
      }
      await expectSound('/')
      await expectSound('/post/')
    }
  })
})

/** What stands in the head that should not: elements, attributes and scripts. */
function unexpected(html: string): string[] {
  const found: string[] = []
  let isHead = false
  let isScript = false
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'head') isHead = true
      if (!isHead) return
      isScript = name === 'script'
      const allowed = ALLOWED[name]
      if (!allowed) found.push(`<${name}>`)
      for (const key of Object.keys(attributes)) if (!allowed?.includes(key)) found.push(`<${name} ${key}>`)
      if (isScript && attributes.type !== 'application/ld+json') found.push(`script of type ${attributes.type}`)
    },
    ontext(text) {
      if (isScript && text.includes('</script')) found.push(text)
    },
    onclosetag(name) {
      if (name === 'head') isHead = false
      if (name === 'script') isScript = false
    },
  })
  parser.end(html)
  for (const [nav] of html.matchAll(/<nav class="breadcrumbs".*?<\/nav>/gs))
    for (const [tag] of nav.matchAll(/<[^/][^>]*>/g))
      if (!/^<(?:nav|ol|li|span|a)( (?:class|href|aria-[a-z]+)="[^"]*")*>$/.test(tag)) found.push(tag)
  return found
}
