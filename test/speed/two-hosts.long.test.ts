import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from '../../app/testing/index.ts'
import { fileNameOf } from '../../plugins/speed/cache/page-file.ts'
import { onEachDatabase } from '../support/databases.ts'
import { until } from '../support/until.ts'
import { ask, cacheStateOf, countRenderings, isStored, siteWith, startCachedSite } from './cached-site.ts'
import { OPTIMIZER_OFF } from './optimizer-off.ts'

onEachDatabase('Two hosts of one site', (databaseUrl, kind) => {
  const url = 'http://example.org'
  const headers = { host: 'example.org' }
  const siteDir = siteWith({ preload: 'off', ...OPTIMIZER_OFF, vitalsSampleRate: 0 })
  let one: TestHost
  let other: TestHost

  before(async () => {
    const config = { siteDir, databaseUrl: await databaseUrl(), url }
    one = await startCachedSite({ config })
    other = await startCachedSite({ config })
  })
  after(async () => {
    await other?.close()
    await one?.close()
  })

  const see = async (host: TestHost, path: string, more: Record<string, string> = {}) =>
    (await ask(host, path, { headers: { ...headers, ...more } })).body.toString()
  /** On SQLite, a host looks for changes of others before it responds. */
  const soon = (condition: () => Promise<boolean>) =>
    kind === 'sqlite' ? condition().then((holds) => expect(holds, String(condition)).to.equal(true)) : until(condition)
  const rename = (title: string) =>
    one.request('/wp-json/wp/v2/posts/1', { method: 'PUT', body: { title }, as: 'administrator' })

  it('a change by one reaches visitors of the other', async () => {
    expect(await see(other, '/hello-world/')).to.include('Hello world!')
    await rename('Good morning')
    await soon(async () => (await see(other, '/hello-world/')).includes('Good morning'))
  })

  it('a page that one has rendered is read from disk by the other, before and after a change', async () => {
    const renderings = countRenderings(other)
    const state = (host: TestHost) => cacheStateOf(host, '/sample-page/', headers)
    const file = fileNameOf('/sample-page/')
    const isOnDisk = () => readdirSync(join(siteDir, 'cache/pages'), { recursive: true }).join().includes(`/${file}`)
    for (const title of ['One', 'Two', 'Three']) {
      await one.request('/wp-json/wp/v2/pages/2', { method: 'PUT', body: { title }, as: 'administrator' })
      expect(isOnDisk()).to.equal(false)
      expect(await state(one)).to.equal('MISS')
      await until(isOnDisk)
      await soon(async () => (await see(other, '/sample-page/')).includes(title))
      expect(await state(other)).to.equal('HIT')
    }
    expect(renderings.get('/sample-page/')).to.equal(undefined)
  })

  it('what the other still remembers of before is on no page for longer than that', async () => {
    // A visitor of the other, past the cache, makes it look up the post again just before the change.
    await see(other, '/hello-world/', { cookie: 'store_cart=1' })
    await rename('Good evening')
    const pages = Array.from({ length: 10 }, (_, at) => `/hello-world/?a=${at}`)
    for (const page of pages) await see(other, page)
    for (const page of pages) await soon(async () => (await see(other, page)).includes('Good evening'))
    for (const page of pages) await soon(async () => (await see(one, page)).includes('Good evening'))
  })

  if (kind === 'sqlite') {
    it('settings that one has stored are in effect in the other, although they purge nothing', async () => {
      await until(async () => (await cacheStateOf(other, '/hello-world/', headers)) === 'HIT')
      for (const [pageCache, state] of [
        ['off', 'BYPASS'],
        ['on', 'HIT'],
      ]) {
        const change = { method: 'PUT', body: { settings: { pageCache } } }
        expect((await one.request('/wp-json/speed/v1/settings', { ...change, as: 'administrator' })).status).to.equal(
          200,
        )
        expect(await cacheStateOf(other, '/hello-world/', headers)).to.equal(state)
      }
    })

    it('a page that is only on disk is not served after a host without visitors has changed it', async () => {
      await see(one, '/sample-page/')
      await until(() => isStored(siteDir, '/sample-page/'))
      // They would remove it within a second.
      await one.close()
      await other.close()
      const command = await startCachedSite({ config: { siteDir, url } })
      const fresh = await startCachedSite({ config: { siteDir, url } })
      try {
        await see(fresh, '/hello-world/')
        await command.host.content.posts.update(2, { title: 'By a command' })
        await command.close()
        expect(await see(fresh, '/sample-page/')).to.include('By a command')
      } finally {
        await fresh.close()
      }
    })
  }
})
