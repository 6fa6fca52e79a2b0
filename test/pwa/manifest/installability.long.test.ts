import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { CHROMIUM } from '../../support/chromium.ts'
import { halves } from '../assets/icon-images.ts'
import { launchWithProfile } from '../chromium.ts'
import { addImage, openPwaSite, set } from '../pwa-site.ts'

describe('An app in Chromium', () => {
  let site: TestHost
  let browser: Awaited<ReturnType<typeof launchWithProfile>>
  before(async () => {
    site = await openPwaSite()
    browser = await launchWithProfile(CHROMIUM)
  })
  after(async () => {
    await browser?.close()
    await site.close()
  })

  async function inspect() {
    const page = await browser.context.newPage()
    await page.goto(site.url)
    const devtools = await browser.context.newCDPSession(page)
    const { url, errors } = await devtools.send('Page.getAppManifest')
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
    await page.close()
    return {
      path: new URL(url).pathname,
      errors,
      installabilityErrors: installabilityErrors.map(({ errorId }) => errorId),
    }
  }

  it('has a manifest without errors, and can’t be installed for want of an icon', async () => {
    const { path, errors, installabilityErrors } = await inspect()
    expect({ path, errors }).to.deep.equal({ path: '/manifest.webmanifest', errors: [] })
    expect(installabilityErrors).to.include('no-acceptable-icon')
  })

  it('can be installed once its icons are made, with every member of the manifest understood', async () => {
    const [icon, wide] = [
      await addImage(site, await halves(512, 512).png().toBuffer()),
      await addImage(site, await halves(1280, 720).png().toBuffer()),
    ]
    await set(site, {
      ...{
        appName: 'قهوة "☕"',
        appIcon: icon,
        themeColor: '#abc',
        startPath: '/?source=app',
        orientation: 'portrait',
      },
      ...{ displayOverride: ['window-controls-overlay'], screenshots: [wide], categories: ['food'] },
      ...{
        shortcuts: [{ name: 'New', url: '/new/', icon }],
        launchMode: 'navigate-existing',
        shareTargetPath: '/share/',
      },
      protocolHandlers: [{ protocol: 'web+coffee', url: '/open/?what=%s' }],
      fileHandlers: [{ action: '/open/', accept: { 'text/csv': ['.csv'] } }],
      relatedApplications: [{ platform: 'play', id: 'org.example.coffee' }],
    })
    await site.request('/wp-json/pwa/v1/pwa-assets/save', { method: 'POST', as: 'administrator' })
    expect(await inspect()).to.deep.equal({ path: '/manifest.webmanifest', errors: [], installabilityErrors: [] })
  })
})
