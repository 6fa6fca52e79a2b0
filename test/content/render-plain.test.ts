import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { registerBlockType } from '../../cms/content/blocks/register.ts'
import { RENDERING } from '../../cms/content/render/plain-texts.ts'
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

  it('is not rendered again for its excerpt, unless that is made from a part of it', async () => {
    const excerptAfterContent = async (content: string) => {
      const post = await write(content)
      await site.content.renderContent(post)
      let excerpt = ''
      const count = await calls('the_content', async () => {
        excerpt = await site.content.renderExcerpt(post)
      })
      return [excerpt, count]
    }
    expect(await excerptAfterContent('Words "as" typed')).to.deep.equal(['<p>Words &#8220;as&#8221; typed</p>\n', 0])
    const parts = [
      'First<!--more-->Second',
      'First [embed]Second[/embed]',
      '<!-- wp:code -->Second<!-- /wp:code -->First',
    ]
    for (const content of parts)
      expect(await excerptAfterContent(content), content).to.deep.equal(['<p>First</p>\n', 1])
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

  it('is rendered once while an extension registers a self-closing block, whose posts are rendered each time', async () => {
    const content = '<!-- wp:test/next /--><!-- wp:paragraph --><p>Words</p><!-- /wp:paragraph -->'
    const post = await write(content)
    expect(await site.content.renderContent(post))
      .to.contain('<p>Words</p>')
      .and.not.contain('<ul>')
    let count = 0
    using extension = site.hooks.forOwner({
      id: 'calendar',
      signal: new AbortController().signal,
      onError: expect.fail,
      onUndefined() {},
    })
    const undo = registerBlockType(extension, 'test/next', {
      isSelfClosing: true,
      renderCallback: () => `<ul>${++count}</ul>`,
    })
    const html = await rendered(TEXT)
    expect(await calls('the_content', async () => expect(await rendered(TEXT)).to.equal(html))).to.equal(0)
    expect(site.content.isShownAsStored(await write(TEXT))).to.equal(true)
    expect(await site.content.renderContent(post)).to.contain('<ul>1</ul>')
    expect(await site.content.renderContent(post)).to.contain('<ul>2</ul>')
    expect(site.content.isShownAsStored(post)).to.equal(false)
    undo()
    expect(await site.content.renderContent(post))
      .to.contain('<p>Words</p>')
      .and.not.contain('<ul>')
  })
})

describe('a site with all services', () => {
  it('reuses what core renders: no service changes how every text is rendered', async () => {
    const host = await createTestHost({ services: true })
    const { content, hooks } = host.host
    const names = [
      ...RENDERING,
      ...['the_title', 'protected_title_format', 'private_title_format', 'post_class'],
      ...['post_link', 'page_link', 'post_type_link', 'attachment_link', 'term_link'],
      ...['rest_post_dispatch', 'rest_post_query', 'rest_prepare_post'],
    ]
    const owners = names.flatMap((name) => hooks.owners(name))
    expect([...new Set(owners)]).to.deep.equal(['core'])
    expect(content.isShownAsStored()).to.equal(true)
    await host.close()
  })
})
