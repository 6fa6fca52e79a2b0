import { expect } from 'chai'
import { createAddressRewriter } from '../../plugins/backup/restore/site-address.ts'

const cases: readonly [what: string, from: string, to: string, before: string, after: string][] = [
  ['an address', 'http://a.com', 'https://b.org', 'See http://a.com/x.', 'See https://b.org/x.'],
  [
    'a host and a path with hyphens',
    'https://my-site.example/a-b',
    'https://b.org',
    String.raw`//my-site.example/a-b/x "https:\/\/my-site.example\/a-b\/y" https://my-site.example/a-bc`,
    String.raw`//b.org/x "https:\/\/b.org\/y" https://my-site.example/a-bc`,
  ],
  ['both schemes', 'http://a.com', 'https://b.org', 'https://a.com http://a.com', 'https://b.org https://b.org'],
  ['an address without a scheme', 'http://a.com', 'https://b.org', 'src="//a.com/x.png"', 'src="//b.org/x.png"'],
  ['the end of a sentence', 'http://a.com', 'https://b.org', 'Go to http://a.com. Now', 'Go to https://b.org. Now'],
  ['capitals', 'http://a.com', 'https://b.org', 'HTTP://A.com/X', 'https://b.org/X'],
  [
    'an attribute',
    'http://a.com',
    'https://b.org',
    '<a href="http://a.com/?a=1&amp;b=2">',
    '<a href="https://b.org/?a=1&amp;b=2">',
  ],
  [
    'escaped slashes',
    'http://a.com/s',
    'https://b.org',
    String.raw`{"u":"http:\/\/a.com\/s\/x"}`,
    String.raw`{"u":"https:\/\/b.org\/x"}`,
  ],
  [
    'JSON within JSON',
    'http://a.com',
    'https://b.org',
    String.raw`"{\"u\":\"http:\\/\\/a.com\\/x\"}" "{\"u\":\"http:\\\/\\\/a.com\\\/x\"}"`,
    String.raw`"{\"u\":\"https:\\/\\/b.org\\/x\"}" "{\"u\":\"https:\\\/\\\/b.org\\\/x\"}"`,
  ],
  [
    'JSON in an attribute, a srcset and a style',
    'http://a.com',
    'https://b.org',
    `<img data-x='{&quot;u&quot;:&quot;http:\\/\\/a.com\\/&quot;}' srcset="http://a.com/1 1x,//a.com/2 2x" style="background:url(//a.com/3)">`,
    `<img data-x='{&quot;u&quot;:&quot;https:\\/\\/b.org\\/&quot;}' srcset="https://b.org/1 1x,//b.org/2 2x" style="background:url(//b.org/3)">`,
  ],
  [
    'paths that begin like that of the site',
    'https://a.com/blog',
    'https://b.org',
    'https://a.com/blog https://a.com/blog/ https://a.com/blog?p=1 https://a.com/blogger https://a.com/blog-2 https://a.com/',
    'https://b.org https://b.org/ https://b.org?p=1 https://a.com/blogger https://a.com/blog-2 https://a.com/',
  ],
  [
    'a new URL that holds the old one twice',
    'http://a.com',
    'http://a.com.a.com',
    '//a.com //a.com.a.com',
    '//a.com.a.com //a.com.a.com',
  ],
  ['a query string', 'http://a.com', 'https://b.org:8', '?u=http%3A%2F%2Fa.com%2Fx', '?u=https%3A%2F%2Fb.org%3A8%2Fx'],
  [
    'a port',
    'http://127.0.0.1:8080',
    'https://b.org',
    'http://127.0.0.1:8080/x http://127.0.0.1:80801/x',
    'https://b.org/x http://127.0.0.1:80801/x',
  ],
  [
    'a new URL that begins with the old one',
    'http://a.com',
    'http://a.com.au',
    'http://a.com/x http://a.com.au/x',
    'http://a.com.au/x http://a.com.au/x',
  ],
  ['a new URL below the old one', 'http://a.com', 'http://a.com/blog', 'http://a.com/x', 'http://a.com/blog/x'],
  [
    'other hosts',
    'http://a.com',
    'https://b.org',
    'http://a.company http://a.com.au http://aa.com http://x.a.com http://a.com@evil',
    'http://a.company http://a.com.au http://aa.com http://x.a.com http://a.com@evil',
  ],
  ['mail addresses and bare names', 'http://a.com', 'https://b.org', 'me@a.com a.com', 'me@a.com a.com'],
  ['text of many bytes', 'http://a.com', 'https://b.org', '日本😀http://a.com/ü😀', '日本😀https://b.org/ü😀'],
  ['a dollar sign in the new URL', 'http://a.com', 'https://b.org/$&', 'http://a.com/x', 'https://b.org/$&/x'],
  [
    'what PHP serialized',
    'http://a.com',
    'https://b.example',
    'a:2:{s:1:"u";s:17:"http://a.com/ü😀";s:1:"n";i:3;}'.replace('17', String(Buffer.byteLength('http://a.com/ü😀'))),
    `a:2:{s:1:"u";s:${Buffer.byteLength('https://b.example/ü😀')}:"https://b.example/ü😀";s:1:"n";i:3;}`,
  ],
  [
    'what PHP serialized twice',
    'http://a.com',
    'https://b.example',
    's:27:"a:1:{i:0;s:12:"http://a.com";}";'.replace('27', String('a:1:{i:0;s:12:"http://a.com";}'.length)),
    's:35:"a:1:{i:0;s:17:"https://b.example";}";',
  ],
  [
    'what PHP serialized, in JSON',
    'http://a.com',
    'https://b.example',
    JSON.stringify('a:1:{i:0;s:12:"http://a.com";}'),
    JSON.stringify('a:1:{i:0;s:17:"https://b.example";}'),
  ],
  ['what only looks serialized', 'http://a.com', 'https://b.org', 's:99:"http://a.com";', 's:99:"https://b.org";'],
]

describe('the address of a restored site', () => {
  for (const [what, from, to, before, after] of cases) {
    it(`is rewritten in ${what}`, () => {
      expect(createAddressRewriter(from, to)(before)).to.equal(after)
    })
  }

  it('takes what is serialized within itself thousands of times for text', () => {
    let text = 'http://a.com'
    for (let depth = 0; depth < 5000; depth++) text = `s:${text.length}:"${text}";`
    const rewritten = createAddressRewriter('http://a.com', 'https://b.org')(text)
    expect(rewritten).to.include('"https://b.org"')
  })

  it('leaves everything as it is where the URL is the same', () => {
    expect(createAddressRewriter('http://a.com', 'http://a.com')('https://a.com')).to.equal('https://a.com')
  })
})
