import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSite } from '../../app/create-site.ts'
import type { TestHost } from '../../app/testing/index.ts'
import { CHEAPEST } from '../../core/auth/index.ts'
import { ask, startCachedSite } from '../speed/cached-site.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { extensionSource } from './extension-site.ts'

const SECRET = 'to Pentad. This is your first post'

describe('content that an extension protects', () => {
  let site: TestHost
  let folder: string

  beforeEach(async () => {
    site = await startCachedSite()
    folder = temporaryFolder()
    await site.request('/wp-json/host/v1/settings/host', {
      ...{ method: 'PUT', as: 'administrator', body: { settings: { callbackTimeLimit: 50 } } },
    })
  })
  afterEach(() => site.close())

  async function activate(body: string): Promise<void> {
    mkdirSync(join(folder, 'members'), { recursive: true })
    writeFileSync(join(folder, 'members', 'index.ts'), extensionSource('members', body))
    await site.host.extensions.activate(await site.host.extensions.add(join(folder, 'members')))
  }
  const members = () => site.host.extensions.list().find(({ id }) => id === 'members')

  /** Nobody but who may switch extensions gets to see it, twice, so that a cache would have stored it. */
  async function expectClosed(): Promise<void> {
    for (const path of ['/hello-world/', '/hello-world/', '/', '/feed/', '/?s=welcome', '/wp-json/wp/v2/posts']) {
      const answer = await ask(site, path)
      expect(answer.body.toString(), path).to.not.contain(SECRET)
      expect(answer.headers['x-cache'], path).to.not.be.oneOf(['HIT', 'STALE'])
      expect(answer.headers['cache-control'], path).to.contain('no-store')
    }
    const page = await ask(site, '/hello-world/')
    expect(page.status).to.equal(503)
    expect(Number(page.headers['retry-after'])).to.be.greaterThan(0)
  }

  for (const [title, answer] of [
    ['throws', `throw new Error('no luck')`],
    ['returns a wrong value', 'return null as never'],
    ['returns nothing', 'return undefined as never'],
    ['never ends', 'return new Promise<string>(() => {})'],
  ]) {
    it(`is shown nowhere when the callback ${title}, nor while its extension is paused, and is when it is deactivated`, async () => {
      await activate(
        `host.hooks.addFilter('the_content', async () => { ${answer} }, { priority: 20, onError: 'closed' })`,
      )
      await expectClosed()
      await until(() => members()?.state === 'paused')
      await expectClosed()
      const off = await site.request('/wp-json/host/v1/extensions/members/deactivate', {
        method: 'POST',
        as: 'administrator',
      })
      expect(off.status).to.equal(200)
      expect((await ask(site, '/hello-world/')).body.toString()).to.contain(SECRET)
    })
  }

  it('is stored by no cache for any of several visitors who come at once', async () => {
    await activate(
      `host.hooks.addFilter('the_content', async () => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        throw new Error('no luck')
      }, { priority: 20, onError: 'closed' })`,
    )
    for (const path of ['/', '/?s=welcome', '/hello-world/']) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => ask(site, path)))
      for (const { headers, body } of answers) {
        expect(body.toString(), path).to.not.contain(SECRET)
        expect(headers['cache-control'], path).to.contain('no-store')
      }
    }
  })

  it('is closed where its extension is activated again and fails, also what was cached while it was off', async () => {
    await activate(`host.hooks.addFilter('the_content', () => 'for members', { priority: 20, onError: 'closed' })`)
    expect((await ask(site, '/hello-world/')).body.toString()).to.not.contain(SECRET)
    const turn = (action: string) =>
      site.request(`/wp-json/host/v1/extensions/members/${action}`, { method: 'POST', as: 'administrator' })
    expect((await turn('deactivate')).status).to.equal(200)
    for (const cached of ['MISS', 'HIT']) {
      const page = await ask(site, '/hello-world/')
      expect(page.body.toString()).to.contain(SECRET)
      expect(page.headers['x-cache']).to.equal(cached)
    }
    writeFileSync(join(folder, 'members', 'index.ts'), extensionSource('members', `throw new Error('no luck')`))
    const failed = await turn('activate')
    const reason =
      'no luck (members/index.ts:5) The content that it protects is not available until it runs again or is deactivated.'
    expect(failed.status).to.equal(409)
    expect(await failed.json()).to.have.nested.property('data.reason', reason)
    expect(members()).to.include({ state: 'paused', reason })
    await expectClosed()
    expect((await turn('deactivate')).status).to.equal(200)
    expect((await ask(site, '/hello-world/')).body.toString()).to.contain(SECRET)
  })

  it('is rendered once if it is closed: the request is not passed on to render it again', async () => {
    await activate(
      `let calls = 0
      host.hooks.addFilter('the_content', () => new Promise<string>(() => { calls++ }), { onError: 'closed' })
      host.rest.registerRoute('members/v1', { method: 'GET', path: '/calls', access: 'public', handler: () => calls })`,
    )
    const page = await ask(site, '/hello-world/')
    expect(page.status).to.equal(503)
    expect(page.headers).to.include({ 'x-cache': 'BYPASS', 'cache-control': 'private, no-store' })
    expect(page.headers['content-type']).to.contain('text/html')
    expect(await (await site.get('/wp-json/members/v1/calls')).json()).to.equal(1)
  })

  it('is logged once a minute, however many requests are refused for it', async () => {
    const logged: unknown[] = []
    site.host.log.warn = (...record: unknown[]) => void logged.push(record[1])
    await activate(
      `host.hooks.addFilter('the_content', () => { throw new Error('no luck') }, { priority: 20, onError: 'closed' })`,
    )
    await expectClosed()
    await until(() => members()?.state === 'paused')
    await expectClosed()
    const repeated = logged.filter((message) => String(message).includes('could not be rendered for visitors'))
    expect(repeated).to.deep.equal(['post could not be rendered for visitors, no public text'])
    expect(new Set(logged).size).to.equal(logged.length)
  })

  it('is never shown in an older copy of the page cache', async () => {
    expect((await ask(site, '/hello-world/')).body.toString()).to.contain(SECRET)
    expect((await ask(site, '/hello-world/')).headers['x-cache']).to.equal('HIT')
    await activate(`host.hooks.addFilter('the_content', () => { throw new Error('no luck') }, { onError: 'closed' })`)
    await expectClosed()
  })

  it('is in no page that is rendered after the change that hides it, by this process or another', async () => {
    const hides = (condition: string) =>
      `let hidden = false
      host.rest.registerRoute('members/v1', { method: 'POST', path: '/hide', access: 'public', handler: () => {
        hidden = true
        host.hooks.doAction('purge_pages', { tags: ['site'], reason: 'Members changed.' })
        return {}
      } })
      host.hooks.addFilter('the_content', async (html, post) => (${condition}) ? html.replaceAll('${SECRET}', '') : html)`
    const paths = ['/', '/feed/', '/hello-world/']
    const shown = async (path: string) => (await ask(site, path)).body.toString().includes(SECRET)

    await activate(hides('hidden'))
    for (const path of paths) expect(await shown(path), path).to.equal(true)
    await site.request('/wp-json/members/v1/hide', { method: 'POST' })
    for (const path of paths) expect(await shown(path), `${path} after a purge of this process`).to.equal(false)

    await site.host.extensions.deactivate('members')
    await activate(hides(`(await host.content.meta.get('post', post.id, 'for_members')) !== undefined`))
    const { siteDir, url } = site.host.config
    const other = await createSite({ siteDir, url, port: 0, logLevel: 'silent' }, { passwordCost: CHEAPEST })
    // What its start changes would make this process forget texts, too.
    const known = ({ options }: Pick<TestHost['host'], 'options'>) => JSON.stringify(options.get('host_extensions'))
    await until(() => known(site.host) === known(other))
    for (const path of paths) expect(await shown(path), path).to.equal(true)
    await other.content.meta.set('post', 1, 'for_members', '1')
    await other.close()
    for (const path of paths) {
      // The purge has arrived once the page is no longer the cached one.
      await until(async () => (await ask(site, path)).headers['x-cache'] !== 'HIT')
      expect(await shown(path), `${path} after a purge of another process`).to.equal(false)
    }
  })

  it('is closed by a filter of capabilities that throws, for all but who may switch extensions', async () => {
    await activate(
      `host.hooks.addFilter('map_meta_cap', (caps, cap) => { if (cap === 'read_post') throw new Error('no luck'); return caps })`,
    )
    const hidden = async () => {
      const page = await ask(site, '/hello-world/')
      expect(page.body.toString()).to.not.contain(SECRET)
      expect(page.headers['cache-control']).to.contain('no-store')
      expect((await site.get('/wp-json/wp/v2/posts/1')).status).to.be.oneOf([401, 403, 404])
    }
    await hidden()
    await until(() => members()?.state === 'paused')
    await hidden()
    expect((await site.get('/wp-json/host/v1/extensions', { as: 'administrator' })).status).to.equal(200)
  })
})
