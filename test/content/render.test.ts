import { expect } from 'chai'
import { isPostPassword, postPasswordRequired } from '../../cms/content/render/index.ts'
import type { NewPost, Post } from '../../cms/content/types.ts'
import { type OpenContent, openContent } from './open-content.ts'

describe('rendering a post', () => {
  let site: OpenContent
  before(async () => {
    site = await openContent(undefined)
  })
  after(() => site.close())

  const write = (post: NewPost): Promise<Post> =>
    site.content.posts.insert({ type: 'post', status: 'publish', ...post })
  const content = async (text: string) => site.content.renderContent(await write({ content: text }))
  const excerpt = async (post: NewPost) => site.content.renderExcerpt(await write(post))
  const title = async (post: NewPost) => site.content.renderTitle(await write(post))

  describe('the content', () => {
    it('gets paragraphs and line breaks where it was written in the classic editor', async () => {
      expect(await content('One\ntwo\n\nThree')).to.equal('<p>One<br />\ntwo</p>\n<p>Three</p>\n')
    })

    it('keeps its blanks, however many', async () => {
      const blanks = `One${' '.repeat(40_000)}two`
      expect(await content(blanks)).to.equal(`<p>${blanks}</p>\n`)
    })

    it('loses the comments of blocks and gets no paragraphs where it was written in the block editor', async () => {
      const html = await content('<!-- wp:paragraph {"align":"left"} -->\n<p>One\ntwo</p>\n<!-- /wp:paragraph -->')
      expect(html).to.equal('\n<p>One\ntwo</p>\n')
    })

    it('leaves out blocks that hold no HTML', async () => {
      expect(await content('<!-- wp:paragraph --><p>A</p><!-- /wp:paragraph --><!-- wp:latest-posts /-->')).to.equal(
        '<p>A</p>',
      )
    })

    it('keeps comments that are not of blocks, and a comment that never ends', async () => {
      const html = await content('<!-- wp:html --><p>A</p><!-- mine --><!-- /wp:html --><!-- wp:x ')
      expect(html).to.equal('<p>A</p><!-- mine --><!-- wp:x ')
    })

    it('is empty for an empty post', async () => {
      expect(await content('')).to.equal('')
    })

    it('passes the filter the_content with its post, before and after the steps of the core', async () => {
      const seen: string[] = []
      const early = site.hooks.addFilter(
        'the_content',
        (html, post) => {
          seen.push(`${post.type} ${html}`)
          return html
        },
        5,
      )
      const late = site.hooks.addFilter('the_content', (html) => `${html}<p>Signed</p>`, 20)
      const html = await content('Hello')
      early()
      late()
      expect(seen).to.deep.equal(['post Hello'])
      expect(html).to.equal('<p>Hello</p>\n<p>Signed</p>')
    })

    it('of an attachment begins with its picture', async () => {
      const post = await write({
        type: 'attachment',
        status: 'inherit',
        mimeType: 'image/png',
        content: 'A map.',
        meta: { _wp_attached_file: ['2026/01/map.png'], _wp_attachment_image_alt: ['Old "map"'] },
      })
      const html = await site.content.renderContent(post)
      expect(html).to.equal(
        '<p class="attachment"><a href=\'http://127.0.0.1:8080/wp-content/uploads/2026/01/map.png\'>' +
          '<img src="http://127.0.0.1:8080/wp-content/uploads/2026/01/map.png" class="attachment-medium size-medium" ' +
          'alt="Old &quot;map&quot;" decoding="async" loading="lazy" /></a></p>\n<p>A map.</p>\n',
      )
    })
  })

  describe('the excerpt', () => {
    it('is the one its author wrote', async () => {
      expect(await excerpt({ content: 'Long text', excerpt: 'In short' })).to.equal('<p>In short</p>\n')
    })

    it('else is the first 55 words of the content, without tags, scripts and shortcodes', async () => {
      const words = Array.from({ length: 60 }, (_, at) => `w${at + 1}`)
      const html = await excerpt({ content: `<script>bad()</script>[gallery ids="1"]<b>${words.join('</b> <b>')}</b>` })
      expect(html).to.equal(`<p>${words.slice(0, 55).join(' ')} [&hellip;]</p>\n`)
    })

    it('has all of these words where they are long and the text is read in chunks', async () => {
      for (let length = 2040; length <= 2050; length++) {
        const words = Array.from({ length: 60 }, (_, at) => 'w'.repeat(length + (at % 3)))
        for (const blank of [' ', '\n', ' \t ']) {
          const html = await excerpt({ content: `<b>${words.join(blank)}</b>` })
          expect(html === `<p>${words.slice(0, 55).join(' ')} [&hellip;]</p>\n`, `${length} ${blank}`).to.equal(true)
        }
      }
    })

    it('of a short content is all of it, entities and all', async () => {
      expect(await excerpt({ content: '<p>Fish &amp; chips &lt;b&gt;</p>' })).to.equal(
        '<p>Fish &amp; chips &lt;b&gt;</p>\n',
      )
    })

    it('ends where its author marked the end of the beginning', async () => {
      expect(await excerpt({ content: 'One\n<!--more Read on-->\nTwo' })).to.equal('<p>One</p>\n')
      const blocks = '<!-- wp:paragraph --><p>One</p><!-- /wp:paragraph --><!-- wp:more --><!--more--><!-- /wp:more -->'
      expect(await excerpt({ content: `${blocks}<!-- wp:paragraph --><p>Two</p><!-- /wp:paragraph -->` })).to.equal(
        '<p>One</p>\n',
      )
    })

    it('has the text of blocks only: no captions, code, buttons, embeds and blocks of plugins', async () => {
      const block = (name: string, inner: string) => `<!-- wp:${name} {"a":1} -->${inner}<!-- /wp:${name} -->`
      const image = block('image', '<figure><img src="/a.jpg"><figcaption>Caption</figcaption></figure>')
      const content = [
        block('gallery', `${image}${image}`),
        block('columns', block('column', block('paragraph', '<p>One</p> ') + image)),
        block('code', '<pre>let a</pre>'),
        block('core/heading', '<h2>Two</h2> '),
        block('shop/price', '<p>Free</p>'),
        '<!-- wp:latest-posts {"n":1} /-->',
        block('list', `<ul>${block('list-item', '<li>Three</li>')}</ul>`),
      ].join('\n')
      expect(await excerpt({ content })).to.equal('<p>One Two Three</p>\n')
      expect(await excerpt({ content: `${block('paragraph', '<p>One</p>')}<!-- wp:image -->cut` })).to.equal(
        '<p>One</p>\n',
      )
    })

    it('has no URLs that are alone in a paragraph or on a line, as these are embeds', async () => {
      const url = 'https://videos.example/watch?v=1'
      const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->\n\n`
      const embed = `<!-- wp:embed {"url":"${url}"} --><figure><div>\n${url}\n</div></figure><!-- /wp:embed -->`
      const written = [`${paragraph('Watch')}${paragraph(url)}${embed}${paragraph('now')}`, `Watch\n\n${url}\n\nnow`]
      for (const content of written) expect(await excerpt({ content })).to.equal('<p>Watch now</p>\n')
      expect(await excerpt({ content: paragraph(`See ${url} too`) })).to.equal(`<p>See ${url} too</p>\n`)
    })

    it('heeds excerpt_length and excerpt_more', async () => {
      const undo = [site.hooks.addFilter('excerpt_length', () => 2), site.hooks.addFilter('excerpt_more', () => '…')]
      expect(await excerpt({ content: 'one two three' })).to.equal('<p>one two…</p>\n')
      for (const one of undo) one()
      expect(await excerpt({ content: 'one two three' })).to.equal('<p>one two three</p>\n')
    })

    it('passes the filter the_excerpt', async () => {
      const undo = site.hooks.addFilter('the_excerpt', (html, post) => `${html}<!-- ${post.slug} -->`)
      expect(await excerpt({ excerpt: 'Short', slug: 'my-slug' })).to.equal('<p>Short</p>\n<!-- my-slug -->')
      undo()
    })
  })

  describe('the text', () => {
    const text = async (content: string) => site.content.renderText(await write({ content }))

    it('is the words of the content, those of neighboring paragraphs apart', async () => {
      expect(await text('<h2>Fish &amp; chips</h2><p>At <b>noon</b>.</p><p>Or<br>later\n on.</p>')).to.equal(
        'Fish & chips At noon. Or later on.',
      )
    })

    it('has no shortcodes, scripts, comments and captions', async () => {
      const content = '<script>let a</script>[gallery ids="1"]<!-- no -->One<style>b{}</style>'
      expect(await text(content)).to.equal('One')
      const image = '<!-- wp:image --><figure><figcaption>Caption</figcaption></figure><!-- /wp:image -->'
      expect(await text(`${image}<!-- wp:paragraph --><p>Two</p><!-- /wp:paragraph -->`)).to.equal('Two')
    })

    it('has nothing that extensions add', async () => {
      const undo = site.hooks.addFilter('the_content', (html) => `3 min read ${html}`)
      expect(await text('<p>Hello</p>')).to.equal('Hello')
      undo()
    })
  })

  describe('the title', () => {
    it('says that a post is protected or private', async () => {
      expect(await title({ title: 'Plan' })).to.equal('Plan')
      expect(await title({ title: 'Plan $&', password: 'x' })).to.equal('Protected: Plan $&#038;')
      expect(await title({ title: 'Plan', status: 'private' })).to.equal('Private: Plan')
    })

    it('passes the_title with the id, after the formats of protected and private posts', async () => {
      const undo = [
        site.hooks.addFilter('the_title', (text, id) => `${text} #${id}`),
        site.hooks.addFilter('private_title_format', () => '%s (private)'),
      ]
      const post = await write({ title: 'Plan', status: 'private' })
      expect(site.content.renderTitle(post)).to.equal(`Plan (private) #${post.id}`)
      for (const one of undo) one()
    })
  })

  describe('the password of a post', () => {
    it('is asked for until it was given', async () => {
      const open = await write({ content: 'a' })
      const closed = await write({ content: 'a', password: 'sesame' })
      expect(postPasswordRequired(open, undefined)).to.equal(false)
      expect(postPasswordRequired(closed, undefined)).to.equal(true)
      expect(postPasswordRequired(closed, '')).to.equal(true)
      expect(postPasswordRequired(closed, 'sesam')).to.equal(true)
      expect(postPasswordRequired(closed, 'sesame')).to.equal(false)
    })

    it('fits no post that has none', async () => {
      expect(isPostPassword(await write({ content: 'a' }), '')).to.equal(false)
    })
  })
})
