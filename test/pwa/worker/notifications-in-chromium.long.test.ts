import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { CHROMIUM } from '../../support/chromium.ts'
import { until } from '../../support/until.ts'
import { controlled, launchWithProfile, registrationId, watchPage } from '../chromium.ts'
import { openPwaSite, set } from '../pwa-site.ts'

describe('A notification in Chromium', () => {
  let site: TestHost
  let browser: Awaited<ReturnType<typeof launchWithProfile>>
  let context: BrowserContext
  let page: Page
  let devtools: CDPSession
  let registration: string

  before(async () => {
    site = await openPwaSite()
    await set(site, { installPrompts: 'off', appName: 'Kitchen' })
    browser = await launchWithProfile(CHROMIUM)
    context = browser.context
    await context.grantPermissions(['notifications'], { origin: site.url })
    ;({ page } = await watchPage(context))
    await page.goto(site.url)
    await controlled(page)
    devtools = await context.newCDPSession(page)
    registration = await registrationId(devtools)
  })
  after(async () => {
    await browser?.close()
    await site.close()
  })

  const deliver = (message: unknown) =>
    devtools.send('ServiceWorker.deliverPushMessage', {
      ...{ origin: site.url, registrationId: registration },
      data: typeof message === 'string' ? message : JSON.stringify(message),
    })

  interface Shown {
    readonly title: string
    readonly body: string
    readonly data: { readonly url?: string; readonly actions: Readonly<Record<string, string>> }
    readonly actions: readonly string[]
    readonly tag: string
    readonly requireInteraction: boolean
  }

  async function shown(): Promise<Shown[]> {
    return JSON.parse(
      String(
        await page.evaluate(`navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) => JSON.stringify(
          all.map(({ title, body, data, actions, tag, requireInteraction }) =>
            ({ title, body, data, actions: actions.map(({ title }) => title), tag, requireInteraction }))))`),
      ),
    )
  }
  async function showOne(message: unknown): Promise<Shown> {
    await page.evaluate(
      'navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) => all.forEach((one) => one.close()))',
    )
    await until(async () => (await shown()).length === 0)
    const worker = context.serviceWorkers().find((one) => one.url().startsWith(site.url))
    // Chromium forgets a notification that is asked for while it is about to be shown.
    await worker?.evaluate(`{
      const show = registration.showNotification.bind(registration)
      self.hasShown = new Promise((resolve) => {
        registration.showNotification = (...given) => show(...given).finally(() => setTimeout(resolve, 200))
      })
    }
    undefined`)
    await deliver(message)
    await worker?.evaluate('self.hasShown')
    const [one] = await shown()
    if (!one) throw new Error('none is shown')
    return one
  }

  it('shows what the site sends: Declarative Web Push', async () => {
    const one = await showOne({
      web_push: 8030,
      notification: {
        ...{ title: 'Soup', body: 'It is ready.', navigate: `${site.url}/hello-world/`, lang: 'en', dir: 'auto' },
        ...{ silent: false, tag: 'soup', app_badge: '1', requireInteraction: true },
        actions: [{ action: 'action0', title: 'Eat', navigate: `${site.url}/?eat` }],
      },
    })
    expect(one).to.deep.equal({
      ...{ title: 'Soup', body: 'It is ready.', tag: 'soup', requireInteraction: true, actions: ['Eat'] },
      data: { url: `${site.url}/hello-world/`, actions: { action0: `${site.url}/?eat` } },
    })
  })

  it('shows the form without a frame, and plain text under the app’s name', async () => {
    const classic = await showOne({ title: 'Old', body: 'Form', data: { url: '/hello-world/' } })
    expect([classic.title, classic.body, classic.data.url]).to.deep.equal(['Old', 'Form', '/hello-world/'])
    const plain = await showOne('Dinner')
    expect([plain.title, plain.body]).to.deep.equal(['Kitchen', 'Dinner'])
  })

  it('always shows a notification, since browsers revoke the permission otherwise', async () => {
    for (const odd of ['', 'null', '[]', '{"notification":{"actions":7}}']) {
      expect((await showOne(odd)).title, odd).to.equal('Kitchen')
    }
  })

  it('shows the number of unread notifications as the app badge', async () => {
    const worker = context.serviceWorkers().find((one) => one.url().startsWith(site.url))
    await worker?.evaluate(`{
      self.badges = []
      navigator.setAppBadge = async (count) => { self.badges.push(count) }
      navigator.clearAppBadge = async () => { self.badges.push(0) }
    }
    undefined`)
    const badges = () => worker?.evaluate('self.badges.join()')
    await showOne({ title: 'One', tag: 'one' })
    await until(async () => (await badges()) === '1')
    await deliver({ title: 'Two', tag: 'two' })
    await until(async () => (await badges()) === '1,2')
    await deliver({ title: 'Many', tag: 'two', app_badge: '7' })
    await until(async () => (await badges()) === '1,2,7')
    await deliver({ title: 'None', tag: 'two', app_badge: '0' })
    await until(async () => (await badges()) === '1,2,7,0')
  })

  describe('that is clicked', () => {
    const message = (navigate: string, more: object = {}) => ({
      web_push: 8030,
      notification: { title: 'Soup', body: '', navigate, ...more },
    })

    /**
     * Chromium without a screen has nothing to click on, and opens windows after a real click only: the event is made,
     * and what the worker then wants to open or to focus is written down.
     */
    async function opened(message: unknown, action = ''): Promise<unknown> {
      await showOne(message)
      const worker = context.serviceWorkers().find((one) => one.url().startsWith(site.url))
      return worker?.evaluate(`new Promise((resolve) => {
        clients.openWindow = async (url) => resolve('opens ' + url)
        WindowClient.prototype.focus = async function () { resolve('focuses ' + this.url) }
        const click = ([notification]) =>
          dispatchEvent(new NotificationEvent('notificationclick', { notification, action: ${JSON.stringify(action)} }))
        registration.getNotifications().then(click).catch((error) => resolve(String(error)))
      })`)
    }

    it('opens its page', async () => {
      expect(await opened(message(`${site.url}/hello-world/`))).to.equal(`opens ${site.url}/hello-world/`)
    })

    it('brings a window to the front that shows the page already', async () => {
      expect(await opened(message(`${site.url}/`))).to.equal(`focuses ${site.url}/`)
    })

    it('opens the page of the button', async () => {
      const actions = [{ action: 'action0', title: 'Eat', navigate: `${site.url}/?eat` }]
      expect(await opened(message(`${site.url}/`, { actions }), 'action0')).to.equal(`opens ${site.url}/?eat`)
    })

    it('opens a page of another site', async () => {
      expect(await opened(message('https://example.org/x'))).to.equal('opens https://example.org/x')
    })

    it('runs nothing', async () => {
      for (const url of ['javascript:alert(1)', 'data:text/html,x', 'https://']) {
        expect(await opened(message(url)), url).to.equal(`focuses ${site.url}/`)
      }
    })

    it('goes away', async () => {
      await opened(message(`${site.url}/hello-world/`))
      await until(async () => (await shown()).length === 0)
    })
  })
})
