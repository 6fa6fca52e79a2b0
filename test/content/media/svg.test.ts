import { expect } from 'chai'
import { sanitizeSvg } from '../../../cms/content/media/svg.ts'

const NAMESPACES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
const clean = (inside: string) =>
  sanitizeSvg(Buffer.from(`<svg ${NAMESPACES}>${inside}</svg>`))
    .bytes.toString()
    .slice(`<svg ${NAMESPACES}>`.length, -6)

describe('A drawing (SVG)', () => {
  it('keeps what draws', () => {
    const drawing =
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs>' +
      '<g transform="translate(1 2)"><path d="M0 0h5" fill="url(#a)" style="stroke:#000"></path>' +
      '<use xlink:href="#b"></use><text font-family="sans-serif">1 &lt; 2 &amp; 3</text></g>'
    expect(clean(drawing)).to.equal(drawing)
  })

  it('keeps style without addresses, and pictures that are there whole', () => {
    const drawing = '<style>.a{fill:url(#x)}</style><image href="data:image/png;base64,AAAA"></image>'
    expect(clean(drawing)).to.equal(drawing)
  })

  it('knows its elements by their namespace, whatever their prefix', () => {
    const svg = '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>x</s:script><s:rect width="1"/></s:svg>'
    expect(sanitizeSvg(Buffer.from(svg)).bytes.toString()).to.equal(`<svg ${NAMESPACES}><rect width="1"></rect></svg>`)
  })

  const removed: Record<string, string> = {
    'a script': '<script>alert(1)</script>',
    'a script in capital letters of another namespace': '<x:SCRIPT xmlns:x="http://www.w3.org/1999/xhtml">1</x:SCRIPT>',
    'what a script is hidden in': '<foreignObject><g><script>alert(1)</script></g></foreignObject>',
    'a link': '<a href="javascript:alert(1)"><text>x</text></a>',
    'an animation that sets a link': '<set attributeName="href" to="javascript:alert(1)"/>',
    'an instruction': '<?xml-stylesheet href="https://evil.example/a.css"?>',
    'a comment': '<!-- <script> -->',
    'an editor’s own data': '<sodipodi:namedview xmlns:sodipodi="http://sodipodi.example/"/>',
  }
  for (const [title, svg] of Object.entries(removed)) it(`loses ${title}`, () => void expect(clean(svg)).to.equal(''))

  const stripped: Record<string, string> = {
    'an event handler': 'onclick="alert(1)"',
    'an event handler in capital letters': 'ONLOAD="alert(1)"',
    'an address': 'fill="url(https://evil.example/x)"',
    'an address in quotes': 'style="background:URL( \'https://evil.example/x\' )"',
    'an escape that hides one': 'style="background:u\\72l(https://evil.example/x)"',
    'another file': 'href="https://evil.example/x.svg#a"',
    'a script as an address': 'xlink:href="javascript:alert(1)"',
    'an attribute of another namespace': 'xmlns:e="http://e.example/" e:onclick="alert(1)"',
  }
  for (const [title, attribute] of Object.entries(stripped)) {
    it(`loses ${title}`, () => void expect(clean(`<rect ${attribute}/>`)).to.equal('<rect></rect>'))
  }

  it('loses styles that load other files, even with an element inside', () => {
    expect(clean('<style>@im<g/>port "https://evil.example"</style>')).to.equal('<style></style>')
    expect(clean('<style><![CDATA[a{fill:url(//evil.example)}]]></style>')).to.equal('<style></style>')
  })

  it('says how large it is', () => {
    const read = (attributes: string) => {
      const { width, height } = sanitizeSvg(Buffer.from(`<svg ${NAMESPACES} ${attributes}/>`))
      return [width, height]
    }
    expect(read('width="40" height="20px"')).to.deep.equal([40, 20])
    expect(read('viewBox="0 0 64 32"')).to.deep.equal([64, 32])
    expect(read('width="100%" height="100%"')).to.deep.equal([undefined, undefined])
  })

  const refused: Record<string, [string, string]> = {
    'with a document type': ['unsafe', '<!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg"/>'],
    'that is no XML': ['damaged', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'],
    'with an unknown entity': ['damaged', '<svg xmlns="http://www.w3.org/2000/svg">&x;</svg>'],
    'that is none': ['damaged', '<svg/>'],
    'nested 1,000 deep': ['unsafe', `<svg xmlns="http://www.w3.org/2000/svg">${'<g>'.repeat(1000)}`],
  }
  for (const [title, [reason, svg]] of Object.entries(refused)) {
    it(`is refused ${title}`, () => {
      expect(() => sanitizeSvg(Buffer.from(svg)))
        .to.throw()
        .with.property('data')
        .that.includes({ reason })
    })
  }
})
