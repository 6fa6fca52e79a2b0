import { createRequire } from 'node:module'
import { expect } from 'chai'
import { type PageUnderTest, startPage } from './page-under-test.ts'

/** More than is put into a page whole. */
const UNUSED = Array.from({ length: 400 }, (_, index) => `.unused-${index} { margin: ${index}px }`).join('\n')

describe('Critical CSS', () => {
  let page: PageUnderTest
  const link = async (css: string, name = 'large.css', more = '') =>
    `<link rel="stylesheet"${more} href="${await page.themeFile(name, css)}">`
  /** The page with the rules in its head once they are found, and the rules. */
  async function critical(css: string, body: string, more = ''): Promise<{ html: string; rules: string }> {
    const head = await link(`${css}\n${UNUSED}`, 'large.css', more)
    const html = await page.showFinished((text) => /<style[^>]*>[\s\S]*<\/head>/.test(text), body, head)
    return { html, rules: /<style[^>]*>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '' }
  }

  before(async () => {
    page = await startPage({ inlineCriticalCss: 'on' })
  })
  after(() => page.close())

  it('is in the head of the page, with the whole sheet at the end of the body for everything else', async () => {
    const { html, rules } = await critical(
      '.used { color: red } .menu.is-open { color: blue }',
      '<p class="used">a</p>',
    )
    expect(rules).to.equal('.used{color:red}')
    const [head = '', body = ''] = html.split('</head>')
    expect(head).not.to.include('rel="stylesheet"')
    expect(body).to.match(
      /<p class="used">a<\/p><link rel="stylesheet" href="\/wp-content\/themes\/shop\/large\.css\?ver=\w+"><\/body>/,
    )
  })

  it('needs no script and no inline handler', async () => {
    const { html } = await critical('p { color: red }', '<p>a</p>')
    expect(html).not.to.match(/<script|\son\w+=/)
  })

  it('has every rule that may match, wherever the elements are', async () => {
    const { rules } = await critical(
      `:root { --a: 1px } *, ::before { margin: 0 } nav .item > a { color: red } a:not(.x) { color: red }
       :is(.item, .gone) { top: 0 } :is(.gone) { top: 1px } [data-x="1"] { top: 2px } .gone, .item { top: 3px }
       .item.gone { top: 4px } a:hover { top: 5px } input:checked { top: 6px } #main { top: 7px } #gone { top: 8px }
       .md\\:flex { top: 9px } .\\31 0col { top: 10px } aside { top: 11px } .item::after { content: "x" }`,
      '<nav></nav><div id="main" class="item md:flex 10col"><a href="/">a</a></div>',
    )
    for (const part of [
      ':root{',
      '*,:before{',
      'nav .item>a{',
      'a:not(.x){',
      'top:0',
      'top:2px',
      '.item{top:3px}',
      '#main{',
      'top:9px',
      'top:10px',
      '.item:after{',
    ])
      expect(rules).to.include(part)
    for (const part of ['top:1px', 'top:4px', 'top:5px', 'top:8px', 'top:11px', '.gone,', 'unused'])
      expect(rules).not.to.include(part)
  })

  it('looks into conditions and layers, takes the fonts and animations that are used, and nothing for print', async () => {
    const { rules } = await critical(
      `@layer base, theme; @layer theme { .a { color: red } .b { color: red } }
       @media (min-width: 1px) { .a { top: 1px } } @media (min-width: 2px) { .b { top: 2px } } @media print { .a { top: 3px } }
       @supports (display: grid) { @container (width > 1px) { .a { top: 4px } } }
       @font-face { font-family: "Used"; src: url(fonts/used.woff2) } @font-face { font-family: Other; src: url(other.woff2) }
       @keyframes turn { to { rotate: 1turn } } @keyframes fade { to { opacity: 0 } }
       .a { font-family: Used, serif; animation: turn 1s }`,
      '<p class="a">a</p>',
    )
    expect(rules)
      .to.include('@layer base,theme')
      .and.include('url(/wp-content/themes/shop/fonts/used.woff2)')
      .and.include('@keyframes turn')
    for (const part of ['top:1px', 'top:4px']) expect(rules).to.include(part)
    for (const part of ['.b', 'top:2px', 'top:3px', 'other.woff2', 'fade']) expect(rules).not.to.include(part)
  })

  it('is the same for pages that use the same names, made once', async () => {
    const css = '.card { color: red } .card p { color: blue }'
    const first = await critical(css, '<div class="card post-1" id="post-1"><p>a</p></div>')
    const head = await link(`${css}\n${UNUSED}`)
    // Without a wait: nothing has to be made.
    const second = await page.show('<p>b</p><p>c</p><div id="post-2"><div class="post-2 card"></div></div>', head)
    expect(second).to.include(`<style>${first.rules}</style>`)
  })

  it('keeps the order in which sheets win over each other', async () => {
    const own = '<style id="own">p{color:blue}</style><link rel="stylesheet" href="https://other.example/a.css">'
    const head = `<style>p{top:0}</style>${await link(`p { color: red } ${UNUSED}`)}${own}`
    const html = await page.showFinished((text) => text.includes('<style>p{color:red}'), '<p>a</p>', head)
    expect(html).to.include(`<style>p{top:0}</style><style>p{color:red}</style>${own}</head>`)
    expect(html).to.match(
      /<p>a<\/p><link rel="stylesheet" href="\/wp-content\/themes\/shop\/large[^>]*><style>p\{color:blue\}<\/style><link rel="stylesheet" href="https:\/\/other\.example\/a\.css"><\/body>/,
    )
  })

  it('of a small sheet is the whole sheet, without a file', async () => {
    const html = await page.showFinished(
      (text) => text.includes('<style'),
      '<p>a</p>',
      await link('.never { background: url(a.png) } p { color: red }', 'small.css', ' media="screen" nonce="n"'),
    )
    expect(html).to.include(
      '<style media="screen" nonce="n">.never{background:url(/wp-content/themes/shop/a.png)}p{color:red}</style>',
    )
    expect(html).not.to.include('small.css')
  })

  it('leaves sheets alone that import, are broken, protected, excluded, conditional or switched off', async () => {
    await page.set({ optimizationExclusions: ['keep-me'] })
    const css = `p { color: red } ${UNUSED}`
    const head = [
      await link(`@import "x.css"; ${css}`, 'imports.css'),
      await link(`${css} p { color: red`, 'broken.css'),
      await link(css, 'protected.css', ' data-no-optimize'),
      await link(css, 'keep-me.css'),
      await link(css, 'print.css', ' media="print"'),
      await link(css, 'wide.css', ' media="(min-width: 60rem)"'),
      await link(css, 'off.css', ' disabled'),
    ].join('')
    await page.show('<p>a</p>', head)
    await page.showFinished((text) => text.includes('<style>p{'), '<p>a</p>', await link(css, 'marker.css'))
    expect(await page.show('<p>a</p>', head))
      .to.include(`${head}</head>`)
      .and.not.include('<style')
    await page.set({ optimizationExclusions: [] })
  })

  it('stays out of a page whose policy forbids <style>', async () => {
    const sheet = await link(`p { color: red } ${UNUSED}`)
    await page.showFinished((text) => text.includes('<style'), '<p>a</p>', sheet)
    const policy = (text: string) => `<meta http-equiv="Content-Security-Policy" content="${text}">`
    for (const text of ["default-src 'self'", "style-src 'self' 'unsafe-inline' 'nonce-abc'"])
      expect(await page.show('<p>a</p>', policy(text) + sheet)).not.to.include('<style')
    const open = await page.show('<p>a</p>', policy("style-src 'self' 'unsafe-inline'") + sheet)
    expect(open).to.include('<style')
  })

  it('is found in a thread that can be ended at any moment', () => {
    // Node aborts the process when a thread ends while it requires a module; the pool imports what `require` refuses.
    const require = createRequire(import.meta.url)
    expect(() => require('../../plugins/speed/optimize/css/critical-worker.ts'))
      .to.throw()
      .with.property('code', 'ERR_REQUIRE_ASYNC_MODULE')
  })
})
