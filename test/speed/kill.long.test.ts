import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { freePort } from '../support/free-port.ts'
import { pentad, startPentad } from '../support/pentad.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'
import { ask, cacheStateOf, isStored } from './cached-site.ts'

const PATHS = ['/', '/hello-world/', '/sample-page/', '/category/uncategorized/', '/author/admin/', '/feed/']

describe('A site with the page cache that is ended by kill -9 in the midst of its work', () => {
  it('shows whole pages, none from before an edit that it answered, and still has the others', async () => {
    const siteDir = temporaryFolder()
    // The address of a site is on its pages: after a restart it has to be the same.
    const port = String(await freePort())
    const start = () => startPentad(siteDir, ['--port', port])
    let site = await start()
    const created = await pentad(siteDir, ['user', 'app-password', 'admin', 'test'])
    const password = /(?:\w{4} ){5}\w{4}/.exec(created.output)?.[0] ?? ''
    const headers = { authorization: `Basic ${btoa(`admin:${password}`)}`, 'content-type': 'application/json' }

    for (let round = 1; round <= 4; round++) {
      await until(async () => (await cacheStateOf(site, '/sample-page/')) === 'HIT')
      let isOver = false
      const load = PATHS.map(async (path) => {
        for (let at = 0; !isOver; at++) await ask(site, at % 2 ? path : `${path}?round=${round}-${at}`).catch(() => {})
      })
      await wait(50 * round)
      const title = `Title of round ${round}`
      const edit = { method: 'POST', headers, body: JSON.stringify({ title }) }
      expect((await ask(site, '/wp-json/wp/v2/posts/1', edit)).status).to.equal(200)
      await site.end('SIGKILL')
      isOver = true
      await Promise.all(load)

      site = await start()
      for (const path of PATHS) {
        const { status, body } = await ask(site, path)
        expect([path, status]).to.deep.equal([path, 200])
        expect(body.toString(), path).to.match(/<\/(?:html|rss)>\s*$/)
        if (path !== '/sample-page/') expect(body.toString(), path).to.contain(title)
      }
    }
    // It is stored once its optimized files are generated.
    await until(async () => (await cacheStateOf(site, '/sample-page/')) === 'HIT' && isStored(siteDir, '/sample-page/'))
    await site.end()
    site = await start()
    expect(await cacheStateOf(site, '/sample-page/')).to.equal('HIT')
    await site.end('SIGKILL')
  })
})
