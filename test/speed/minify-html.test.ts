import { expect } from 'chai'
import { createParseHtml } from '../../plugins/speed/optimize/html/document.ts'
import { type PageUnderTest, startPage } from './page-under-test.ts'

describe('Minified HTML', () => {
  let page: PageUnderTest
  /** The body that visitors get for one. */
  async function minified(body: string, head?: string): Promise<string> {
    const html = await page.show(body, head)
    return html.slice(html.indexOf('<body>') + 6, html.lastIndexOf('</body>'))
  }
  async function staysAsItIs(markup: string): Promise<void> {
    expect(await minified(markup)).to.equal(markup)
  }

  before(async () => {
    page = await startPage({ minifyHtml: 'on' })
  })
  after(() => page.close())

  it('has one blank for several, and a line break where there was one', async () => {
    expect(await minified('<p>a  \t b</p>   <p>c\n\n   d</p>')).to.equal('<p>a b</p> <p>c\nd</p>')
  })

  it('keeps the blank between inline elements', async () => {
    expect(await minified('<b>a</b>  <i>b</i><u> c </u>')).to.equal('<b>a</b> <i>b</i><u> c </u>')
  })

  it('has no comments', async () => {
    expect(await minified('<p>a</p><!-- one --> <!-- two -->\n<p>b <!-- three --> c</p>')).to.equal(
      '<p>a</p> <p>b c</p>',
    )
  })

  it('preserves conditional and other meaningful comments', async () => {
    for (const comment of [
      '<!--[if IE]><p>  IE  </p><![endif]-->',
      '<!--[if !IE]><!--><p>x</p><!--<![endif]-->',
      '<!--more-->',
      '<!--more Read on-->',
      '<!--nextpage-->',
      '<!-- wp:paragraph {"a":1} --><!-- /wp:paragraph -->',
      '<!--! (c) 2026 -->',
      '<!--#include virtual="/x" -->',
      '<!-- ko if: x --><!-- /ko -->',
      '<!--[--><!--]--><!---->',
    ])
      await staysAsItIs(comment)
  })

  it('leaves alone where every character counts', async () => {
    for (const markup of [
      '<pre>\n  a   b <!-- c -->\n   <b>  d  </b>\n</pre>',
      '<textarea>\n\n  a   <b>\n </textarea>',
      '<code>a    b</code>',
      '<script>\n  // <!-- x -->\n  var a = "  </div>  ";  var b = `\n  \n  c`\n</script>',
      '<script>if (a)  document.title = "<\\/script>"</script>',
      '<script type="application/ld+json">\n{ "a":  "b  <!-- c -->" }\n</script>',
      '<script type="text/html">  <p>  {{ x }} <!-- y --> </p></script>',
      '<script type="text/x-handlebars">{{#if a}}   <b>  </b> {{/if}}</script>',
      '<style>\n  a  { b: c }\n</style>',
      '<svg viewBox="0 0 1 1">  <text xml:space="preserve"> a   b </text></svg>',
      '<template>  <td>  a  </td> <!-- b --></template>',
      '<noscript>  <p>a   b</p></noscript>',
      '<p style="white-space: pre-wrap">a\n   b</p>',
      '<div contenteditable>a   b</div>',
      '<div data-no-optimize>a   b <!-- c --> <p>  d  </p></div>',
    ])
      await staysAsItIs(markup)
  })

  it('leaves attributes exactly as they are written', async () => {
    await staysAsItIs(
      `<a data-x='a"b' class="a   b" style=" color : red " onclick="  f( 1 ) " href=?a=1&b=2 title=a=b alt="" hidden DISABLED data-y="">x</a>`,
    )
    await staysAsItIs('<input  disabled="disabled" value="  two  blanks  "/><img alt="" src=a.png />')
  })

  it('keeps entities and the blanks that are no blanks of HTML', async () => {
    await staysAsItIs('<p>a&nbsp;&nbsp;b \u00a0 c\u2003\u2003d\u200b &lt &copy; &amp;lt; &#32;&#32;e</p>')
  })

  it('takes invalid markup as it comes', async () => {
    await staysAsItIs('</span><div>a <p>b<p>c<ul><li>d<li>e</ul></b> 1 < 2 && 3 > 2 <br/><p/><table><td>x</div>')
    await staysAsItIs('<p title="a>b"class=x>a</p><?php echo "a" ?><!doctype x><![CDATA[ x ]]>')
  })

  it('keeps what browsers still show as it is after the end tag of an element around it', async () => {
    await staysAsItIs('<b><pre>a  b</b>  c\n\n  d</pre>  e')
    await staysAsItIs('<span><code>a  b</span>  c</code>')
  })

  it('never creates a tag from the text around a comment', async () => {
    const html = await minified('a <<!-- x -->script>alert(1)</script> b')
    expect(createParseHtml()(html).all('script')).to.deep.equal([])
  })

  it('minifies to itself', async () => {
    const markup = '<p> a <!-- b --> <b> c </b></p>\n\n<!-- d -->\n<!--e-->f<table> <tr>\n <td> g </td> </tr></table>'
    const once = await minified(markup)
    expect(once.length).to.be.below(markup.length)
    await staysAsItIs(once)
  })

  it('shows the same text as the page that was not minified', async () => {
    const body = (await (await page.host.get('/hello-world/?nospeed')).text()).replace(/\s+/g, '')
    const shorter = (await (await page.host.get('/hello-world/')).text()).replace(/\s+/g, '')
    expect(shorter).to.equal(body.replaceAll('?nospeed', ''))
  })

  it('leaves a page of ten megabytes as it is, at once', async () => {
    const body = '<p>a   b</p>\n'.repeat(800_000)
    expect(await minified(body)).to.equal(body)
  })

  it('does not change responses that are not pages: mislabeled JSON or XML, and truncated pages', async () => {
    const { hooks } = page.host.host
    for (const text of [
      '{ "a":  "<b>  </b>" }',
      '<?xml version="1.0"?><feed>  <a/>  </feed>',
      '<html><body><p>a   b',
    ]) {
      const filter = () => text
      hooks.addFilter('page_html', filter, 20)
      expect(await (await page.host.get('/')).text()).to.equal(text)
      hooks.removeFilter('page_html', filter, 20)
    }
  })
})
