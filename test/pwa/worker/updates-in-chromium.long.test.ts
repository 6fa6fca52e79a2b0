import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { BrowserContext, Page } from 'playwright-core'
import { until } from '../../support/until.ts'
import { controlled, keptIn, launchWithProfile, waitUntilKept, watchPage } from '../chromium.ts'
import { openPwaSite, set } from '../pwa-site.ts'

describe('A new service worker, in Chromium', () => {
  let site: TestHost
  let browser: Awaited<ReturnType<typeof launchWithProfile>>
  let context: BrowserContext
  let page: Page

  before(async () => {
    site = await openPwaSite()
    await set(site, { installPrompts: 'off' })
    browser = await launchWithProfile()
    context = browser.context
    ;({ page } = await watchPage(context))
    await page.goto(`${site.url}/hello-world/`)
    await controlled(page)
  })
  after(async () => {
    await browser?.close()
    await site.close()
  })

  /** Changes the worker while the page is shown, and has the browser look for it in another window. */
  async function update(change: () => Promise<unknown>): Promise<Page> {
    await page.goto(`${site.url}/hello-world/`)
    await controlled(page)
    await page.fill('#comment', 'Half a sent')
    await page.evaluate(`
      window.isMarked = true
      navigator.serviceWorker.addEventListener('controllerchange', () => { window.isTakenOver = true })
    `)
    await change()
    const { page: other } = await watchPage(context)
    await other.goto(site.url)
    return other
  }
  const isTakenOver = async () => (await page.evaluate('window.isTakenOver')) === true

  for (const [name, change] of Object.entries({
    'the title of the site': () => site.host.content.updateSiteSettings({ title: 'Another title' }),
    'a setting': () => set(site, { offlineCacheExpiration: 11 }),
  })) {
    it(`takes over after a change of ${name}, without a notice, and leaves open pages and forms as they are`, async () => {
      const other = await update(change)
      await until(isTakenOver)
      expect(await page.evaluate('window.isMarked === true')).to.equal(true)
      expect(await page.inputValue('#comment')).to.equal('Half a sent')
      for (const shown of [page, other]) expect(await shown.locator('.pwa-surface .notice').count()).to.equal(0)
      await other.close()
    })
  }

  describe('that has nothing more to do', () => {
    const registrations = () => page.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)')
    const caches = async () => String(await page.evaluate('caches.keys().then((names) => names.sort().join())'))

    it('stays for notifications once the offline cache is switched off, and removes what was kept', async () => {
      await waitUntilKept(page, 'pwa-pages', '/')
      await set(site, { offlineCache: 'off', pushButton: 'on' })
      await page.reload()
      await until(async () => !(await caches()).includes('pwa-pages'))
      expect(await registrations()).to.equal(1)
    })

    it('leaves with its caches once notifications are switched off too, and with no others', async () => {
      const other = await update(() => set(site, { offlineCache: 'on' }))
      await until(isTakenOver)
      await other.close()
      await page.goto(`${site.url}/hello-world/`)
      await waitUntilKept(page, 'pwa-pages', '/hello-world/')
      await page.evaluate(`caches.open('somebody-elses').then((cache) => cache.put('/x', new Response('x')))`)
      await set(site, { offlineCache: 'off', pushButton: 'off', pushPrompt: 'off' })
      await page.reload()
      await until(async () => (await registrations()) === 0 && (await caches()) === 'somebody-elses')
      expect(await page.content()).not.to.contain('serviceworker.js')
    })

    it('leaves once the plugin is switched off', async () => {
      await set(site, { offlineCache: 'on' })
      await page.goto(site.url)
      await controlled(page)
      await waitUntilKept(page, 'pwa-pages', '/')
      await site.host.extensions.deactivate('pwa')
      // A worker looks once in its life, so this one is ended.
      const devtools = await context.newCDPSession(page)
      await devtools.send('ServiceWorker.enable')
      await devtools.send('ServiceWorker.stopAllWorkers')
      await page.goto(`${site.url}/hello-world/`)
      await until(async () => (await registrations()) === 0 && (await keptIn(page, 'pwa-pages')).length === 0)
    })
  })
})
