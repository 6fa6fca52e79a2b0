import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { BLOCK_DEPTH, type ParsedBlock, parseBlocks } from '../../cms/content/blocks/parser.ts'

/** What WordPress's `@wordpress/block-serialization-default-parser` 5.56 made of texts. */
const GOLDEN: readonly { text: string; blocks: ParsedBlock[] }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/block-parser-golden.json'), 'utf8'),
)

/** Without what differs on purpose: `null` for attributes that cannot be read, empty pieces of HTML. */
function common(block: ParsedBlock): ParsedBlock {
  return {
    ...block,
    attrs: block.attrs ?? {},
    innerBlocks: block.innerBlocks.map(common),
    innerContent: block.innerContent.filter((piece) => piece !== ''),
  }
}

const block = (blockName: string | null, html: string, attrs = {}): ParsedBlock => ({
  ...{ blockName, attrs, innerBlocks: [], innerHTML: html },
  innerContent: html === '' ? [] : [html],
})
const PARAGRAPH = '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->'

describe('parseBlocks', () => {
  it(`parses ${GOLDEN.length} texts as WordPress does`, () => {
    for (const { text, blocks } of GOLDEN) {
      expect(parseBlocks(text), JSON.stringify(text)).to.deep.equal(blocks.map(common))
    }
  })

  it('has no blocks in nothing', () => {
    expect(parseBlocks('')).to.deep.equal([])
  })

  it('reads names, attributes, blocks without content and the HTML between blocks', () => {
    const text = `Before ${PARAGRAPH}\n<!-- wp:shop/price {"of":{"id":5},"tags":["a","}"]} /-->`
    expect(parseBlocks(text)).to.deep.equal([
      block(null, 'Before '),
      block('core/paragraph', '<p>a</p>'),
      block(null, '\n'),
      block('shop/price', '', { of: { id: 5 }, tags: ['a', '}'] }),
    ])
  })

  it('keeps the place of inner blocks', () => {
    expect(parseBlocks(`<!-- wp:group --><div>${PARAGRAPH}-</div><!-- /wp:group -->`)).to.deep.equal([
      {
        blockName: 'core/group',
        attrs: {},
        innerBlocks: [block('core/paragraph', '<p>a</p>')],
        innerHTML: '<div>-</div>',
        innerContent: ['<div>', null, '-</div>'],
      },
    ])
  })

  it('has no attributes where their JSON is broken', () => {
    expect(parseBlocks('<!-- wp:a {"b":} /-->')).to.deep.equal([block('core/a', '')])
  })

  it('takes everything after a closing comment without a block as HTML', () => {
    const text = `<!-- /wp:group -->${PARAGRAPH}`
    expect(parseBlocks(text)).to.deep.equal([block(null, text)])
  })

  it('closes blocks at the end of the text, the inner ones first', () => {
    const [outer] = parseBlocks('<!-- wp:a -->1<!-- wp:b -->2')
    expect(outer).to.deep.equal({
      ...{ blockName: 'core/a', attrs: {}, innerHTML: '1', innerContent: ['1', null] },
      innerBlocks: [block('core/b', '2')],
    })
  })

  it('leaves blocks that are nested too deeply as HTML', () => {
    const nested = (depth: number) => `${'<!-- wp:a -->'.repeat(depth)}x${'<!-- /wp:a -->'.repeat(depth)}`
    let [inner] = parseBlocks(nested(BLOCK_DEPTH + 2))
    let depth = 1
    for (; inner?.innerBlocks[0]; [inner] = inner.innerBlocks) depth++
    expect(depth).to.equal(BLOCK_DEPTH)
    expect(inner?.innerHTML).to.equal(nested(2))
    expect(parseBlocks(`${nested(BLOCK_DEPTH + 2)}${PARAGRAPH}`)).to.have.length(2)
  })
})
