import { expect } from 'chai'
import { type PageUnderTest, startPage } from './page-under-test.ts'

const BLANKS = '\n\n   '.repeat(20)
const ASSET = /\/wp-content\/uploads\/speed\/assets\/[a-z0-9-]+-[0-9a-f]{16}\.css/

describe('Minified style sheets', () => {
  let page: PageUnderTest
  /** The sheet that visitors get for one of the site's theme. */
  async function served(css: string, name = 'css/main.css'): Promise<string> {
    const link = `<link rel="stylesheet" href="${await page.themeFile(name, css)}">`
    const html = await page.showFinished((text) => ASSET.test(text), '', link)
    const answer = await page.host.get(ASSET.exec(html)?.[0] ?? '')
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('content-type')).to.equal('text/css; charset=utf-8')
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
    return answer.text()
  }
  async function inline(css: string): Promise<string> {
    return /<style>([\s\S]*)<\/style>/.exec(await page.show('', `<style>${css}</style>`))?.[1] ?? ''
  }

  before(async () => {
    page = await startPage({ minifyCss: 'on' })
  })
  after(() => page.close())

  it('come from an address that changes with their content, after the page went out as it was', async () => {
    const url = await page.themeFile('first.css', `a { color: red }${BLANKS}`)
    const head = `<link rel="stylesheet" href="${url}">`
    expect(await page.show('', head)).to.include(url)
    const html = await page.showFinished((text) => ASSET.test(text), '', head)
    expect(html).not.to.include(url)
  })

  it('have their relative URLs adjusted', async () => {
    const css = await served(`${BLANKS}
      @font-face { font-family: x; src: url(../fonts/x.woff2) format("woff2"), url('y (1).woff') }
      .a { background: url("img/a.png?b=1#c"), url( ./b.png ), url(/root.png) }
      .b { background: url(data:image/png;base64,AAA=); filter: url(#shadow); mask: url(https://other.example/m.svg) }`)
    expect(css).to.include('url(/wp-content/themes/shop/fonts/x.woff2)')
    expect(css).to.match(/url\((["']?)\/wp-content\/themes\/shop\/css\/y%20(?:\\?\(1\\?\))\.woff\1\)/)
    expect(css).to.include('url(/wp-content/themes/shop/css/img/a.png?b=1#c)')
    expect(css).to.include('url(/wp-content/themes/shop/css/b.png)')
    expect(css).to.include('url(/root.png)')
    expect(css).to.include('url(data:image/png;base64,AAA=)')
    expect(css).to.include('url(#shadow)')
    expect(css).to.include('url(https://other.example/m.svg)')
  })

  it('keep imports with their conditions, and the charset', async () => {
    const css = await served(
      `@charset "utf-8";\n@import "base.css" screen;\n@import url(../x.css) layer(y);${BLANKS}.a::before { content: "→" }`,
    )
    expect(css).to.match(/@import\s?"\/wp-content\/themes\/shop\/css\/base\.css"\s?screen;/)
    expect(css).to.match(/@import\s?"\/wp-content\/themes\/shop\/x\.css"\s?layer\(y\);/)
    expect(css).to.include('"→"')
  })

  it('keep what is new and what is old in CSS', async () => {
    const css = await served(`${BLANKS}
      .a:is(.b, .c) > .d:where(.e) { color: red } @layer p, q; @layer p { .f { color: red } }
      @container (min-width: 3px) { .g { color: red } } .h { color: red; &:hover { color: blue } }
      .i { min-height: 100vh; min-height: 100dvh; color: red; color: color-mix(in srgb, red, blue) }
      .j { *zoom: 1; filter: alpha(opacity=50); width: calc(100% - 1px) }
      @supports (display: grid) { .k { display: grid } } @media print { .l { color: red } }`)
    const short = css.replace(/\s/g, '')
    for (const part of [
      '.a:is(.b,.c)>.d:where(.e)',
      '@layerp,q;',
      '@container(min-width:3px){.g{',
      '&:hover',
      'min-height:100vh;min-height:100dvh',
      'color:red;color:color-mix(insrgb,red,blue)',
      '*zoom:1',
      'calc(100%-1px)',
      '@supports(display:grid){.k{',
      '@mediaprint{.l{',
    ])
      expect(short).to.include(part)
  })

  it('keep licenses and lose source maps', async () => {
    const css = await served(
      `/*! (c) Ann */ a { color: red } /* note */ ${BLANKS} /*# sourceMappingURL=main.css.map */`,
    )
    expect(css).to.include('(c) Ann').and.not.include('note').and.not.include('sourceMappingURL')
  })

  it('drop the hash of the original, and take their preload along', async () => {
    const url = await page.themeFile('sum.css', `a { color: red }${BLANKS}`)
    const head = `<link rel="preload" as="style" href="${url}"><link rel="stylesheet" integrity="sha384-x" media="screen" nonce="n" href="${url}">`
    const html = await page.showFinished((text) => ASSET.test(text), '', head)
    expect(html).not.to.include('integrity').and.not.to.include(url)
    expect(html).to.include('media="screen" nonce="n"')
  })

  it('are read in one go, whatever is left open in them', async () => {
    const open = ['/*', '"\\', `url(${' '.repeat(50)}`, 'url("\\', '@import  '].map((start) => start.repeat(20_000))
    for (const css of [...open, `url(${' '.repeat(200_000)}`])
      expect(await page.show('', `<style>${css}</style>`)).to.include('</style>')
  })

  it('stay as they are when broken, excluded, protected, foreign, alternate or as small as can be', async () => {
    await page.set({ optimizationExclusions: ['keep-me'] })
    const good = `a { color: red }${BLANKS}`
    const links = [
      ...['a { color: red', 'a { color: red }} b { color: blue }', 'a { content: "x\n }', 'a{color:red}'].map(
        async (css, index) => `<link rel="stylesheet" href="${await page.themeFile(`stays-${index}.css`, css)}">`,
      ),
      `<link rel="stylesheet" href="${await page.themeFile('keep-me.css', good)}">`,
      `<link rel="stylesheet" data-no-optimize href="${await page.themeFile('protected.css', good)}">`,
      `<link rel="alternate stylesheet" title="x" href="${await page.themeFile('other.css', good)}">`,
      '<link rel="stylesheet" href="https://other.example/a.css">',
      '<link rel="stylesheet" href="/wp-content/themes/shop/missing.css">',
      '<link rel="stylesheet" href="/wp-content/themes/shop/../../../../etc/passwd">',
    ]
    const head = (await Promise.all(links)).join('\n')
    const marker = `<link rel="stylesheet" href="${await page.themeFile('marker.css', good)}">`
    const html = await page.showFinished((text) => ASSET.test(text), '', `${head}${marker}`)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await page.show('', `${head}${marker}`))
      .to.equal(html)
      .and.include(head)
    await page.set({ optimizationExclusions: [] })
  })

  it('make a <style> shorter at once, and never let it end early', async () => {
    expect(await inline('\n  a   {  color : red ; }\n /* note */')).to.equal('a{color:red}')
    expect(await inline('a { content: "\\3c/style><script>alert(1)</script>" }')).not.to.match(/<\/style>/)
    expect(await inline('a { color: red')).to.equal('a { color: red')
    expect(await inline(' a { background: url(x.png) } ')).to.equal('a{background:url(x.png)}')
    const drawing = '<svg><style> a  { b : c } </style></svg>'
    expect(await page.show(drawing)).to.include(drawing)
  })
})
