import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from '../../app/testing/index.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { ask, cacheStateOf, startCachedSite } from './cached-site.ts'

/** Answers odd things in a page's stead. */
const ODD_PAGES = `import { defineExtension } from 'pentad'
const html = '<!doctype html><html><body>odd</body></html>'
const headers = { 'Content-Type': 'text/html; charset=UTF-8' }
const answers = {
  '/cookie/': { headers: { ...headers, 'Set-Cookie': 'a=1' }, body: html },
  '/private/': { headers: { ...headers, 'Cache-Control': 'max-age=60, PRIVATE' }, body: html },
  '/no-store/': { headers: { ...headers, 'Cache-Control': 'no-store' }, body: html },
  '/vary/': { headers: { ...headers, Vary: 'Accept-Encoding, Cookie' }, body: html },
  '/vary-all/': { headers: { ...headers, Vary: '*' }, body: html },
  '/cut/': { headers, body: '<!doctype html><html><body>od' },
  '/commented/': { headers, body: html + '\\n<!-- a -->\\n<!-- <!-- b -->' },
  '/cut-after/': { headers, body: html + '<!---->'.repeat(1000) + 'x' },
  '/cut-within/': { headers, body: html + '<!-- </html>' },
  '/empty/': { headers, body: '' },
  '/json/': { headers: { 'Content-Type': 'application/json' }, body: '{}' },
  '/gzip/': { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: html },
  '/nonce/': { headers: { ...headers, 'Content-Security-Policy': "script-src 'nonce-abc'" }, body: html },
  '/created/': { status: 201, headers, body: html },
  '/moved/': { status: 302, headers: { Location: '/' }, body: '' },
  '/broken/': { status: 503, headers, body: html },
  '/plain/': { headers, body: html },
}
export default defineExtension({
  id: 'odd-pages', name: 'Odd pages', version: '1.0.0',
  setup({ hooks }) {
    hooks.addAction('template_redirect', (page) => {
      if (page.path === '/throws/') throw new Error('on purpose')
      const answer = answers[page.path]
      if (answer) page.respond(answer)
    })
  },
})`

describe('What the page cache keeps', () => {
  let site: TestHost
  before(async () => {
    const folder = join(temporaryFolder(), 'odd-pages')
    await mkdir(folder)
    await writeFile(join(folder, 'index.ts'), ODD_PAGES)
    site = await startCachedSite({ extensions: [folder] })
  })
  after(() => site.close())

  const twice = async (path: string) => [await cacheStateOf(site, path), await cacheStateOf(site, path)]

  for (const path of [
    '/',
    '/hello-world/',
    '/category/uncategorized/',
    '/feed/',
    '/plain/',
    '/commented/',
    '/nothing-there/',
  ]) {
    it(`has ${path}`, async () => {
      expect(await twice(path)).to.deep.equal(['MISS', 'HIT'])
    })
  }

  for (const name of 'cookie private no-store vary vary-all cut cut-after cut-within empty json gzip nonce created moved broken'.split(
    ' ',
  )) {
    it(`never has the answer /${name}/`, async () => {
      expect(await twice(`/${name}/`)).to.deep.equal(['BYPASS', 'BYPASS'])
    })
  }

  it('never has a redirect to the canonical address', async () => {
    expect(await twice('/hello-world')).to.deep.equal(['BYPASS', 'BYPASS'])
    expect((await ask(site, '/hello-world')).headers.location).to.match(/\/hello-world\/$/)
  })

  it('never has robots.txt', async () => {
    expect(await twice('/robots.txt')).to.deep.equal(['BYPASS', 'BYPASS'])
  })

  it('passes what an extension answers unchanged, Set-Cookie and all', async () => {
    expect((await ask(site, '/cookie/')).headers['set-cookie']).to.deep.equal(['a=1'])
  })

  it('never has a post with a password, locked or open', async () => {
    const author = await site.host.auth.users.getByLogin('admin')
    await site.host.content.posts.insert({
      ...{ title: 'Secret', slug: 'secret', status: 'publish', content: 'hidden words', password: 'sesame' },
      authorId: author?.id ?? 0,
    })
    expect(await twice('/secret/')).to.deep.equal(['BYPASS', 'BYPASS'])
    expect(await cacheStateOf(site, '/', { cookie: 'wp-postpass=x' })).to.equal('BYPASS')
  })

  for (const [what, headers] of Object.entries({
    'the session cookie': { cookie: 'theme=dark; pentad_session=abc' },
    'the session cookie of https': { cookie: '__Host-pentad_session=abc' },
    'the session cookie, oddly written': { cookie: 'a=b;pentad_session =abc' },
    'a cart': { cookie: 'store_cart=1' },
    "a commenter's name": { cookie: 'comment_author_123=Ann' },
    'a password': { authorization: 'Basic YTpi' },
    'a body': { 'content-length': '3' },
  })) {
    it(`is not for a request with ${what}`, async () => {
      await ask(site, '/hello-world/')
      const body = 'content-length' in headers ? 'a=b' : ''
      expect((await ask(site, '/hello-world/', { headers, body })).headers['x-cache']).to.equal('BYPASS')
    })
  }

  it('is for a request with a cookie that means nothing', async () => {
    await ask(site, '/hello-world/')
    expect(await cacheStateOf(site, '/hello-world/', { cookie: '_ga=1; my_pentad_sessions=x' })).to.equal('HIT')
  })

  it('is not for POST and other methods', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PURGE']) {
      expect((await ask(site, '/hello-world/', { method })).headers['x-cache'], method).to.equal('BYPASS')
    }
  })

  it('is not served while the setting is off', async () => {
    const settings = site.host.settings.get('speed')
    await settings?.update({ pageCache: 'off' })
    expect(await cacheStateOf(site, '/hello-world/')).to.equal('BYPASS')
    await settings?.update({ pageCache: 'on' })
    expect(await cacheStateOf(site, '/hello-world/')).to.equal('HIT')
  })
})
