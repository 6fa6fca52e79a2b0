import { join } from 'node:path'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { until } from '../../support/until.ts'
import { controlled, keptIn, launchWithProfile, waitUntilKept, watchPage } from '../chromium.ts'
import { openPwaSite, set } from '../pwa-site.ts'

const SPEED = join(import.meta.dirname, '../../../plugins/speed')

describe('Together with the performance service, in Chromium', () => {
  let site: TestHost
  let browser: Awaited<ReturnType<typeof launchWithProfile>>
  let opened: Awaited<ReturnType<typeof watchPage>>

  before(async () => {
    site = await openPwaSite({ extensions: [SPEED] })
    await site.host.content.posts.insert({ type: 'page', title: 'Offline', slug: 'offline', status: 'publish' })
    await set(site, { installPrompts: 'off', offlineFallbackPage: '/offline/' })
    browser = await launchWithProfile()
    opened = await watchPage(browser.context)
    await opened.page.goto(site.url)
    await controlled(opened.page)
  })
  after(async () => {
    await browser?.close()
    await site.close()
  })

  it('there is one worker', async () => {
    const scripts = await opened.page.evaluate(
      `navigator.serviceWorker.getRegistrations().then((all) => all.map(({ active }) => new URL(active.scriptURL).pathname))`,
    )
    expect(scripts).to.deep.equal(['/wp-content/uploads/pwa/scripts/serviceworker.js'])
  })

  it('which does both jobs: it keeps the files as that service does, and the pages as this one does', async () => {
    const { page } = opened
    await page.goto(`${site.url}/hello-world/`)
    await waitUntilKept(page, 'pwa-pages', '/hello-world/')
    await until(async () => (await keptIn(page, 'speed-immutable')).length > 0)
  })

  it('and shows pages with their styles without a network', async () => {
    const { page, problems } = opened
    await until(async () => (await keptIn(page, 'pwa-offline')).includes('/offline/'))
    problems.length = 0
    await browser.context.setOffline(true)
    for (const path of ['/hello-world/', '/never-seen/']) {
      await page.goto(site.url + path)
      expect(await page.evaluate('document.styleSheets.length > 0'), path).to.equal(true)
      expect(await page.evaluate('getComputedStyle(document.body).margin'), path).to.equal('0px')
    }
    expect(await page.title()).to.contain('Offline')
    await browser.context.setOffline(false)
    expect(problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).to.deep.equal([])
  })

  it('gets that service’s own worker once this one needs none', async () => {
    const { page } = opened
    await set(site, { offlineCache: 'off', pushButton: 'off' })
    await page.goto(`${site.url}/?nocache=1`)
    await until(async () => {
      const urls = await page.evaluate(
        `navigator.serviceWorker.getRegistrations().then((all) => all.map(({ active }) => active?.scriptURL).join())`,
      )
      return urls === `${site.url}/wp-content/uploads/speed/scripts/serviceworker.js`
    })
    await until(
      async () => !String(await page.evaluate('caches.keys().then((all) => all.join())')).includes('pwa-pages'),
    )
  })
})
