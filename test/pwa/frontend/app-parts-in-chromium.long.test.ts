import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { BrowserContext, Page } from 'playwright-core'
import { keysOf } from '../../admin/in-browser/keyboard/keys.ts'
import { until } from '../../support/until.ts'
import { launchWithProfile, watchPage } from '../chromium.ts'
import { openPwaSite, set } from '../pwa-site.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** As Safari says that a page is the installed app. */
const AS_APP = `Object.defineProperty(navigator, 'standalone', { value: true })`

describe('The parts of the app, in Chromium', () => {
  let site: TestHost
  let browser: Awaited<ReturnType<typeof launchWithProfile>>
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    site = await openPwaSite()
    const { posts } = site.host.content
    const text = '<p>Something to read.</p>'.repeat(20)
    for (const slug of ['one', 'two', 'three', 'four']) {
      await posts.insert({ type: 'post', title: slug, slug, status: 'publish', content: text })
    }
    await posts.insert({ type: 'page', title: 'Checkout', slug: 'checkout', status: 'publish', content: 'Pay here.' })
    await set(site, { installPrompts: 'on', installPromptDelaySeconds: 0 })
    browser = await launchWithProfile()
    context = browser.context
  })
  after(async () => {
    await browser?.close()
    await site.close()
  })
  beforeEach(async () => {
    ;({ page, problems } = await watchPage(context))
    await page.addInitScript(`
      window.shift = 0
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value
      }).observe({ type: 'layout-shift', buffered: true })`)
  })
  afterEach(async () => {
    await page.close()
    expect(problems).to.deep.equal([])
  })

  const open = (path = '/') => page.goto(site.url + path)
  const shift = () => page.evaluate('window.shift')
  /** What the browser says when the site can be installed; without a screen it never does. */
  async function offerUntil(isShown: () => Promise<boolean>): Promise<void> {
    await until(async () => {
      await page.evaluate(`dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: async () => { window.isAsked = true } }))
        undefined`)
      return isShown()
    })
  }

  describe('the install prompt', () => {
    const popup = () => page.getByRole('dialog', { name: 'Install' })
    const inMenu = () => page.locator('nav').getByRole('button', { name: 'Install' })

    it('launcher is a button with the others at the end of the page, or in a corner of the window', async () => {
      await set(site, { installPromptKinds: ['launcher'], pushButton: 'on', shareButton: 'on' })
      await page.addInitScript('navigator.share = async () => {}')
      const names = (place: string) => page.locator(`${place} .launcher button`).allInnerTexts()
      await open('/one/')
      await offerUntil(async () => (await names('footer .pwa-launcher')).length === 3)
      expect(await names('footer .pwa-launcher')).to.have.members([
        'Share this page',
        'Turn on notifications',
        'Install',
      ])
      expect(await page.locator('.pwa-surface .launcher').count()).to.equal(0)
      const position = `getComputedStyle(document.querySelector('.pwa-launcher').shadowRoot.firstChild).position`
      expect(await page.evaluate(position)).to.equal('static')
      await page.evaluate(`dispatchEvent(new Event('appinstalled')), undefined`)
      expect(await names('footer .pwa-launcher')).to.not.include('Install')

      await set(site, { pushButtonPosition: 'bottom-right' })
      await page.reload()
      await offerUntil(async () => (await page.locator('.pwa-surface .launcher.bottom-right button').count()) === 3)
      expect(await page.locator('.pwa-launcher').count()).to.equal(0)
      await page.getByRole('button', { name: 'Turn on notifications' }).waitFor()
    })

    it('launcher in a corner covers nothing at the end of the page', async () => {
      await open('/one/')
      const [footer, launcher] = [page.locator('body > footer'), page.locator('.pwa-surface .launcher')]
      await until(async () => {
        await page.evaluate('scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }), undefined')
        const [above, below] = await Promise.all([footer.boundingBox(), launcher.boundingBox()])
        return above !== null && below !== null && above.y + above.height <= below.y
      })
      await set(site, { pushButton: 'off', shareButton: 'off', pushButtonPosition: 'page-end' })
    })

    it('can be used with the keyboard alone', async () => {
      await set(site, { installPromptKinds: ['launcher', 'snackbar'], pushButton: 'on' })
      const keys = keysOf(page, site.url)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await open('/one/')
      const message = page.getByRole('status').filter({ hasText: 'Install' })
      await offerUntil(async () => (await message.count()) === 1)
      await keys.to('Turn on notifications')
      await keys.to('Install')
      await keys.to('Close')
      await keys.look()
      await keys.keys('Enter')
      await message.waitFor({ state: 'detached' })
      await keys.arriveAt('Install')
      await keys.keys('Enter')
      await page.waitForFunction('window.isAsked')
      await keys.arriveAt('Turn on notifications')
      await keys.look()
      await set(site, { pushButton: 'off' })
    })

    it('blogPopup is a window over a post, one at a time, that Escape closes', async () => {
      await set(site, { installPromptKinds: ['blogPopup', 'navigationMenu'] })
      await open('/one/')
      await offerUntil(async () => (await popup().count()) > 0)
      await offerUntil(async () => (await popup().count()) === 1)
      await page.keyboard.press('Escape')
      await until(async () => (await popup().count()) === 0)
      await page.reload()
      await offerUntil(async () => (await inMenu().count()) === 1)
      expect(await popup().count()).to.equal(0)
    })

    it('blogPopup goes away once the app is installed otherwise', async () => {
      await page.addInitScript('localStorage.clear()')
      await open('/two/')
      await offerUntil(async () => (await popup().count()) > 0)
      await page.evaluate(`dispatchEvent(new Event('appinstalled')), undefined`)
      expect(await popup().count()).to.equal(0)
    })

    it('blogPopup does not interrupt who is writing', async () => {
      await page.addInitScript('localStorage.clear()')
      await open('/two/')
      await page.fill('#comment', 'Half a sent')
      await offerUntil(async () => (await inMenu().count()) === 1)
      expect(await popup().count()).to.equal(0)
      expect(await page.evaluate('document.activeElement.id')).to.equal('comment')
    })

    it('blogPopup does not show on pages that are no posts', async () => {
      await page.addInitScript('localStorage.clear()')
      await open('/')
      await offerUntil(async () => (await inMenu().count()) === 1)
      expect(await popup().count()).to.equal(0)
    })

    it('inFeed is shown among the posts, without a layout shift', async () => {
      await set(site, { installPromptKinds: ['inFeed'] })
      await page.setViewportSize({ width: 1000, height: 1500 })
      await open('/')
      const seen = () =>
        page.evaluate(`[...document.querySelectorAll('main article')]
          .map((post) => post.getBoundingClientRect().top).filter((top) => top < innerHeight).join()`)
      const before = await seen()
      const card = page.locator('main').getByRole('complementary', { name: 'Install' })
      await offerUntil(async () => (await card.count()) === 1)
      await card.getByRole('button', { name: 'Not now' }).waitFor()
      expect(await seen()).to.equal(before)
      await card.getByRole('button', { name: 'Install' }).click()
      await page.waitForFunction('window.isAsked')
    })

    it('checkout is shown at the checkout, without a layout shift', async () => {
      await set(site, { installPromptKinds: ['checkout'] })
      await open('/checkout/')
      const card = page.locator('main').getByRole('complementary', { name: 'Install' })
      const top = () => page.getByText('Pay here.').boundingBox()
      const before = await top()
      await offerUntil(async () => (await card.count()) === 1)
      expect(await top()).to.deep.equal(before)
    })

    for (const [device, userAgent] of Object.entries({
      'an iPhone': IPHONE,
      'an iPad, which says that it is a Mac':
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    })) {
      it(`says on ${device} how to do it`, async () => {
        await set(site, { installPromptKinds: ['snackbar'] })
        const devtools = await context.newCDPSession(page)
        await devtools.send('Emulation.setUserAgentOverride', { userAgent })
        await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 })
        await open('/')
        await page.getByRole('button', { name: 'Install' }).click()
        const told = page.getByRole('dialog', { name: 'Install this app' })
        await told.getByText('Add to Home Screen').waitFor()
        await told.getByRole('button', { name: 'Close' }).click()
        await until(async () => (await told.count()) === 0)
        expect(await page.evaluate('Number(localStorage.getItem("pwa-snackbar-dismissed"))'), 'rests').to.be.above(0)
        await page.evaluate('localStorage.clear()')
      })
    }

    it('rests too where the visitor says no to the browser', async () => {
      await set(site, { installPromptKinds: ['snackbar', 'navigationMenu'] })
      await page.addInitScript(`addEventListener('beforeinstallprompt', (event) => {
        event.prompt = async () => ({ outcome: 'dismissed' })
      })`)
      await open('/')
      const snackbar = page.locator('.pwa-surface').getByRole('button', { name: 'Install' })
      await offerUntil(async () => (await snackbar.count()) === 1)
      await snackbar.click()
      await page.reload()
      await offerUntil(async () => (await inMenu().count()) === 1)
      expect(await snackbar.count()).to.equal(0)
      await page.evaluate('localStorage.clear()')
    })
  })

  describe('messages', () => {
    it('are stacked, so that none covers the buttons of another one', async () => {
      await set(site, { installPromptKinds: ['snackbar'] })
      await page.addInitScript('localStorage.clear()')
      await open('/')
      const messages = page.locator('.pwa-surface [role=status]')
      await offerUntil(async () => (await messages.count()) === 1)
      await page.evaluate(`dispatchEvent(new Event('offline')), undefined`)
      await until(async () => (await messages.count()) === 2)
      for (const message of await messages.all()) {
        // Refuses what something else covers.
        await message.getByRole('button', { name: 'Close' }).click({ trial: true })
      }
      expect(await shift()).to.equal(0)
    })

    it('have their buttons in one row on a phone', async () => {
      await set(site, { installPromptKinds: ['snackbar'] })
      await page.addInitScript('localStorage.clear()')
      await page.setViewportSize({ width: 320, height: 700 })
      await open('/')
      const message = page.locator('.pwa-surface [role=status]')
      await offerUntil(async () => (await message.count()) === 1)
      // At one moment: it grows into its place.
      const heights = await message
        .getByRole('button', { name: /^(Install|Close)$/ })
        .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().y))
      expect(heights).to.have.lengthOf(2)
      expect(heights[0]).to.equal(heights[1])
    })

    it('say of kept pages only where pages are kept', async () => {
      for (const [offlineCache, text] of [
        ['on', 'You are offline. Pages you have visited are still available.'],
        ['off', 'You are offline'],
      ] as const) {
        await set(site, { offlineCache, installPrompts: 'off' })
        await open('/')
        await until(async () => {
          await page.evaluate(`dispatchEvent(new Event('offline')), undefined`)
          return (await page.getByText(text, { exact: true }).count()) > 0
        })
      }
      await set(site, { offlineCache: 'on' })
    })
  })

  describe('in the installed app', () => {
    before(() =>
      set(site, {
        ...{ installPrompts: 'off', pullToRefresh: 'on', screenWakeLock: 'on', vibration: 'on' },
      }),
    )

    /** Pulls with one finger. @returns whether the page is loaded anew, which is kept from it */
    async function pull(pixels: number, selector = 'body'): Promise<boolean> {
      const isReloaded = await page.evaluate(`{
        window.isReloaded = false
        navigation.onnavigate = (event) => {
          window.isReloaded = event.navigationType === 'reload'
          event.preventDefault()
        }
        const target = document.querySelector(${JSON.stringify(selector)})
        const touch = (clientY) => [new Touch({ identifier: 1, target, clientY })]
        const fire = (type, touches) =>
          target.dispatchEvent(new TouchEvent(type, { touches, bubbles: true, composed: true, cancelable: true }))
        fire('touchstart', touch(100))
        fire('touchmove', touch(100 + ${pixels}))
        window.hint = document.querySelector('.pwa-surface')?.shadowRoot.querySelector('.top')?.textContent
        fire('touchend', [])
      }
      window.isReloaded`)
      return isReloaded === true
    }
    const openApp = async (path = '/one/') => {
      await page.addInitScript(AS_APP)
      await page.addInitScript(`
        window.taps = []
        navigator.vibrate = (pattern) => window.taps.push(pattern)
        if (navigator.wakeLock) {
          window.locks = []
          navigator.wakeLock.request = async (kind) => { window.locks.push(kind) }
        }`)
      await open(path)
      await page.waitForFunction('document.documentElement.style.overscrollBehaviorY === "contain"')
    }

    it('pulling down far enough reloads the page', async () => {
      await openApp()
      expect(await pull(40)).to.equal(false)
      expect(await page.evaluate('window.hint')).to.equal('Pull down to refresh')
      expect(await pull(120)).to.equal(true)
    })

    it('not while the visitor types, nor inside a scrollable element', async () => {
      await openApp()
      await page.evaluate(`{
        const list = document.createElement('div')
        list.id = 'list'
        list.style.cssText = 'height: 100px; overflow: auto'
        list.innerHTML = '<p>line</p>'.repeat(50)
        document.querySelector('main').prepend(list)
        list.scrollTop = 50
      }
      undefined`)
      expect(await pull(120, '#list')).to.equal(false)
      await page.fill('#comment', 'Half a sent')
      expect(await pull(120)).to.equal(false)
    })

    it('the screen stays on, and again when the page becomes visible', async () => {
      await openApp()
      await page.waitForFunction('window.locks.join() === "screen"')
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange')), undefined`)
      await page.waitForFunction('window.locks.join() === "screen,screen"')
    })

    it('taps on links and buttons are felt, and nothing else is', async () => {
      await openApp()
      await page.click('main h1')
      expect(await page.evaluate('window.taps.length')).to.equal(0)
      await page.evaluate(
        `document.querySelector('header a').addEventListener('click', (event) => event.preventDefault())`,
      )
      await page.click('header a')
      expect(await page.evaluate('window.taps.join()')).to.equal('10')
    })

    it('not by who wants less motion', async () => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await openApp()
      await page.evaluate(
        `document.querySelector('header a').addEventListener('click', (event) => event.preventDefault())`,
      )
      await page.click('header a')
      expect(await page.evaluate('window.taps.length')).to.equal(0)
    })

    it('install prompts are not shown', async () => {
      await set(site, { installPrompts: 'on', installPromptKinds: ['snackbar'] })
      await openApp()
      expect(
        await page.evaluate(`dispatchEvent(new Event('beforeinstallprompt', { cancelable: true }))`),
        'is held back by nobody',
      ).to.equal(true)
      await set(site, { installPrompts: 'off' })
    })

    it('nothing of it is shown in an ordinary tab', async () => {
      await page.addInitScript('navigator.wakeLock.request = async () => { window.isHeld = true }')
      await open('/one/')
      await page.waitForLoadState('load')
      expect(await pull(120)).to.equal(false)
      expect(await page.evaluate('window.isHeld')).to.equal(undefined)
    })
  })
})
