import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Post } from '../../cms/content/types.ts'

const TEXT = 'A "quoted" text :)'

describe('a text that core renders alone', () => {
  let host: TestHost
  let site: TestHost['host']
  before(async () => {
    host = await createTestHost()
    site = host.host
  })
  after(() => host.close())

  const write = (content: string): Promise<Post> =>
    site.content.posts.insert({ type: 'post', status: 'publish', content })
  const rendered = async (content: string) => site.content.renderContent(await write(content))
  /** How often the callbacks were called. */
  async function calls(name: 'the_content' | 'the_excerpt', work: () => Promise<unknown>): Promise<number> {
    const before = site.hooks.didFilter(name)
    await work()
    return site.hooks.didFilter(name) - before
  }

  it('is rendered once for all posts', async () => {
    const html = await rendered(TEXT)
    expect(html).to.equal('<p>A &#8220;quoted&#8221; text 🙂</p>\n')
    expect(await calls('the_content', async () => expect(await rendered(TEXT)).to.equal(html))).to.equal(0)
    const excerpt = await site.content.renderExcerpt(await write(TEXT))
    const again = async () => expect(await site.content.renderExcerpt(await write(TEXT))).to.equal(excerpt)
    expect(await calls('the_excerpt', again)).to.equal(0)
  })

  it('is not mistaken for an excerpt of the same words that the author wrote, which is rendered once too', async () => {
    const write = () => site.content.posts.insert({ type: 'post', status: 'publish', content: 'Other', excerpt: TEXT })
    const excerpt = await site.content.renderExcerpt(await write())
    expect(excerpt).to.equal('<p>A &#8220;quoted&#8221; text 🙂</p>\n')
    const again = async () => expect(await site.content.renderExcerpt(await write())).to.equal(excerpt)
    expect(await calls('the_excerpt', again)).to.equal(0)
    const post = await write()
    const undo = site.hooks.addFilter('the_excerpt', (html) => `${html}<p>Signed</p>`, 20)
    expect(await site.content.renderExcerpt(post)).to.equal(`${excerpt}<p>Signed</p>`)
    undo()
  })

  it('is rendered again when a callback is added or removed', async () => {
    const [before, post] = [await rendered(TEXT), await write(TEXT)]
    const excerpt = await site.content.renderExcerpt(post)
    const undo = site.hooks.addFilter('the_content', (html) => `${html}<p>Signed</p>`, 20)
    expect(await rendered(TEXT)).to.equal(`${before}<p>Signed</p>`)
    expect(await calls('the_excerpt', () => site.content.renderExcerpt(post))).to.equal(1)
    undo()
    expect([await rendered(TEXT), await site.content.renderExcerpt(post)]).to.deep.equal([before, excerpt])
    for (const add of [
      () => site.hooks.addFilter('run_wptexturize', () => false),
      () => site.hooks.addFilter('excerpt_length', () => 1),
    ]) {
      const restore = add()
      expect(await site.content.renderExcerpt(post)).to.not.equal(excerpt)
      restore()
    }
    expect(await site.content.renderExcerpt(post)).to.equal(excerpt)
  })

  it('is rendered again when the settings changed', async () => {
    const before = await rendered(TEXT)
    await site.options.update('site_settings', { ...site.content.siteSettings(), useSmilies: false })
    expect(await rendered(TEXT)).to.equal(before.replace('🙂', ':)'))
    await site.options.update('site_settings', { ...site.content.siteSettings(), useSmilies: true })
    expect(await rendered(TEXT)).to.equal(before)
  })

  it('is rendered for each post if it has shortcodes, media, URLs, or blocks that core fills', async () => {
    const undo = site.hooks.addFilter('block_render_callback_core/latest-posts', () => 'filled')
    for (const text of [
      '[gallery]',
      '<img src="/a.png">',
      'https://elsewhere.test/video',
      '<!-- wp:latest-posts /-->',
      `${'word '.repeat(8000)}`,
    ]) {
      await rendered(text)
      expect(await calls('the_content', () => rendered(text)), text.slice(0, 40)).to.equal(1)
    }
    undo()
  })

  it('has paragraphs where it is not of the block editor, although another post has the same beginning', async () => {
    const block = `<!-- wp:paragraph --><p>One</p><!-- /wp:paragraph -->`
    expect(await rendered(block)).to.equal('<p>One</p>')
    expect(await rendered('<p>One</p>')).to.equal('<p>One</p>\n')
  })
})
