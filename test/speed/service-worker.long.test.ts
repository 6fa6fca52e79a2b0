import { Script } from 'node:vm'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { openSite, SITE } from './visits.ts'

const FILE = '/wp-content/uploads/speed/scripts/serviceworker.js'

describe('The service worker', () => {
  let host: TestHost

  beforeEach(async () => {
    host = await openSite()
  })
  afterEach(() => host.close())

  const generate = () =>
    host.request('/wp-json/speed/v1/service-worker/generate', { method: 'POST', as: 'administrator' })
  const generated = async (): Promise<{ url: string; version: string; size: number }> => {
    const answer = await generate()
    expect(answer.status).to.equal(200)
    return JSON.parse(await answer.text()).data
  }
  const file = async () => (await host.get(FILE)).text()
  const set = (settings: Record<string, unknown>) =>
    host.request('/wp-json/speed/v1/settings', { method: 'PUT', as: 'administrator', body: { settings } })
  /** The front page as it is rendered now, past the cache. */
  const page = async () => (await host.get(`/?nocache=${Math.random()}`)).text()

  describe('POST /speed/v1/service-worker/generate', () => {
    it('is an administrator’s', async () => {
      const path = '/wp-json/speed/v1/service-worker/generate'
      expect((await host.request(path, { method: 'POST' })).status).to.equal(401)
      expect((await host.request(path, { method: 'POST', as: 'editor' })).status).to.equal(403)
    })

    it('puts a worker for the whole site in place, and says where, which and how large', async () => {
      const { url, version, size } = await generated()
      expect(url).to.equal(SITE + FILE)
      expect(version).to.match(/^[0-9a-f]{12}$/)
      const answer = await host.get(FILE)
      const source = await answer.text()
      expect(Buffer.byteLength(source)).to.equal(size)
      expect(answer.headers.get('Content-Type')).to.equal('text/javascript; charset=utf-8')
      expect(answer.headers.get('Service-Worker-Allowed')).to.equal('/')
      expect(answer.headers.get('Cache-Control')).to.equal('no-cache')
      expect(() => new Script(source)).not.to.throw()
    })

    it('makes the same of the same', async () => {
      const first = await generated()
      expect(await generated()).to.deep.equal(first)
    })

    it('loads nothing from anywhere else', async () => {
      await generated()
      expect(await file()).not.to.match(/importScripts|https?:\/\/(?!site\.test)/)
    })
  })

  describe('the filter speed_serviceworker', () => {
    it('receives source and settings, and returns the worker', async () => {
      const before = await generated()
      let quality: unknown
      host.host.hooks.addFilter('speed_serviceworker', (source, settings) => {
        quality = settings.imageQuality
        return `${source}\n// mine`
      })
      const after = await generated()
      expect(after.version).not.to.equal(before.version)
      expect(await file()).to.match(/\/\/ mine$/)
      expect(quality).to.equal(75)
    })

    for (const [name, broken] of Object.entries({ 'no JavaScript': 'const = {', 'a module': 'export default 1' })) {
      it(`is refused where it makes ${name} of it, and the old worker stays`, async () => {
        await generated()
        const before = await file()
        const undo = host.host.hooks.addFilter('speed_serviceworker', () => broken)
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
    const script = /<script[^>]+src="?([^" >]*\/register\.[0-9a-f]{12}\.js)/

    it('register it with a script of the site that is cached permanently', async () => {
      const src = script.exec(await page())?.[1] ?? ''
      const answer = await host.get(new URL(src, SITE).pathname)
      expect(answer.status).to.equal(200)
      expect(answer.headers.get('Cache-Control')).to.equal('public, max-age=31536000, immutable')
      expect(await answer.text()).to.contain(FILE)
      expect((await host.get(FILE)).status).to.equal(200)
    })

    it('do not while it is turned off, and browsers unregister it', async () => {
      await page()
      expect(await file()).to.contain('"speed-assets"')
      await set({ serviceWorker: 'off' })
      expect(await page()).not.to.match(script)
      const farewell = await file()
      expect(farewell).to.contain('.unregister()').and.not.to.contain('"speed-assets"')
      await set({ serviceWorker: 'on' })
      expect(await page()).to.match(script)
      expect(await file()).not.to.equal(farewell)
    })

    it('do not where another worker has the scope, which carries our part', async () => {
      host.host.hooks.addFilter('speed_registers_serviceworker', () => false)
      expect(await page()).not.to.match(script)
      const filter: string = 'pwa_serviceworker'
      const theirs = await host.host.hooks.applyFiltersAsync(filter, 'self.theirs = true', {})
      expect(theirs)
        .to.match(/^self\.theirs = true\n/)
        .and.contain('speed-assets')
      expect(() => new Script(String(theirs))).not.to.throw()
      // Whether and when it takes over is for the worker to say that carries it.
      expect(theirs).not.to.contain('clients.claim').and.not.to.contain('skipWaiting()')
    })
  })

  it('is not there once the plugin is switched off, whereupon it leaves the browsers that have it', async () => {
    await generated()
    expect(await file()).to.contain('.unregister()')
    await host.host.extensions.deactivate('speed')
    expect((await host.get(FILE)).status).to.equal(404)
  })

  it('is the only thing in its folder that is answered, with the scripts of the service', async () => {
    await generated()
    for (const name of ['other.js', 'serviceworker.js.map', 'serviceworker.html', 'x.0123456789abc.js']) {
      expect((await host.get(`/wp-content/uploads/speed/scripts/${name}`)).status, name).to.equal(404)
    }
  })

  it('leaves nothing behind', async () => {
    await page()
    await generated()
    await host.expectNoLeaks('speed')
  })
})
