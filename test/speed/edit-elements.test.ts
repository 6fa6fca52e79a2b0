import { expect } from 'chai'
import { type HtmlDocument, type HtmlElement, parseHtml } from '../../plugins/speed/optimize/html/document.ts'
import { randomsOf } from '../support/randoms.ts'

const PIECES = [
  '<p>one',
  '</p>',
  '<div class="a">',
  '</div>',
  '<img src="a.png" alt=x>',
  '<img src=b.png>',
  '<link rel=stylesheet href="a.css">',
  '<style>p { color: red }</style>',
  '<script src="a.js"></script>',
  '<script>if (a < b) document.write("<p>")</script>',
  '<picture><source srcset=a.webp><img src=c.png></picture>',
  '<noscript><img src=d.png></noscript>',
  '<svg viewBox="0 0 1 1"><path d="x"/><image href=e.png /></svg>',
  '<ul><li>one<li>two</ul>',
  '<table><tr><td>x</table>',
  '<!-- <img> -->',
  '<textarea><img></textarea>',
  '<div data-no-optimize><img src=f.png></div>',
  '<br/>',
  'text & more ',
]
/** What transforms insert. */
const ORDINARY = [
  '<link rel="preload" href="b.css">',
  '<style media="x">a < b</style>',
  '<script>"</div>"</script>',
  '<noscript><link href=c.css></noscript>',
  '<picture><source srcset="g.webp"><img src=g.png></picture>',
]
/** What may change how the rest of a page is parsed. */
const DISRUPTIVE = ['<p>unclosed', '</div>', '<!-- open', 'plain < text', '<img src="unfinished', '']

/** What a parsed page says about its elements. */
function outline({ elements }: HtmlDocument): unknown[] {
  const at = (element: HtmlElement | undefined) => (element ? elements.indexOf(element) : -1)
  return elements.map(({ parent, attributes, surroundings, ...rest }) => ({
    ...rest,
    parent: at(parent),
    attributes: [...attributes],
    surroundings: [...surroundings].sort(),
  }))
}

describe('A page after edits', () => {
  const random = randomsOf('edits of pages')
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item

  function randomPage(): string {
    const pieces = (count: number) => Array.from({ length: count }, () => oneOf(PIECES)).join('\n')
    return `<!doctype html><html><head><meta charset=utf-8><title>t</title></head><body>${pieces(12)}</body></html>`
  }

  function editOnce(document: HtmlDocument): void {
    const usual = document.all('img', 'link', 'script', 'style', 'picture')
    const element = oneOf(usual.length > 0 && random() < 0.9 ? usual : document.elements)
    const html = oneOf(random() < 0.9 ? ORDINARY : DISRUPTIVE)
    const edits = [
      () => document.setAttributes(element, { src: `"${random()}`, loading: 'lazy' }),
      () => document.setAttributes(element, { class: null, href: '' }),
      () => document.before(element, html),
      () => document.after(element, html),
      () => document.replace(element, html),
      () => document.remove(element),
      () => document.setContent(element, html),
      () => document.appendToHead(html),
      () => document.prependToHead(html),
      () => document.appendToBody(html),
    ]
    oneOf(edits)()
  }

  it('has the elements that it has when it is parsed again', () => {
    for (let page = 0; page < 200; page++) {
      let document = parseHtml(randomPage())
      for (let round = 0; round < 4 && document.elements.length > 0; round++) {
        for (let edits = 0; edits < 3; edits++) editOnce(document)
        const expected = document.toString()
        document = document.commit()
        expect(document.source).to.equal(expected)
        expect(outline(document), expected).to.deep.equal(outline(parseHtml(expected)))
      }
    }
  })

  it('is as it was where the edits are discarded', () => {
    const source = '<html><head></head><body><img src=a></body></html>'
    const document = parseHtml(source)
    const [image] = document.all('img')
    if (!image) throw new Error('There is no image.')
    document.setAttributes(image, { src: 'b' })
    const discarded = document.discard()
    expect(discarded.toString()).to.equal(source)
    expect(outline(discarded)).to.deep.equal(outline(parseHtml(source)))
  })
})
