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
  let days = 10

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

  /** Makes another worker, and lets the browser find it. */
  async function update(): Promise<void> {
    days += 1
    await set(site, { offlineCacheExpiration: days })
    await page.reload()
    await page.getByText('A new version of this app is available.').waitFor()
  }
  const waiting = () => page.evaluate('navigator.serviceWorker.ready.then(({ waiting }) => waiting !== null)')
  const button = () => page.getByRole('button', { name: 'Update now' })
  /** Whether the page is still the one that was marked. */
  const isMarked = () => page.evaluate('window.isMarked === true')

  it('waits until the visitor wants it', async () => {
    await update()
    await page.goto(site.url)
    expect(await waiting()).to.equal(true)
  })

  it('activates when the visitor agrees, and reloads the page', async () => {
    await page.evaluate('window.isMarked = true')
    await Promise.all([page.waitForEvent('load'), button().click()])
    expect(await isMarked()).to.equal(false)
    expect(await waiting()).to.equal(false)
  })

  it('leaves a page with a half-filled form as it is', async () => {
    await page.goto(`${site.url}/hello-world/`)
    await update()
    await page.fill('#comment', 'Half a sent')
    await page.evaluate('window.isMarked = true')
    await button().click()
    await page.getByText('so you won’t lose what you have entered').waitFor()
    expect(await waiting()).to.equal(false)
    expect(await isMarked()).to.equal(true)
    expect(await page.inputValue('#comment')).to.equal('Half a sent')
  })

  it('leaves the other windows of the visitor as they are', async () => {
    const { page: other } = await watchPage(context)
    await other.goto(`${site.url}/hello-world/`)
    await other.evaluate('window.isMarked = true')
    await page.goto(site.url)
    await update()
    await Promise.all([page.waitForEvent('load'), button().click()])
    expect(await other.evaluate('window.isMarked === true')).to.equal(true)
    // What that window still offers works: the new worker shows there too.
    await Promise.all([other.waitForEvent('load'), other.getByRole('button', { name: 'Update now' }).click()])
    await other.close()
  })

  describe('that has nothing more to do', () => {
    const registrations = () => page.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)')
    const caches = async () => String(await page.evaluate('caches.keys().then((names) => names.sort().join())'))

    it('stays for notifications once the offline cache is switched off, and removes what was kept', async () => {
      await waitUntilKept(page, 'pwa-pages', '/')
      await set(site, { offlineCache: 'off', pushButton: 'on' })
      await page.reload()
      await Promise.all([page.waitForEvent('load'), button().click()])
      await until(async () => !(await caches()).includes('pwa-pages'))
      expect(await registrations()).to.equal(1)
    })

    it('leaves with its caches once notifications are switched off too, and with no others', async () => {
      await set(site, { offlineCache: 'on' })
      await page.goto(site.url)
      await Promise.all([page.waitForEvent('load'), button().click()])
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
