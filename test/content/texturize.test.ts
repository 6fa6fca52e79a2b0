import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { JsonValue } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { texturize } from '../../cms/content/render/texturize.ts'

/** What WordPress 6.1 makes of texts: written ones, then ones put together at random. */
const recorded: readonly (readonly [typed: string, set: string])[] = JSON.parse(
  readFileSync(new URL('./texturize-recorded.json', import.meta.url), 'utf8'),
)
const ENGLISH = {
  language: 'en',
  tags: ['pre', 'code', 'kbd', 'style', 'script', 'tt'],
  shortcodes: ['gallery'],
  untouchedShortcodes: ['code'],
}

describe('texturize', () => {
  it('sets texts as WordPress does', () => {
    for (const [typed, set] of recorded) expect(texturize(typed, ENGLISH), typed).to.equal(set)
  })

  it('sets the quotes of the language', () => {
    const inLanguage = (language: string) => texturize(`"a 'b' c"`, { ...ENGLISH, language })
    expect(inLanguage('de')).to.equal('&#8222;a &#8218;b&#8216; c&#8220;')
    expect(inLanguage('de-AT')).to.equal('&#8222;a &#8218;b&#8216; c&#8220;')
    expect(inLanguage('de-CH')).to.equal('&#171;a &#8249;b&#8250; c&#187;')
    expect(inLanguage('tlh')).to.equal(inLanguage('en'))
  })

  it('leaves the text between the tags of some shortcodes as it is', () => {
    const rules = { ...ENGLISH, shortcodes: ['code', 'b'] }
    expect(texturize('"a" [code]"b"[/code] [b]"c"[/b]', rules)).to.equal(
      '&#8220;a&#8221; [code]"b"[/code] [b]&#8220;c&#8221;[/b]',
    )
  })
})

describe('typographic characters on a site', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost()
  })
  after(() => site.close())

  const TYPED = `"It's" -- here...`
  const SET = '&#8220;It&#8217;s&#8221; &#8212; here&#8230;'

  async function write(path: string, body: Record<string, JsonValue>) {
    const answer = await site.request(`/wp-json/wp/v2/${path}`, { method: 'POST', as: 'administrator', body })
    expect(answer.status).to.be.oneOf([200, 201])
    return JSON.parse(await answer.text())
  }

  async function publish(fields: { title?: string; content?: string; excerpt?: string }) {
    const body = { title: 'A', content: 'B', status: 'publish', ...fields }
    return write('posts', body)
  }

  it('are in titles, contents and excerpts, and not in what was typed', async () => {
    const post = await publish({ title: TYPED, content: TYPED, excerpt: TYPED })
    expect(post.title).to.deep.equal({ raw: TYPED, rendered: SET })
    expect(post.content.rendered).to.equal(`<p>${SET}</p>\n`)
    expect(post.excerpt.rendered).to.equal(`<p>${SET}</p>\n`)
    const page = await (await site.get(new URL(post.link).pathname)).text()
    expect(page).to.include('“It’s” — here… – ').and.not.include('&amp;#8220;')
  })

  it('are in large contents too', async () => {
    const { content } = await publish({ content: `<p>${TYPED} ${'word '.repeat(10_000)}</p>` })
    expect(content.rendered).to.match(/^<p>&#8220;It&#8217;s&#8221; &#8212; here&#8230; word/)
  })

  it('are in comments, the title of the site, and names and descriptions of terms', async () => {
    const { id, link } = await publish({})
    const { content } = await write('comments', { post: id, content: TYPED })
    expect(content.rendered).to.equal(`<p>${SET}</p>\n`)
    await write('settings', { title: `Bob's` })
    expect(await (await site.get(new URL(link).pathname)).text())
      .to.include('Bob’s')
      .and.include(SET)
    const tag = await write('tags', { name: `Ann's`, description: TYPED })
    expect(tag.name).to.equal(`Ann's`)
    expect(await (await site.get(new URL(tag.link).pathname)).text())
      .to.include('Ann’s')
      .and.include(SET)
  })

  it('are what extensions make of them', async () => {
    const { hooks } = site.host
    const rendered = async (content: string) => (await publish({ content })).content.rendered
    const undo = hooks.addFilter('no_texturize_tags', (tags) => [...tags, 'samp'])
    expect(await rendered('<samp>"a"</samp> "b"')).to.equal('<p><samp>"a"</samp> &#8220;b&#8221;</p>\n')
    undo()
    expect(await rendered('<samp>"a"</samp>')).to.equal('<p><samp>&#8220;a&#8221;</samp></p>\n')
    const undoRun = hooks.addFilter('run_wptexturize', () => false)
    expect(await rendered('"a"')).to.equal('<p>"a"</p>\n')
    undoRun()
    hooks.removeFilter('the_content', 'wptexturize')
    expect(await rendered('"a"')).to.equal('<p>"a"</p>\n')
  })
})

describe('comment_text', () => {
  it('gets safe text and may change it as in WordPress', async () => {
    const site = await createTestHost()
    const seen: string[] = []
    site.host.hooks.addFilter(
      'comment_text',
      (text, comment) => {
        seen.push(text)
        return `${text} <button>${comment.id}</button>`
      },
      8,
    )
    const body = { post: 1, content: 'See https://a.test <b>x' }
    const answer = await site.request('/wp-json/wp/v2/comments', { method: 'POST', as: 'administrator', body })
    const { id, content } = JSON.parse(await answer.text())
    expect(seen).to.include('See https://a.test <b>x</b>')
    expect(content.rendered).to.equal(
      `<p>See <a href="https://a.test/" rel="nofollow ugc">https://a.test</a> <b>x</b> <button>${id}</button></p>\n`,
    )
    await site.close()
  })
})
