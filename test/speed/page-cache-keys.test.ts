import { expect } from 'chai'
import type { TestHost } from '../../app/testing/index.ts'
import { ask, cacheStateOf, startCachedSite } from './cached-site.ts'

describe('The address under which a page is kept', () => {
  let site: TestHost
  before(async () => {
    site = await startCachedSite({}, { bypassPaths: ['/sample-*'] })
    await ask(site, '/hello-world/')
  })
  after(() => site.close())

  for (const [what, path] of [
    ['an empty query', '/hello-world/?'],
    ['tracking parameters', '/hello-world/?utm_source=mail&gclid=1&mtm_kwd=x'],
    ['a tracking parameter whose name is encoded', '/hello-world/?utm%5Fsource=mail'],
    ['empty parameters', '/hello-world/?&&'],
  ] as const) {
    it(`is the same with ${what}`, async () => {
      expect(await cacheStateOf(site, path)).to.equal('HIT')
    })
  }

  it('does not depend on the order of parameters, but on the order of those that repeat a name', async () => {
    await ask(site, '/hello-world/?b=2&a=1')
    expect(await cacheStateOf(site, '/hello-world/?a=1&utm_id=3&b=2')).to.equal('HIT')
    await ask(site, '/hello-world/?x=1&x=2')
    expect(await cacheStateOf(site, '/hello-world/?x=2&x=1')).to.equal('MISS')
    expect(await cacheStateOf(site, '/hello-world/?x=1')).to.equal('MISS')
  })

  it('does not depend on the case of percent-encoding', async () => {
    await ask(site, '/?q=%C3%A4')
    expect(await cacheStateOf(site, '/?q=%c3%a4')).to.equal('HIT')
  })

  it('is another for another case of letters', async () => {
    expect(await cacheStateOf(site, '/Hello-World/')).not.to.equal('HIT')
  })

  for (const path of [
    '/hello-world/?utm_source=a;s=b',
    '/hello-world;jsessionid=1/',
    '/hello-world%2f',
    '/x/..%2fhello-world/',
    '/x/../hello-world/',
    '/./hello-world/',
    '//hello-world/',
    '/%68ello-world/',
    '/hello-world%00/',
    '/hello-world/%0d%0aX-Cache:%20HIT',
    '/hello-world%5c',
    '/hello-world/?a=%zz',
    '/%ff%fe/',
    `/hello-world/?a=${'x'.repeat(3_000)}`,
    `/hello-world/?${Array.from({ length: 60 }, (_, at) => `p${at}=1`).join('&')}`,
  ]) {
    it(`is never made of ${path.slice(0, 40)}`, async () => {
      expect(await cacheStateOf(site, path)).to.equal('BYPASS')
      expect(await cacheStateOf(site, path)).to.equal('BYPASS')
    })
  }

  for (const path of [
    ...['/wp-json/', '/wp-json', '/wp-admin/', '/wp-login.php', '/wp-content/themes/default/style.css', '/favicon.ico'],
    ...[
      '/index.php',
      '/x.PHP/y',
      '/?s=hello',
      '/?preview=true&p=1',
      '/hello-world/?moderation-hash=1',
      '/?rest_route=/',
    ],
    ...['/sample-page/', '/?%73=hello'],
  ]) {
    it(`does not exist for ${path}`, async () => {
      await ask(site, path)
      expect(await cacheStateOf(site, path)).to.equal('BYPASS')
    })
  }
})
