import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSeoSite } from '../seo-site.ts'
import { ask, call, clear, make } from './redirects-site.ts'

describe('Redirects by pattern', () => {
  let site: TestHost

  before(async () => {
    site = await openSeoSite()
  })
  after(() => site.close())
  afterEach(() => clear(site))

  const regex = (source: string, target = '/x') => call(site, 'POST', '/redirects', { source, target, match: 'regex' })

  for (const source of [
    '(',
    '[z-a]',
    'a**',
    '(a)\\1',
    '(?=a)b',
    '(?<!a)b',
    '(?>a)',
    'x{1001}',
    '((a{20}){20}){20}',
    '\\p{Klingon}',
    // Linear, but with so many steps for each character that one visitor would keep all others waiting.
    `^/(?:${'.?'.repeat(400)}){200}x$`,
    `^/(?:${'.?'.repeat(20)}){150}x$`,
    `^/${'(.*)a'.repeat(100)}$`,
  ]) {
    it(`refuses ${source.slice(0, 40)}`, async () => {
      const refused = await regex(source)
      expect(refused).to.deep.include({ status: 400, code: 'invalid_regex' })
      expect(refused.data.params).to.have.property('source')
      const off = await call(site, 'POST', '/redirects', { source, target: '/x', match: 'regex', enabled: false })
      expect(off).to.deep.include({ status: 400, code: 'invalid_regex' })
    })
  }

  it('refuses wildcards with more stars than a target can name', async () => {
    const refused = await call(site, 'POST', '/redirects', {
      ...{ source: `/${'*a'.repeat(100)}`, target: '/x', match: 'wildcard' },
    })
    expect(refused).to.deep.include({ status: 400, code: 'invalid_regex' })
  })

  it('takes linear time for an expression crafted for catastrophic backtracking', async () => {
    for (const source of ['^/(a+)+$', '^/(a|aa)+$', '^/([a-z]+)*\\d$', '^/(.*)*!{2}$'])
      expect((await regex(source)).status, source).to.equal(201)
    // An engine that goes back and tries again would be busy until the test is given up. No pattern sees the longer ones.
    for (const length of [2_000, 5_000])
      for (const end of ['!', '1!']) expect(await ask(site, `/${'a'.repeat(length)}${end}`)).to.equal('404')
    expect(await ask(site, `/${'a'.repeat(1_000)}`)).to.equal('301 /x')
  })

  it('finds the oldest of them, after the exact rules', async () => {
    await make(site, '/shop/*', '/first/*', { match: 'wildcard' })
    await make(site, '^/shop/(\\d+)$', '/second/$1', { match: 'regex' })
    await make(site, '/shop/7', '/exact')
    expect(await ask(site, '/shop/7')).to.equal('301 /exact')
    expect(await ask(site, '/shop/8')).to.equal('301 /first/8')
  })

  it('ignores case in every alphabet, unless it shall not', async () => {
    await make(site, '^/новости-(\\d+)/?$', '/news/$1', { match: 'regex' })
    await make(site, '/ΣΊΣΥΦΟΣ/*', '/myth/*', { match: 'wildcard' })
    await make(site, '^/Strict$', '/x', { match: 'regex', caseSensitive: true })
    expect(await ask(site, `/${encodeURIComponent('НОВОСТИ-12')}/`)).to.equal('301 /news/12')
    expect(await ask(site, `/${encodeURIComponent('σίσυφος')}/1`)).to.equal('301 /myth/1')
    expect(await ask(site, '/strict')).to.equal('404')
    expect(await ask(site, '/Strict')).to.equal('301 /x')
  })

  it('sees the beginnings and texts that expressions have, however they are written', async () => {
    const expressions = [
      '^/a(?:b|c)?d$',
      '^/e[/|]f$',
      '^/g{2}h?$',
      '^/(i|j)k\\.html?$',
      '\\x2Flm$',
      '^/n\\pLo$|^/p$',
      '(?i)^/q+$',
    ]
    for (const [at, source] of expressions.entries()) await make(site, source, `/to/${at}`, { match: 'regex' })
    const asked = ['/abd', '/e|f', '/gg', '/jk.htm', '/lm', '/P', '/QQ']
    for (const [at, path] of asked.entries()) expect(await ask(site, path), path).to.equal(`301 /to/${at}`)
  })

  it('takes what is below a wildcard, with a slash at the end or without', async () => {
    await make(site, '/a/*/b/*/', '/$2/*?q=$1', { match: 'wildcard' })
    expect(await ask(site, '/a/1/2/b/3')).to.equal('301 /3/1/2?q=1/2')
    expect(await ask(site, '/a/1/b')).to.equal('404')
    await make(site, '/c.d/*', '/e', { match: 'wildcard' })
    expect(await ask(site, '/cxd/1')).to.equal('404')
    expect(await ask(site, '/c.d/')).to.equal('301 /e')
  })
})
