import { expect } from 'chai'
import { insertLink } from '../../plugins/seo/admin/editor/insert-link.ts'

describe('Putting a suggested link into a text', () => {
  it('links the first occurrence of the text, and does not change the rest of the HTML', () => {
    const html = '<!-- wp:paragraph -->\n<p class="a">Salt & <b>bread</b>, and bread.</p>\n<!-- /wp:paragraph -->'
    expect(insertLink(html, 'bread', '/bread/')).to.equal(html.replace('bread', '<a href="/bread/">bread</a>'))
  })

  it('puts none into links, headings, code, attributes and comments', () => {
    const closed = [
      '<a href="/x">some bread</a>',
      '<h2>Bread, bread</h2>',
      '<pre>bread</pre>',
      '<img alt="bread">',
      '<!-- bread -->',
    ]
    for (const html of closed) expect(insertLink(html, 'bread', '/bread/'), html).to.equal(undefined)
    expect(insertLink(`${closed.join('')}<p>bread</p>`, 'bread', '/b/')).to.match(/<p><a href="\/b\/">bread<\/a><\/p>$/)
  })

  it('finds what the text writes with entities, and lets no address out of its attribute', () => {
    expect(insertLink('<p>R&amp;B</p>', 'R&B', '/?a="b"&c')).to.equal(
      '<p><a href="/?a=&quot;b&quot;&amp;c">R&amp;B</a></p>',
    )
  })
})
