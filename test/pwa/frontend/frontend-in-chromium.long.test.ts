import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { BrowserContext, Page } from 'playwright-core'
import { CHROMIUM } from '../../support/chromium.ts'
import { allowThemeStyles } from '../../support/theme-styles.ts'
import { until } from '../../support/until.ts'
import { launchWithProfile, watchPage } from '../chromium.ts'
import { openPwaSite, set } from '../pwa-site.ts'

/** As strict as a site's policy can be that loads its own files. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'"

describe('The front-end script', () => {
  let site: TestHost
  let browser: Awaited<ReturnType<typeof launchWithProfile>>
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    site = await openPwaSite()
    await set(site, { pushButton: 'on' })
    let policy = POLICY
    site.host.hooks.addFilter('wp_headers', (headers) => ({ ...headers, 'Content-Security-Policy': policy }))
    policy = await allowThemeStyles(site.url, POLICY)
    browser = await launchWithProfile(CHROMIUM)
    context = browser.context
  })
  after(async () => {
    await browser?.close()
    await site.close()
  })
  beforeEach(async () => {
    ;({ page, problems } = await watchPage(context))
  })
  afterEach(async () => {
    await page.close()
    expect(problems).to.deep.equal([])
  })

  const open = (path = '/') => page.goto(site.url + path)
  /** The policy forbids Playwright's own way, which evaluates in the page. */
  const holds = (condition: string) => until(async () => (await page.evaluate(`Boolean(${condition})`)) === true)
  /** What the browser says when the site can be installed; without a screen it never does. */
  const showInstallPrompts = () =>
    page.evaluate(`{
      const event = new Event('beforeinstallprompt', { cancelable: true })
      event.prompt = async () => { window.isAsked = true }
      dispatchEvent(event)
      window.isHeldBack = event.defaultPrevented
    }
    undefined`)

  it('is at most 6.5 KB on the wire, and the same for everybody', async () => {
    const [visitor, user] = await Promise.all([site.get('/'), site.get('/', { as: 'administrator' })])
    const ofPage = (html: string) =>
      /<script type="application\/json" id="pwa-settings">.*?<script async src="([^"]+)"/s.exec(html)
    const [mine, theirs] = [ofPage(await visitor.text()), ofPage(await user.text())]
    expect(mine?.[0]).to.equal(theirs?.[0]).and.be.a('string')
    const answer = await site.get(mine?.[1] ?? '')
    expect(answer.headers.get('Cache-Control')).to.contain('immutable')
    expect(gzipSync(await answer.text()).length).to.be.at.most(6656)
  })

  it('says what the filter pwa_texts says, and nothing else than texts', async () => {
    const undo = site.host.hooks.addFilter('pwa_texts', (texts) => ({
      ...texts,
      bellOff: '</script><b>Glocke',
      close: JSON.parse('7'),
    }))
    await open()
    await page.getByRole('button', { name: '</script><b>Glocke' }).waitFor()
    undo()
  })

  describe('install prompts', () => {
    before(() =>
      set(site, {
        installPrompts: 'on',
        installPromptDelaySeconds: 0,
        installPromptKinds: ['headerBanner', 'snackbar', 'navigationMenu', 'inFeed', 'checkout'],
      }),
    )

    it('wait for the browser, and ask only after a click', async () => {
      await open()
      await page.waitForLoadState('load')
      expect(await page.getByRole('button', { name: 'Install' }).count()).to.equal(0)
      await until(async () => {
        await showInstallPrompts()
        return (await page.evaluate('window.isHeldBack')) === true
      })
      await page.getByText('Install this site as an app').waitFor()
      expect(await page.evaluate('window.isAsked')).to.equal(undefined)
      await page.locator('.pwa-surface').getByRole('button', { name: 'Install' }).click()
      await holds('window.isAsked')
      expect(await page.getByRole('button', { name: 'Install' }).count()).to.equal(0)
    })

    it('are in the menu too', async () => {
      await open()
      await until(async () => {
        await showInstallPrompts()
        return (await page.locator('nav').getByRole('button', { name: 'Install' }).count()) === 1
      })
    })

    it('are not shown for a while after they were dismissed', async () => {
      await open()
      const banner = page.locator('.pwa-surface [role=status]')
      for (const place of [/top/, /bottom/]) {
        await until(async () => {
          await showInstallPrompts()
          return (await banner.count()) > 0
        })
        expect(await banner.getAttribute('class')).to.match(place)
        await banner.getByRole('button', { name: 'Close' }).click()
        await page.reload()
      }
      await until(async () => {
        await showInstallPrompts()
        return (await page.locator('nav').getByRole('button', { name: 'Install' }).count()) === 1
      })
      expect(await banner.count()).to.equal(0)
    })
  })

  describe('notifications', () => {
    before(() => set(site, { pushPrompt: 'on', pushPromptDelaySeconds: 0, installPrompts: 'off' }))

    /** Notes whether the browser is asked for the permission. */
    const watchPermission = () =>
      page.addInitScript(`Notification.requestPermission = async () => { window.isAsked = true; return 'default' }`)

    it('are offered by a bell that says its state', async () => {
      await open()
      const bell = page.getByRole('button', { name: 'Turn on notifications' })
      await bell.waitFor()
      expect(await bell.ariaSnapshot(), 'pressed says the opposite').to.equal('- button "Turn on notifications"')
    })

    it('ask for permission only after a click', async () => {
      await watchPermission()
      await open()
      await page.getByText('Would you like to get notifications about new content?').waitFor()
      expect(await page.evaluate('window.isAsked')).to.equal(undefined)
      await page.getByRole('button', { name: 'Allow' }).click()
      await holds('window.isAsked')
      await page.getByText('Something went wrong. Please try again later.').waitFor()
      // Who closes that question does not want to be asked again on the next page.
      await holds('localStorage.getItem("pwa-push-dismissed") !== null')
      await page.evaluate('localStorage.clear()')
    })

    it('are not offered again to who does not want them', async () => {
      await open()
      await page.getByText('Would you like to get notifications about new content?').waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      await page.reload()
      await page.getByRole('button', { name: 'Turn on notifications' }).waitFor()
      expect(await page.getByText('Would you like to get notifications about new content?').count()).to.equal(0)
    })
  })

  it('reports app launches to the host, but not visits of the site', async () => {
    const users = async () =>
      JSON.parse(await (await site.get('/wp-json/pwa/v1/pwa-users/fetch', { as: 'administrator' })).text()).data
        .totalUsers
    await open()
    await page.getByRole('button', { name: 'Turn on notifications' }).waitFor()
    expect(await users()).to.equal(0)
    // As Safari says that it is the app.
    await page.addInitScript(`Object.defineProperty(navigator, 'standalone', { value: true })`)
    const told = page.waitForResponse(/pwa-users\/upsert/)
    await page.reload()
    expect((await told).status()).to.equal(200)
    expect(await users()).to.equal(1)
    await page.reload()
    await page.getByRole('button', { name: 'Turn on notifications' }).waitFor()
    expect(await users()).to.equal(1)
  })

  it('has its parts of the interface switched on one by one', async () => {
    await set(site, {
      scrollProgress: 'on',
      shareButton: 'on',
      smoothTransitions: 'on',
      vibration: 'on',
      screenWakeLock: 'on',
    })
    await page.addInitScript(`navigator.share = async (data) => { window.shared = data.url }`)
    await open('/hello-world/')
    await page.getByRole('button', { name: 'Share this page' }).click()
    await holds(`window.shared === ${JSON.stringify(`${site.url}/hello-world/`)}`)
    await page.locator('.pwa-surface .progress').waitFor({ state: 'attached' })
    await holds(`[...document.styleSheets].some(({ href }) => href?.includes('/transitions.'))`)
    await set(site, {
      scrollProgress: 'off',
      shareButton: 'off',
      smoothTransitions: 'off',
      vibration: 'off',
      screenWakeLock: 'off',
    })
    await open('/')
    await page.getByRole('button', { name: 'Turn on notifications' }).waitFor()
    expect(await page.getByRole('button', { name: 'Share this page' }).count()).to.equal(0)
    expect(await page.locator('.pwa-surface .progress').count()).to.equal(0)
    expect(
      await page.evaluate(`[...document.styleSheets].some(({ href }) => href?.includes('/transitions.'))`),
    ).to.equal(false)
  })
})
