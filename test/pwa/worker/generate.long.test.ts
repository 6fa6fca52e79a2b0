import { Script } from 'node:vm'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openPwaSite, set } from '../pwa-site.ts'

const FILE = '/wp-content/uploads/pwa/scripts/serviceworker.js'

describe('The service worker of the app', () => {
  let site: TestHost
  beforeEach(async () => {
    site = await openPwaSite()
  })
  afterEach(() => site.close())

  const generate = () =>
    site.request('/wp-json/pwa/v1/service-worker/generate', { method: 'POST', as: 'administrator' })
  const generated = async (): Promise<{ url: string; version: string; size: number }> => {
    const answer = await generate()
    expect(answer.status).to.equal(200)
    return JSON.parse(await answer.text()).data
  }
  const file = async () => (await site.get(FILE)).text()

  describe('POST /pwa/v1/service-worker/generate', () => {
    it('is an administrator’s', async () => {
      const path = '/wp-json/pwa/v1/service-worker/generate'
      expect((await site.request(path, { method: 'POST' })).status).to.equal(401)
      expect((await site.request(path, { method: 'POST', as: 'editor' })).status).to.equal(403)
    })

    it('puts a worker for the whole site in place, and says where, which and how large', async () => {
      const { url, version, size } = await generated()
      expect(url).to.equal(site.url + FILE)
      expect(version).to.match(/^[0-9a-f]{12}$/)
      const answer = await site.get(FILE)
      const source = await answer.text()
      expect(Buffer.byteLength(source)).to.equal(size)
      expect(answer.headers.get('Content-Type')).to.equal('text/javascript; charset=utf-8')
      expect(answer.headers.get('Service-Worker-Allowed')).to.equal('/')
      expect(answer.headers.get('Cache-Control')).to.equal('no-cache')
      expect(source).not.to.match(/importScripts|https?:\/\//)
    })

    it('makes the same of the same settings, and something else of others', async () => {
      const first = await generated()
      await set(site, { offlineCacheStrategy: 'CacheFirst' })
      expect((await generated()).version).not.to.equal(first.version)
      await set(site, { offlineCacheStrategy: 'NetworkFirst' })
      expect(await Promise.all([generated(), generated(), generated()])).to.deep.equal([first, first, first])
    })

    it('takes any name of a site', async () => {
      await set(site, {
        appName: '`$x` "\'</script>',
        offlineFallbackPage: "/o'`$1/",
      })
      await site.host.content.updateSiteSettings({ title: 'a\u2028`$b`"\'\\ </script>' })
      await generated()
      const source = await file()
      expect(() => new Script(source)).not.to.throw()
      expect(source).not.to.contain('</script>')
    })
  })

  it('is regenerated when settings change', async () => {
    await generated()
    const before = await file()
    await set(site, { offlineCacheExpiration: 33 })
    expect(await file()).not.to.equal(before)
  })

  for (const filter of ['pwa_handles_files', 'pwa_keeps_files'] as const) {
    it(`handles no files if a callback for ${filter} returns false`, async () => {
      await set(site, { offlineCache: 'on' })
      await generated()
      expect(await file()).to.match(/handlesFiles['"]?:\s*(true|!0)/)
      site.host.hooks.addFilter(filter, () => false)
      await generated()
      expect(await file()).to.match(/handlesFiles['"]?:\s*(false|!1)/)
    })
  }

  describe('the filter pwa_serviceworker', () => {
    it('receives source and settings, and returns the worker', async () => {
      let days: unknown
      site.host.hooks.addFilter('pwa_serviceworker', (source, settings) => {
        days = settings.offlineCacheExpiration
        return `${source}\n// mine`
      })
      await generated()
      expect(await file()).to.match(/\/\/ mine$/)
      expect(days).to.equal(10)
    })

    for (const [name, broken] of Object.entries({
      'no JavaScript': 'const = {',
      'a module': 'export default 1',
      nothing: '',
    })) {
      it(`is refused where it makes ${name} of it, and the old worker stays`, async () => {
        await generated()
        const before = await file()
        const undo = site.host.hooks.addFilter('pwa_serviceworker', () => broken)
        const answer = await generate()
        expect(answer.status).to.equal(500)
        expect(JSON.parse(await answer.text()).code).to.equal('invalid_serviceworker')
        expect(await file()).to.equal(before)
        undo()
        await generated()
      })
    }
  })

  describe('pages', () => {
    const dataOf = async () => {
      const html = await (await site.get('/')).text()
      return JSON.parse(/<script type="application\/json" id="pwa-settings">(.*?)<\/script>/.exec(html)?.[1] ?? '{}')
    }

    it('name it, with the worker in place', async () => {
      expect((await dataOf()).worker).to.equal(FILE)
      expect((await site.get(FILE)).status).to.equal(200)
    })

    it('do not once nothing needs it, and browsers that have it get one that removes it', async () => {
      await generated()
      await set(site, { offlineCache: 'off', pushButton: 'on' })
      expect(await file())
        .to.contain('showNotification')
        .and.not.to.contain('navigationPreload')
      expect((await dataOf()).worker).to.equal(FILE)
      await set(site, { pushButton: 'off' })
      expect(await file())
        .to.contain('.unregister()')
        .and.not.to.contain('showNotification')
      expect((await dataOf()).worker).to.equal(undefined)
    })
  })

  it('is not there once the plugin is switched off, whereupon it leaves the browsers that have it', async () => {
    await generated()
    await site.host.extensions.deactivate('pwa')
    expect((await site.get(FILE)).status).to.equal(404)
  })

  it('is the only thing in its folder that is answered, with the files of the pages', async () => {
    await generated()
    for (const name of ['other.js', 'serviceworker.js.map', 'serviceworker.html', 'x.0123456789abc.js', 'x.css']) {
      expect((await site.get(`/wp-content/uploads/pwa/scripts/${name}`)).status, name).to.equal(404)
    }
  })

  it('leaves nothing behind', async () => {
    await site.get('/')
    await generated()
    await site.expectNoLeaks('pwa')
  })
})
