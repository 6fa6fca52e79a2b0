import { expect } from 'chai'
import { createParseHtml, type HtmlDocument } from '../../plugins/speed/optimize/html/document.ts'

const parseHtml = createParseHtml()

/** The page after an edit of its first element of that name. */
function edited(source: string, name: string, edit: (document: HtmlDocument, element: Found) => void): string {
  const document = parseHtml(source)
  const [element] = document.all(name)
  if (!element) throw new Error(`There is no ${name}.`)
  edit(document, element)
  return document.commit().source
}
type Found = ReturnType<HtmlDocument['all']>[number]

describe('A page that is edited', () => {
  it('stays identical where it is not edited, however malformed it is', () => {
    const page = `<!DOCTYPE html >\n<HTML lang=en><head><title>a < b</title></head><body CLASS='x' data-a="1>2"  id = foo>
<p>one<p>two &copy &nbsp; \u00a0</span><img src=a/b alt='"'/><ul><li>1<li>2</ul></p><br/>
<svg viewBox="0 0 1 1"><path d="x"/></svg><script>if (a<b) "<p>"</script>\0\r\n</body></HTML>\n<!-- end`
    expect(parseHtml(page).source).to.equal(page)
    const changed = edited(page, 'img', (document, image) => document.setAttributes(image, { loading: 'lazy' }))
    expect(changed).to.equal(page.replace('<img', '<img loading="lazy"'))
  })

  it('quotes and escapes what is set, so that a value never leaves its attribute', () => {
    const hostile = `x" onload='alert(1)' ><script>alert(2)</script>&quot;`
    for (const tag of ['<img src=a>', "<img src='a'>", '<img src="a">', '<img src>', '<img>', '<img src=a/>']) {
      const page = edited(tag, 'img', (document, image) => document.setAttributes(image, { src: hostile }))
      const elements = parseHtml(page).elements
      expect(
        elements.map(({ name }) => name),
        page,
      ).to.deep.equal(['img'])
      expect(
        [...(elements[0]?.attributes ?? [])].filter(([name]) => name !== ''),
        page,
      ).to.deep.include(['src', hostile])
      expect(elements[0]?.attributes.has('onload')).to.equal(false)
    }
  })

  it('reads values as browsers do: decoded, the first of two, nothing for a bare name', () => {
    const document = parseHtml('<a href="?a=1&amp;b=2&copy=3" title=&quot;x HREF=second hidden>')
    const [link] = document.all('a')
    if (!link) throw new Error()
    expect(document.attribute(link, 'href')).to.equal('?a=1&b=2&copy=3')
    expect(document.attribute(link, 'title')).to.equal('"x')
    expect(document.attribute(link, 'hidden')).to.equal('')
    expect(document.attribute(link, 'rel')).to.equal(undefined)
  })

  it('removes every attribute of a name, so that the second does not come into force', () => {
    const page = '<a target=x href=1 href="2">t</a>'
    expect(edited(page, 'a', (document, link) => document.setAttributes(link, { href: null }))).to.equal(
      '<a target=x>t</a>',
    )
  })

  it('shows attributes as they were last set', () => {
    const document = parseHtml('<img src=a>')
    const [image] = document.all('img')
    if (!image) throw new Error()
    document.setAttributes(image, { src: 'b', alt: '' })
    document.setAttributes(image, { src: 'c' })
    expect(document.attribute(image, 'src')).to.equal('c')
    expect(document.commit().source).to.equal('<img alt src="c">')
  })

  it('puts HTML before, after and in the place of elements', () => {
    const page = '<div><b>x</b><i>y</i></div>'
    const document = parseHtml(page)
    const [bold] = document.all('b')
    const [italic] = document.all('i')
    if (!bold || !italic) throw new Error()
    document.after(bold, '1')
    document.before(italic, '2')
    document.before(bold, '0')
    document.replace(bold, '<u>z</u>')
    document.setContent(italic, 'w')
    expect(document.commit().source).to.equal('<div>0<u>z</u>12<i>w</i></div>')
  })

  it('loses edits within what is replaced', () => {
    const document = parseHtml('<p><b>x</b></p>')
    const [paragraph] = document.all('p')
    const [bold] = document.all('b')
    if (!paragraph || !bold) throw new Error()
    document.setAttributes(bold, { id: 'a' })
    document.remove(paragraph)
    expect(document.commit().source).to.equal('')
  })

  it('knows where head and body end, written or not', () => {
    const append = (page: string) => {
      const document = parseHtml(page)
      document.prependToHead('[1]')
      document.appendToHead('[2]')
      document.appendToBody('[3]')
      return document.commit().source
    }
    expect(
      append('<html><head><meta charset=utf-8><base href=/><title>t</title></head><body>b</body></html>'),
    ).to.equal('<html><head><meta charset=utf-8><base href=/>[1]<title>t</title>[2]</head><body>b[3]</body></html>')
    expect(append('<html><title>t</title><body>b</html>')).to.equal('<html>[1]<title>t</title>[2]<body>b[3]</html>')
    expect(append('<!doctype html><p>b')).to.equal('<!doctype html>[1][2]<p>b[3]')
  })

  it('returns no elements with data-no-optimize, or inside of such elements', () => {
    const document = parseHtml(
      '<img id=a><div data-no-optimize><p><img id=b></p></div><img id=c data-no-optimize><img id=d>',
    )
    expect(document.all('img').map(({ attributes }) => attributes.get('id'))).to.deep.equal(['a', 'd'])
    expect(document.elements.filter(({ name }) => name === 'img')).to.have.length(4)
  })

  it('identifies elements in templates, noscript, SVG and preformatted text', () => {
    const document = parseHtml(
      '<template><img></template><noscript><img></noscript><svg><image/></svg><pre><b><img></b></pre><img><textarea><img></textarea>',
    )
    const where = document.all('img').map((image) => document.isIn(image, 'template', 'noscript', 'svg', 'pre'))
    expect(where).to.deep.equal([true, true, true, false])
  })

  it('sees no elements in scripts, styles, comments and text fields', () => {
    const page =
      '<script>"<img>"</script><style>/*<img>*/</style><!-- <img> --><textarea><img></textarea><title><img></title>'
    expect(parseHtml(page).all('img')).to.deep.equal([])
  })
})
