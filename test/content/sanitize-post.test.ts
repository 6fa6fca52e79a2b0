import { expect } from 'chai'
import { cleanPostHtml, cleanTitle } from '../../cms/content/sanitize-post.ts'
import { RestError } from '../../core/errors.ts'

describe('cleanPostHtml', () => {
  const kept = [
    '<!-- wp:paragraph {"align":"center","style":{"color":{"text":"#fff"}}} -->\n<p class="x" style="text-align:center">Hi <strong>you</strong></p>\n<!-- /wp:paragraph -->',
    '<!-- wp:group {"layout":{"type":"constrained"}} --><div class="wp-block-group"><!-- wp:image {"id":4} --><figure><img src="/a.png" alt="A" /></figure><!-- /wp:image --></div><!-- /wp:group -->',
    '<!-- wp:latest-posts {"postsToShow":3} /-->',
    '<!-- wp:my-plugin/card {"html":"\\u003cb\\u003ex\\u003c/b\\u003e","dash":"a\\u002d\\u002db"} /-->',
    'Before <!--more--> after <!--nextpage--> end',
    '<a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener">link</a>',
    '<img src="/a.png" srcset="/a.png 1x, /b.png 2x" sizes="100vw" width="3" height="4" />',
    '<table><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td colspan="2">B</td></tr></tbody></table>',
    '<details open><summary>More</summary><p data-x="1" aria-label="l">Text</p></details>',
    '[gallery ids="1,2"] and “quotes” and 日本',
  ]
  for (const html of kept) it(`leaves ${html.slice(0, 60)} as it is`, () => expect(cleanPostHtml(html)).to.equal(html))

  const hostile = [
    '<script>alert(1)</script>',
    '<ScRiPt src=//e.example></sCrIpT>',
    '<img src=x onerror=alert(1)>',
    '<a href="java&#115;cript:alert(1)">x</a>',
    '<a href=" \u0001javascript:alert(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="feed:javascript:alert(1)">x</a>',
    '<iframe src="https://e.example"></iframe>',
    '<object data="x"></object><embed src="x"><form action="/x"><input></form>',
    '<svg><script>alert(1)</script></svg>',
    '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<p style="width:expression(alert(1))">x</p>',
    '<style>@import "//e.example"</style>',
    '<!-- wp:x {"a":"--><script>alert(1)</script>"} --><p>t</p>',
    '<!-- wp:html {"content":"\\u003cscript\\u003ealert(1)\\u003c/script\\u003e\\u003cimg src=x onerror=alert(1)\\u003e"} /-->',
    '<scr<!-- wp:x -->ipt>alert(1)</scr<!-- /wp:x -->ipt>',
    '<!--><script>alert(1)</script>-->',
    '<!-- wp:x --!><script>alert(1)</script>-->',
    '<a title="<!-- wp:x -->" onclick="alert(1)">x</a>',
    '<textarea><!-- wp:x --></textarea><script>alert(1)</script>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  ]
  for (const html of hostile) {
    it(`leaves nothing that runs of ${html.slice(0, 60)}`, () => {
      const clean = cleanPostHtml(html)
      expect(clean).to.not.match(/<\/?(script|iframe|object|embed|form|input|svg|math|style|noscript)/i)
      expect(clean.replace(/"[^"]*"/g, '""')).to.not.match(/<[^>]*\son\w+\s*=/i)
      expect(clean).to.not.match(/href\s*=\s*["']?\s*(feed:)?(javascript|data)/i)
      expect(clean).to.not.match(/expression|url\(|u003cscript|onerror=alert\(1\)(?!&)\\u003e/i)
      expect(cleanPostHtml(clean)).to.equal(clean)
    })
  }

  it('keeps what is nested deeply', () => {
    const deep = `${'<div>'.repeat(500)}x${'</div>'.repeat(500)}`
    expect(cleanPostHtml(deep)).to.equal(deep)
  })

  // The time of a reader of HTML grows with the square of the depth, and the stack ends at some thousand objects.
  const bottomless = {
    elements: '<div></p>'.repeat(100_000),
    'elements with a comment between': '<b><!-- wp:x -->'.repeat(60_000),
    'attributes of a block': `<!-- wp:x ${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)} -->`,
  }
  for (const [what, html] of Object.entries(bottomless)) {
    it(`refuses ${what} without end`, () => {
      expect(() => cleanPostHtml(html))
        .to.throw(RestError, 'nested too deeply')
        .with.property('status', 400)
    })
  }
})

describe('cleanTitle', () => {
  it('keeps what belongs into a line', () => {
    expect(cleanTitle('A <em>b</em> & <a href="javascript:x()">c</a><p>d</p><script>e</script>')).to.equal(
      'A <em>b</em> &amp; <a>c</a>d',
    )
  })
})
