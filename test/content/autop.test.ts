import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { autop } from '@wordpress/autop'
import { attrs } from '@wordpress/shortcode'
import { expect } from 'chai'
import { toParagraphs } from '../../cms/content/render/autop.ts'
import { readAttributes } from '../../cms/content/render/shortcode-attributes.ts'
import { randomsOf } from '../support/randoms.ts'

/** Whatever a step of `wpautop` looks for, whole and in part. */
const PIECES = [
  ...['\n', '\n\n', '\r\n', '\r', ' ', '  \n ', '\t', '\u00a0', '\u2028', 'text', 'a', '>', '<', '&amp;', '$1', '$&'],
  ...['<p>', '</p>', '</p', '<p ', '<div>', '</div>', '<div', '<br>', '<br />', '<br/>', '<br  / >', '<hr>', '<h2>'],
  ...['<pre>', '</pre>', '<pre', '</pre\n>', '<li>', '<li', '</li>', '<p><li', '<ul>', '</ul>', '<td>', '</td>'],
  ...['<blockquote>', '</blockquote>', '<BLOCKQUOTE cite="x">', '<address>', '</address>', '<form>', '</form>', '<tr>'],
  ...['<script>', '</script>', '<style>', '</style>', '<svg>', '</svg>', '<math>', '</math>', '<option>', '</option>'],
  ...[
    '<object>',
    '<object',
    '</object>',
    '<param x>',
    '<embed',
    '<video>',
    '[video]',
    '</video>',
    '[/audio]',
    '<track',
  ],
  ...[
    '<source src>',
    '<figcaption>',
    '</figcaption>',
    '<figcaption',
    '<!--',
    '-->',
    '--',
    '-',
    '<![CDATA[',
    ']]>',
    ']',
  ],
  ...['<a\nhref="x">', '</a>', '<table', '<strong>', '</strong>', '<WPPreserveNewline />', '<!-- wpnl -->'],
]

/** Whatever attributes of shortcodes are made of. */
const ATTRIBUTES = [
  ...[
    ' ',
    '  ',
    '\n',
    '\u00a0',
    '\u200b',
    'a',
    'ids',
    '-',
    '=',
    '"',
    "'",
    '="x"',
    "='y z'",
    '4',
    '/',
    'ä',
    '="',
    'A="b"',
  ],
  ...['=v', '>', '[', '='],
]

/** Texts of up to 14 pieces; half of them of few different ones, so that the same follows itself. */
function* generated(pieces: readonly string[], many: number): Generator<string> {
  const random = randomsOf('hostile texts')
  const one = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? ''
  for (let text = 0; text < many; text++) {
    const from = random() < 0.5 ? pieces : Array.from({ length: 6 }, () => one(pieces))
    yield Array.from({ length: 1 + Math.floor(random() * 14) }, () => one(from)).join('')
  }
}

describe('Paragraphs', () => {
  it('are those of @wordpress/autop for what WordPress exported', () => {
    const file = readFileSync(join(import.meta.dirname, '../fixtures/wordpress-export.xml'), 'utf8')
    const texts = [...file.matchAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g)].map(([, text = '']) => text)
    expect(texts.length).to.be.above(60)
    for (const text of texts) expect(toParagraphs(text)).to.equal(autop(text))
  })

  it('are those of @wordpress/autop for whatever its steps look for, in any order', () => {
    for (const text of generated(PIECES, 5_000)) expect(toParagraphs(text), JSON.stringify(text)).to.equal(autop(text))
  })

  it('do not change a text that looks like the internal placeholder for <pre>', () => {
    expect(toParagraphs('<pre wp-pre-tag-0></pre>\n\n<pre>a\nb</pre>')).to.equal(
      '<pre wp-pre-tag-0></pre>\n<pre>a\nb</pre>\n',
    )
  })
})

describe('Attributes of a shortcode', () => {
  it('are those of @wordpress/shortcode', () => {
    for (const text of generated(ATTRIBUTES, 5_000)) {
      const { named, numeric } = attrs(text)
      expect(readAttributes(text), JSON.stringify(text)).to.deep.equal({ attributes: named, values: numeric })
    }
    attrs.clear()
  })
})
