import { expect } from 'chai'
import { createAddresses } from '../../cms/content/addresses.ts'

describe('addresses of the old site', () => {
  const { inText, inValue } = createAddresses(['http://127.0.0.1:8090'], 'https://new.example')
  const blog = createAddresses(['https://old.example/blog/', 'https://old.example/blog'], 'https://new.example')

  const cases: [before: string, after: string][] = [
    ['http://127.0.0.1:8090/a/?b#c', 'https://new.example/a/?b#c'],
    ['https://127.0.0.1:8090', 'https://new.example'],
    ['"http://127.0.0.1:8090"', '"https://new.example"'],
    ['is: http://127.0.0.1:8090.</p>', 'is: https://new.example.</p>'],
    ['http://127.0.0.1:8090, http://127.0.0.1:8090', 'https://new.example, https://new.example'],
    ['http:\\/\\/127.0.0.1:8090\\/a', 'https:\\/\\/new.example\\/a'],
    ['http:\\\\/\\\\/127.0.0.1:8090\\\\/a', 'https:\\\\/\\\\/new.example\\\\/a'],
    ['href=http://127.0.0.1:8090/', 'href=https://new.example/'],
    [
      'http://127.0.0.1:8090/wp-content/uploads/sites/3/2026/a.jpg',
      'https://new.example/wp-content/uploads/2026/a.jpg',
    ],
    ['HTTP://127.0.0.1:8090/', 'https://new.example/'],
    ['src="//127.0.0.1:8090/a"', 'src="https://new.example/a"'],
    ['https://www.127.0.0.1:8090/a', 'https://new.example/a'],
  ]
  for (const [before, after] of cases) it(`turns ${before} into ${after}`, () => expect(inText(before)).to.equal(after))

  const kept = [
    'http://127.0.0.1:80901/',
    'http://127.0.0.1:809',
    'http://127.0.0.1:8090.evil.example/',
    'http://127.0.0.1:8090@evil.example/',
    'http://127.0.0.1:8090-evil.example/',
    'xhttp://127.0.0.1:8090/',
    'https://web.archive.org/web/2020/http://127.0.0.1:8090/',
    'ftp://127.0.0.1:8090/',
    'see a//127.0.0.1:8090/',
    'https://wwww.127.0.0.1:8090/',
    'http://127a0b0c1:8090/',
  ]
  for (const text of kept) it(`leaves ${text} alone`, () => expect(inText(text)).to.equal(text))

  it('includes the path of a site in a subdirectory', () => {
    expect(blog.inText('https://old.example/blog/a https://old.example/blogger https://old.example/')).to.equal(
      'https://new.example/a https://old.example/blogger https://old.example/',
    )
    expect(blog.inText('https:\\/\\/old.example\\/blog\\/a')).to.equal('https:\\/\\/new.example\\/a')
  })

  it('match a site that was at www. without it too', () => {
    const { inText: ofWww } = createAddresses(['http://www.old.example'], 'https://new.example')
    expect(ofWww('https://old.example/a //www.old.example/b')).to.equal('https://new.example/a https://new.example/b')
  })

  it('are found in every string of a value', () => {
    expect(inValue({ a: ['http://127.0.0.1:8090/x', 1, null], 'http://127.0.0.1:8090': true })).to.deep.equal({
      a: ['https://new.example/x', 1, null],
      'http://127.0.0.1:8090': true,
    })
  })

  it('leave text that PHP serialized readable: lengths are corrected, also of texts within', () => {
    const old = 'http://127.0.0.1:8090'
    const serialized = (url: string) => `O:8:"stdClass":1:{s:3:"url";s:${url.length}:"${url}";}`
    const within = (text: string) => `a:1:{i:0;s:${text.length}:"${text}";}`
    expect(inText(serialized(`${old}/x`))).to.equal(serialized('https://new.example/x'))
    expect(inValue({ a: within(serialized(old)) })).to.deep.equal({ a: within(serialized('https://new.example')) })
  })

  it('change nothing where the export names none', () => {
    expect(createAddresses([], 'https://new.example').inText('http://a.b')).to.equal('http://a.b')
    expect(createAddresses(['', 'http://'], 'https://new.example').inText('http://a.b')).to.equal('http://a.b')
  })
})
