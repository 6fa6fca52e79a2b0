import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite } from '../seo-site.ts'
import { ask, call, clear, make, raw } from './redirects-site.ts'

describe('Redirects and addresses that mean to be misread', () => {
  let site: TestHost

  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())
  afterEach(() => clear(site))

  const refused = async (rule: object) => (await call(site, 'POST', '/redirects', rule)).data.params

  describe('targets', () => {
    const BAD = [
      '//evil.example/',
      '/\\evil.example/',
      '\\\\evil.example',
      'https:evil.example',
      'https:/evil.example',
      'http:///evil.example',
      'https://site@evil.example/',
      'https://good.example\\@evil.example/',
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'mailto:a@example.org',
      'evil.example',
      '/a\r\nSet-Cookie: a=b',
      '/a\u0001b',
      '/a\tb',
      'https://',
      '',
    ]
    for (const target of BAD) {
      it(`refuses ${JSON.stringify(target)}`, async () => {
        expect(await refused({ source: '/a', target })).to.have.property('target')
        expect(await refused({ source: '^/a/(.*)', target, match: 'regex' })).to.have.property('target')
      })
    }

    for (const target of ['https://$1/', 'https://$1.example/x', 'https://example.org:$1/', 'https://$<host>/']) {
      it(`refuses ${target}, where a visitor would choose the host`, async () => {
        expect(await refused({ source: '^/go/(?P<host>.*)$', target, match: 'regex' })).to.have.property('target')
      })
    }

    it('writes Unicode as ASCII: a host as its punycode, a path percent-encoded', async () => {
      await make(site, '/a', 'https://bücher.example/größe?q=ä#ü')
      expect(await ask(site, '/a')).to.equal('301 https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe?q=%C3%A4#%C3%BC')
      await make(site, '/b', '/größe/🎉')
      expect(await ask(site, '/b')).to.equal('301 /gr%C3%B6%C3%9Fe/%F0%9F%8E%89')
    })
  })

  describe('what patterns capture', () => {
    it('never makes another host of a path', async () => {
      await make(site, '^/go/?(.*)$', '$1', { match: 'regex' })
      await make(site, '/out/*', '/*', { match: 'wildcard' })
      const paths = ['//evil.example', '/evil.example', '%2F%2Fevil.example', '%5Cevil.example', '\\evil.example']
      paths.push('https://evil.example', 'https:%2f%2fevil.example', '%09//evil.example', '/%2e%2e//evil.example')
      for (const path of paths) {
        for (const from of ['/go/', '/out/']) {
          const { headers } = await raw(site, from + path)
          const to = new URL(String(headers.location ?? '/'), site.url)
          expect(to.host, `${from}${path} → ${headers.location}`).to.equal(new URL(site.url).host)
        }
      }
    })

    it('never makes a header, nor a query or fragment of a path', async () => {
      await make(site, '^/go/(.*)$', '/to/$1?from=$1', { match: 'regex' })
      expect(await ask(site, '/go/a%0d%0aSet-Cookie:%20b=c')).to.equal(
        '301 /to/a%0D%0ASet-Cookie:%20b=c?from=a%0D%0ASet-Cookie:%20b%3Dc',
      )
      expect(await ask(site, '/go/a%3fb%23c&d=e')).to.equal('301 /to/a%3Fb%23c&d=e?from=a%3Fb%23c%26d%3De')
      expect(await ask(site, '/go/%e0%a4%a')).to.match(/^301 \/to\/%E0%A4%25a\?/)
    })

    it('counts captures as JavaScript does, and knows them by name', async () => {
      await make(site, '^/(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)$', '/$10-$11-$2', { match: 'regex' })
      expect(await ask(site, '/abcdefghij')).to.equal('301 /j-a1-b')
      await make(site, '^/one/(x)$', '/$10/$$1/$0', { match: 'regex' })
      expect(await ask(site, '/one/x')).to.equal('301 /x0/$1/$0')
      await make(site, '^/(?P<year>\\d{4})/(?<slug>[^/]+)/?$', `/$\{slug}/$<year>`, { match: 'regex' })
      expect(await ask(site, '/2024/%C3%A4-b/')).to.equal('301 /%C3%A4-b/2024')
    })
  })

  describe('sources', () => {
    const BAD = ['https://other.example/a', '//other.example/a', 'old', '/a/../b', '/./a', '/a/%2e%2e/b', 'ftp://x/a']
    for (const source of [...BAD, '/a\nb', '/wp-admin/', '/WP-LOGIN.php', '/wp-json/wp/v2/posts', '/wp-%61dmin/x']) {
      it(`refuses ${JSON.stringify(source)}`, async () => {
        expect(await refused({ source, target: '/x' })).to.have.property('source')
      })
    }

    it('takes this site’s own address for a path', async () => {
      await make(site, `${site.url}/old#part`, '/x')
      expect(await ask(site, '/old')).to.equal('301 /x')
    })
  })

  describe('spelling', () => {
    it('is the same however a path is encoded, composed, capitalized or ended', async () => {
      await make(site, '/Straße/Café au lait', '/x')
      for (const path of [
        '/stra%C3%9Fe/caf%C3%A9%20au%20lait',
        '/Stra%c3%9fe/Cafe%CC%81%20au%20lait/',
        '/STRA%C3%9FE//CAF%C3%89%20AU%20LAIT',
      ]) {
        expect(await ask(site, path), path).to.equal('301 /x')
      }
    })

    it('is another one where something else is meant', async () => {
      await make(site, '/a/b', '/slash')
      await make(site, '/a%2Fb', '/encoded')
      await make(site, '/c%20d', '/space')
      await make(site, '/c+d', '/plus')
      await make(site, '/c%2520d', '/twice')
      expect(await ask(site, '/a/b')).to.equal('301 /slash')
      expect(await ask(site, '/a%2fb')).to.equal('301 /encoded')
      expect(await ask(site, '/a%252Fb')).to.equal('404')
      expect(await ask(site, '/c%20d')).to.equal('301 /space')
      expect(await ask(site, '/c+d')).to.equal('301 /plus')
      expect(await ask(site, '/c%2Bd')).to.equal('301 /plus')
      expect(await ask(site, '/c%2520d')).to.equal('301 /twice')
    })

    it('is case-sensitive if the rule is', async () => {
      await make(site, '/Case', '/capital', { caseSensitive: true })
      expect(await ask(site, '/case')).to.equal('404')
      await make(site, '/case', '/any')
      expect(await ask(site, '/Case')).to.equal('301 /capital')
      expect(await ask(site, '/CASE')).to.equal('301 /any')
    })

    it('matches no rule if it is malformed, and never causes an error', async () => {
      await make(site, '/a', '/x')
      for (const path of [
        '/%ZZ',
        '/%',
        '/a%',
        '/%ff%fe',
        '/a%00',
        '/%00',
        '/./a',
        `/${'a/'.repeat(4000)}`,
        '/%F0%9F',
      ]) {
        expect(await ask(site, path), path.slice(0, 20)).to.equal('404')
      }
    })
  })

  describe('queries', () => {
    it('are left out, asked for, or passed on, as the rule wants', async () => {
      await make(site, '/ignore', '/x')
      await make(site, '/exact?b=2&a=1', '/y', { query: 'exact' })
      await make(site, '/plain', '/y', { query: 'exact' })
      await make(site, '/pass', '/z?own=1&utm_source=us#part', { query: 'pass' })
      expect(await ask(site, '/ignore?utm_source=a&fbclid=b')).to.equal('301 /x')
      expect(await ask(site, '/exact?a=1&b=2')).to.equal('301 /y')
      expect(await ask(site, '/exact?a=1&b=2&c=3')).to.equal('404')
      expect(await ask(site, '/exact')).to.equal('404')
      expect(await ask(site, '/plain')).to.equal('301 /y')
      expect(await ask(site, '/plain?fbclid=b')).to.equal('404')
      expect(await ask(site, '/pass?a=1&a=2&b=&utm_source=you')).to.equal('301 /z?own=1&utm_source=us&a=1&a=2&b=#part')
    })

    it('of a source must be there, among others, and the rule that wants most comes first', async () => {
      await make(site, '/index.php?p=7', '/seven')
      await make(site, '/index.php?p=7&page=2', '/seven/2')
      await make(site, '/index.php?cat=3', '/three', { query: 'pass' })
      expect(await ask(site, '/index.php?utm=x&p=7')).to.equal('301 /seven')
      expect(await ask(site, '/index.php?page=2&P=7')).to.equal('301 /seven/2')
      expect(await ask(site, '/index.php?cat=3&x=%0d%0aA:b')).to.equal('301 /three?x=%0D%0AA%3Ab')
      expect(await ask(site, '/nothing?p=7')).to.equal('404')
      await make(site, '/?old=1', '/home')
      expect(await ask(site, '/?old=1')).to.equal('301 /home')
      expect(await ask(site, '/')).to.equal('200')
    })

    it('are seen by an expression only where the rule says so', async () => {
      await make(site, '^/index\\.php\\?id=(\\d+)$', '/item/$1', { match: 'regex', query: 'exact' })
      await make(site, '^/contact-us(/.*)?$', '/contact$1', { match: 'regex', status: 302 })
      expect(await ask(site, '/index.php?id=12')).to.equal('301 /item/12')
      expect(await ask(site, '/contact-us')).to.equal('302 /contact')
      expect(await ask(site, '/contact-us/berlin?x=1')).to.equal('302 /contact/berlin')
    })
  })

  it('answers 410 and 451 with a page, HEAD as GET, and leaves POST, REST and the admin alone', async () => {
    await make(site, '/gone', '', { status: 410 })
    await make(site, '/banned', '/ignored', { status: 451 })
    await make(site, '/moved', '/x')
    // Takes all that there is, and leads away: on this site it would lead to itself.
    await make(site, '.*', 'https://other.example/', { match: 'regex', status: 302 })
    expect(await ask(site, '/hello-world/')).to.equal('302 https://other.example/')
    const gone = await raw(site, '/gone')
    expect(gone.status).to.equal(410)
    expect(gone.text).to.contain('<h1>Page removed</h1>')
    expect((await raw(site, '/banned')).status).to.equal(451)
    expect(await ask(site, '/gone', 'HEAD')).to.equal('410')
    expect(await ask(site, '/moved', 'HEAD')).to.equal('301 /x')
    expect(await ask(site, '/moved', 'POST')).to.equal('405')
    expect(await ask(site, '/wp-json/host/v1/health')).to.equal('200')
    expect(await ask(site, '/wp-login.php')).to.equal('200')
  })
})
