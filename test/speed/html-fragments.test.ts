import { expect } from 'chai'
import { createParseHtml, type HtmlDocument, type HtmlElement } from '../../plugins/speed/optimize/html/document.ts'
import { parseFragment, START } from '../../plugins/speed/optimize/html/fragment.ts'
import { randomsOf } from '../support/randoms.ts'

/** Long enough that pages are divided where the next piece starts. */
const LONG = `<p>${'lorem   ipsum  &amp; dolor '.repeat(25)}`
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
  '<table><tr> <td>x</table>',
  '<!-- <img> -->',
  '<textarea><img></textarea>',
  '<div data-no-optimize><img src=f.png></div>',
  '<br/>',
  'text  & more ',
  ...['<header>', '</header>', '<main class=m>', '</main>', '<article>', '</article>', '<footer >', '</footer>', LONG],
  ...[
    '<section id=s>',
    '</section>',
    '<form action=/a>',
    '</form>',
    '<pre>  a',
    '</pre>',
    '<p style="white-space:pre"> b',
  ],
]
/** What a page can be divided in only by mistake, or not at all. */
const ENCLOSING = [
  ...['<!-- ', ' -->', '<textarea>', '</textarea>', '<svg>', '</svg>', '<a title="', '">', '<script>"', '"</script>'],
  ...[
    '<template>',
    '</template>',
    '<div data-no-optimize>',
    '<b><pre>x </b>',
    '</br>',
    '</body>',
    '<plaintext>',
    '<title>',
  ],
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
function outline(document: HtmlDocument) {
  const { elements } = document
  return elements.map(
    ({ name, parent, attributes, surroundings, isProtected, start, contentStart, contentEnd, end }) => ({
      ...{ name, isProtected, start, contentStart, contentEnd, end },
      parent: parent ? elements.indexOf(parent) : -1,
      attributes: [...attributes],
      surroundings: [...surroundings].sort(),
    }),
  )
}

const random = randomsOf('parts of pages')
const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item

function randomPage(pieces: readonly string[] = PIECES): string {
  const body = Array.from({ length: 15 }, () => oneOf(pieces)).join('\n')
  return `<!doctype html><html><head><meta charset=utf-8><title>t</title></head><body>${body}</body></html>`
}

describe('A page that shares parts with others', () => {
  it('is parsed and minified like one that shares nothing', () => {
    const parseHtml = createParseHtml()
    for (let count = 0; count < 400; count++) {
      const page = randomPage(count % 2 === 0 ? PIECES : [...PIECES, ...ENCLOSING, LONG])
      const [shared, alone] = [parseHtml(page), createParseHtml()(page)]
      expect(shared.source).to.equal(page)
      expect(outline(shared), page).to.deep.equal(outline(alone))
      expect(shared.minified, page).to.equal(alone.minified)
    }
  })

  it('is parsed and minified like one that is not divided', () => {
    const parseHtml = createParseHtml()
    for (let count = 0; count < 400; count++) {
      const page = randomPage([...PIECES, ...ENCLOSING, LONG])
      const whole = parseFragment(START, page, true)
      if (!whole) throw new Error('A whole page can always be parsed.')
      const divided = parseHtml(page)
      const places = (
        elements: readonly Pick<HtmlElement, 'name' | 'start' | 'contentStart' | 'contentEnd' | 'end'>[],
      ) =>
        elements.map(({ name, start, contentStart, contentEnd, end }) => ({
          name,
          start,
          contentStart,
          contentEnd,
          end,
        }))
      expect(places(divided.elements), page).to.deep.equal(places(whole.elements))
      expect(outline(divided).map(({ parent }) => parent)).to.deep.equal(whole.elements.map(({ parent }) => parent))
      expect(divided.minified, page).to.equal(whole.minified)
    }
  })

  it('divides pages at their parts, and reads each part once', () => {
    const parseHtml = createParseHtml()
    const page = (article: string) =>
      `<html><head></head><body><header>${LONG}</header><main>${article}</main><footer>${LONG}</footer></body></html>`
    const first = parseHtml(page(`<article>${LONG}</article>`)).fragments
    const second = parseHtml(page(`<article>${LONG}${LONG}</article>`)).fragments
    expect(first).to.have.length(3)
    expect(second[0]).to.equal(first[0])
    expect(second.at(-1)).to.equal(first.at(-1))
    expect(second.filter((fragment) => !first.includes(fragment))).to.have.length(1)
  })
})

describe('A page after edits', () => {
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
    const parseHtml = createParseHtml()
    for (let page = 0; page < 200; page++) {
      let document = parseHtml(randomPage())
      for (let round = 0; round < 4 && document.elements.length > 0; round++) {
        for (let edits = 0; edits < 3; edits++) editOnce(document)
        document = document.commit()
        const alone = createParseHtml()(document.source)
        expect(outline(document), document.source).to.deep.equal(outline(alone))
        expect(document.minified).to.equal(alone.minified)
      }
    }
  })

  it('is the same when equal pages are edited in the same way, whatever other pages were edited like before', () => {
    const parseHtml = createParseHtml()
    for (let count = 0; count < 60; count++) {
      const page = randomPage()
      const edit = (document: HtmlDocument, url: string) => {
        const [image] = document.all('img')
        if (image) document.setAttributes(image, { src: url })
        document.prependToHead(`<link rel=preload href="${url}">`)
        document.appendToBody('<script src=a.js></script>')
        return document.commit()
      }
      for (const url of ['/b.png', '/c.png', '/b.png']) {
        const [shared, alone] = [edit(parseHtml(page), url), edit(createParseHtml()(page), url)]
        expect(shared.source).to.equal(alone.source)
        expect(shared.source).to.include(`<link rel=preload href="${url}">`)
        expect(outline(shared), page).to.deep.equal(outline(alone))
        expect(shared.minified).to.equal(alone.minified)
      }
    }
  })

  it('is as it was where the edits are discarded', () => {
    const source = '<html><head></head><body><img src=a></body></html>'
    const document = createParseHtml()(source)
    const [image] = document.all('img')
    if (!image) throw new Error('There is no image.')
    document.setAttributes(image, { src: 'b' })
    document.discard()
    expect(document.commit()).to.equal(document)
    expect(document.source).to.equal(source)
  })
})
