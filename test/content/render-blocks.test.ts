import { expect } from 'chai'
import type { Post } from '../../cms/content/types.ts'
import { type OpenContent, openContent } from './open-content.ts'

const PARAGRAPH = '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->'

describe('blocks in a content', () => {
  let site: OpenContent
  let post: Post
  const undo: (() => void)[] = []
  before(async () => {
    site = await openContent(undefined)
    post = await site.content.posts.insert({ type: 'post', status: 'publish', title: 'With blocks' })
  })
  afterEach(() => {
    for (const one of undo.splice(0)) one()
  })
  after(() => site.close())

  async function render(content: string): Promise<string> {
    return site.content.renderContent(await site.content.posts.update(post.id, { content }))
  }

  describe('of a registered type', () => {
    it('are what the render callback returns, until undone', async () => {
      const remove = site.content.registerBlockType('test/box', {
        renderCallback: async ({ a }, content, block) =>
          `<div>${a} ${content} ${block.name} ${block.post.id === post.id}</div>`,
      })
      const text = `<!-- wp:test/box {"a":"b"} --><b>x</b>${PARAGRAPH}<!-- /wp:test/box --><!-- wp:test/box /-->`
      expect(await render(text)).to.equal(
        '<div>b <b>x</b><p>a</p> test/box true</div><div>undefined  test/box true</div>',
      )
      remove()
      remove()
      expect(await render(text)).to.equal('<b>x</b><p>a</p>')
      expect(site.content.blockTypes()).not.to.have.property('test/box')
    })

    it('get their attributes with defaults, and without those that the schema does not allow', async () => {
      let seen: unknown
      undo.push(
        site.content.registerBlockType('test/box', {
          attributes: {
            tone: { type: 'string', enum: ['calm', 'urgent'], default: 'calm' },
            count: { type: 'integer', default: 3 },
            ratio: { type: ['number', 'null'] },
            open: { type: 'boolean', default: true },
            ids: { type: 'array', default: [1] },
            text: { type: 'rich-text', default: null },
          },
          renderCallback: (attributes) => {
            seen = attributes
            return ''
          },
        }),
      )
      await render('<!-- wp:test/box /-->')
      expect(seen).to.deep.equal({ tone: 'calm', count: 3, open: true, ids: [1] })
      await render(
        '<!-- wp:test/box {"tone":"loud","count":"7","ratio":"x","open":"false","ids":{},"text":5,"other":[1],"lock":1} /-->',
      )
      expect(seen).to.deep.equal({ tone: 'calm', count: '7', open: 'false', ids: [1], text: 5, other: [1] })
    })

    it('may be registered from a block.json, and are static without a render callback', async () => {
      const metadata = {
        $schema: 'https://schemas.wp.org/trunk/block.json',
        apiVersion: 3,
        name: 'test/box',
        title: 'Box',
      }
      undo.push(site.content.registerBlockType(metadata, { category: 'text' }))
      expect(await render(`<!-- wp:test/box --><b>x</b>${PARAGRAPH}<!-- /wp:test/box -->`)).to.equal('<b>x</b><p>a</p>')
      expect(site.content.blockTypes()['test/box']).to.deep.include({ title: 'Box', category: 'text', keywords: [] })
    })

    it('that are self-closing are rendered where they have no content, and shown as saved where they have', async () => {
      undo.push(
        site.content.registerBlockType('test/next', {
          isSelfClosing: true,
          renderCallback: ({ count }, content) => `<ul>${count}${content}</ul>`,
        }),
      )
      expect(await render('<!-- wp:test/next {"count":2} /-->')).to.equal('<ul>2</ul>')
      expect(await render('<!-- wp:test/next --> <!-- /wp:test/next -->')).to.contain('<ul>')
      expect(await render('<!-- wp:test/next --><b>x</b><!-- /wp:test/next -->')).to.equal('<b>x</b>')
      expect(await render(`<!-- wp:test/next -->${PARAGRAPH}<!-- /wp:test/next -->`)).to.equal('<p>a</p>')
    })

    it('must have a namespace and a name', () => {
      for (const name of ['box', 'Test/box', 'test/box/x', '']) {
        expect(() => site.content.registerBlockType(name), name).to.throw('must be named namespace/name')
      }
    })

    it('have no words of their own in texts', async () => {
      undo.push(site.content.registerBlockType('test/box', { renderCallback: () => 'rendered' }))
      const written = await site.content.posts.update(post.id, {
        content: `${PARAGRAPH}<!-- wp:test/box -->saved<!-- /wp:test/box -->`,
      })
      expect(await site.content.renderText(written)).to.equal('a')
      expect(await site.content.publicText(written)).to.equal('a')
      expect(await site.content.renderExcerpt(written)).to.equal('<p>a</p>\n')
    })
  })

  describe('pass the filters', () => {
    it('in the order of WordPress, inner blocks within those around them', async () => {
      const seen: string[] = []
      const { hooks } = site
      undo.push(
        site.content.registerBlockType('test/box', {
          renderCallback: (_, content) => {
            seen.push(`callback ${content}`)
            return `[${content}]`
          },
        }),
        hooks.addFilter('pre_render_block', (html, block, parent) => {
          seen.push(`pre ${block.blockName} in ${parent?.name}`)
          return html
        }),
        hooks.addFilter('render_block_data', (block) => {
          seen.push(`data ${block.blockName}`)
          return block
        }),
        hooks.addFilter('render_block', (html, block, instance) => {
          seen.push(`block ${block.blockName} ${instance.post.id === post.id}`)
          return `(${html})`
        }),
        hooks.addFilter('render_block_test/box', (html) => {
          seen.push(`box ${html}`)
          return `${html}!`
        }),
      )
      expect(await render(`-<!-- wp:test/box -->x${PARAGRAPH}<!-- /wp:test/box -->`)).to.equal('(-)([x(<p>a</p>)])!')
      expect(seen).to.deep.equal([
        ...['pre null in undefined', 'data null', 'block null true'],
        ...['pre test/box in undefined', 'data test/box'],
        ...['pre core/paragraph in test/box', 'data core/paragraph', 'block core/paragraph true'],
        ...['callback x(<p>a</p>)', 'block test/box true', 'box ([x(<p>a</p>)])'],
      ])
    })

    it('of which pre_render_block answers alone, and render_block_data changes the block', async () => {
      undo.push(
        site.hooks.addFilter('pre_render_block', (html, block) => (block.attrs.hidden === true ? '' : html)),
        site.hooks.addFilter('render_block_data', (block) =>
          block.blockName === 'core/quote' ? { ...block, innerContent: ['changed'] } : block,
        ),
        site.hooks.addFilter('render_block_core/quote', (html) => `${html}!`),
      )
      const text = '<!-- wp:quote {"hidden":true} -->a<!-- /wp:quote --><!-- wp:quote -->b<!-- /wp:quote -->'
      expect(await render(text)).to.equal('changed!')
    })

    it('also where a content has no blocks', async () => {
      undo.push(site.hooks.addFilter('render_block', (html, { blockName }) => `${html} ${blockName}`))
      expect(await render('Hello')).to.equal('<p>Hello null</p>\n')
    })

    it('and are the same as without filters where these change nothing', async () => {
      const texts = [PARAGRAPH, `<!-- wp:a -->1<!-- wp:b -->2${PARAGRAPH}`, `<!-- /wp:a -->${PARAGRAPH}`]
      const without = await Promise.all(texts.map((text) => site.content.renderContent({ ...post, content: text })))
      undo.push(site.hooks.addFilter('render_block', (html) => html))
      for (const [at, text] of texts.entries()) expect(await render(text)).to.equal(without[at])
    })
  })
})
