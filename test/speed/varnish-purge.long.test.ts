import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { isAllSent, purgeTags } from './caches-in-front.ts'
import { createVisits, itKeepsAndPurges } from './front-cache.ts'
import { createVarnish, type FrontServer } from './front-server.ts'

const root = join(import.meta.dirname, '../..')
const extensions = ['plugins/speed', 'extensions/varnish-purge'].map((path) => join(root, path))
const SECRET = 'a-secret-that-nobody-may-see'

describe('varnish-purge, with a real Varnish in front', () => {
  let host: TestHost
  let varnish: FrontServer

  before(async () => {
    const port = await freePort()
    const config = { url: `http://127.0.0.1:${port}`, trustedProxies: ['127.0.0.1'] }
    host = await createTestHost({ extensions, config })
    // The line that the guide has as a comment.
    const withSecret = (vcl: string) => vcl.replace(/# (if .*)the same secret/, `$1${SECRET}`)
    varnish = await createVarnish(Number(new URL(host.url).port), port, withSecret)
    await varnish.start()
    await set({ nodes: [varnish.url], secret: SECRET })
  })
  after(async () => {
    await varnish?.remove()
    await host?.close()
  })

  const send = (path: string, body: unknown, method = 'POST') =>
    host.request(`/wp-json${path}`, { method, body, as: 'administrator' })
  const set = (settings: unknown) => send('/host/v1/settings/varnish-purge', { settings }, 'PUT')
  const edit = (id: number, title: string) => send(`/wp/v2/posts/${id}`, { title }, 'PUT')
  const test = () => send('/varnish-purge/v1/test', undefined)

  /** Varnish names two requests in `X-Varnish` where it answers from its cache. */
  const visits = createVisits(
    () => varnish,
    (headers) => headers.get('x-varnish')?.includes(' ') ?? false,
  )
  const { visit, keep, isGone } = visits
  const bans = () => execFileSync('varnishadm', ['-n', join(varnish.folder, 'work'), 'ban.list'], { encoding: 'utf8' })

  it('keeps public pages there, though browsers ask each time', async () => {
    await keep('/hello-world/', '/')
    const { headers } = await visit('/hello-world/')
    expect(headers.get('cache-control')).to.equal('public, max-age=0, must-revalidate')
    for (const name of ['surrogate-key', 'surrogate-control', 'cache-tag']) {
      expect(headers.has(name), name).to.equal(false)
    }
  })

  it('keeps one copy for all cookies and parameters that change nothing', async () => {
    await keep('/hello-world/')
    expect((await visit('/hello-world/?utm_source=x&fbclid=1', { Cookie: '_ga=1; theme=dark' })).isCached).to.equal(
      true,
    )
  })

  itKeepsAndPurges(() => host, visits)

  it('serves a page once more after a soft purge of its URL', async () => {
    let word = ''
    host.host.hooks.addFilter('page_html', (html) => html.replace('</body>', `${word}</body>`))
    // Earlier purges are repeated after five seconds, and a purge that is sent with them is not soft.
    const isServedOnceMore = async (at: string) => {
      await keep('/hello-world/')
      word = at
      await purgeTags(host, [], { urls: [`${varnish.url}/hello-world/`], soft: true })
      await until(() => isAllSent(host), { seconds: 60 })
      const { isCached, html } = await visit('/hello-world/')
      return isCached && !html.includes(word)
    }
    let attempt = 0
    await until(() => isServedOnceMore(`attempt ${++attempt};`), { seconds: 60 })
    await until(async () => (await visit('/hello-world/')).html.includes(word))
  })

  it('purges everything', async () => {
    await keep('/hello-world/', '/sample-page/')
    expect((await send('/speed/v1/purge-everything-and-preload', {})).status).to.equal(200)
    for (const path of ['/hello-world/', '/sample-page/']) await until(() => isGone(path))
  })

  it('bans many tags with few requests', async () => {
    const tags = Array.from({ length: 250 }, (_, at) => `product-${at}`)
    await purgeTags(host, tags)
    await until(() => bans().match(/product-/g)?.length === 250)
    // Repeats of earlier purges may take a place in the first or last request.
    expect(bans().match(/^.*product-.*$/gm)?.length).to.be.within(3, 4)
  })

  it('rejects purges without the secret, and patterns as tags', async () => {
    const ban = (headers: Record<string, string>) => fetch(varnish.url, { method: 'BAN', headers })
    expect((await ban({ 'X-Purge-Tags': 'site' })).status).to.equal(403)
    expect((await ban({ 'X-Purge-Tags': '.*', 'X-Purge-Secret': SECRET })).status).to.equal(400)
    expect((await fetch(`${varnish.url}/hello-world/`, { method: 'PURGE' })).status).to.equal(403)
  })

  describe('POST /varnish-purge/v1/test', () => {
    const refusal = async () => {
      const answer = await test()
      return { status: answer.status, text: await answer.text() }
    }

    it('bans a tag that no page has', async () => {
      const answer = await test()
      expect(answer.status).to.equal(200)
      expect(await answer.json()).to.deep.equal({ status: 'success', data: { nodes: [varnish.url] } })
      expect(bans()).to.contain('connection-test')
    })

    it('says what is wrong, and never the secret', async () => {
      await set({ secret: 'wrong-secret' })
      const { status, text } = await refusal()
      expect(status).to.equal(502)
      expect(text).to.contain('responded to BAN with 403').and.not.contain('wrong-secret')
      await set({ nodes: [`http://127.0.0.1:${await freePort()}`, varnish.url], secret: SECRET })
      expect((await refusal()).text)
        .to.contain('varnish_failed')
        .and.contain('could not be reached')
      await set({ nodes: [] })
      expect((await refusal()).status).to.equal(409)
      // With the address went the secret.
      await set({ nodes: [varnish.url], secret: SECRET })
      expect((await test()).status).to.equal(200)
    })

    it('is for administrators', async () => {
      const ask = (as?: string) => host.request('/wp-json/varnish-purge/v1/test', { method: 'POST', ...(as && { as }) })
      expect((await ask()).status).to.equal(401)
      expect((await ask('editor')).status).to.equal(403)
    })
  })

  describe('while Varnish is stopped', () => {
    before(() => varnish.stop())

    it('answers purges and edits as ever, and sends them when it is back', async () => {
      expect((await send('/speed/v1/purge-current-page', { url: '/sample-page/' })).status).to.equal(200)
      expect((await edit(1, 'Good evening')).status).to.equal(200)
      await until(async () => !(await isAllSent(host)), { seconds: 60 })
      await varnish.start()
      await until(() => isAllSent(host), { seconds: 60 })
    })

    it('loses no purge even if the extension was not running', async () => {
      await varnish.stop()
      await edit(1, 'Good night')
      await until(async () => !(await isAllSent(host)), { seconds: 60 })
      await host.reload('varnish-purge')
      await varnish.start()
      await until(() => isAllSent(host), { seconds: 60 })
    })
  })

  it('leaves nothing behind', () => host.expectNoLeaks('varnish-purge'))
})
