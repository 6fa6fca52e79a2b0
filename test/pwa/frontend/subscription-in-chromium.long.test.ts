import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { BrowserContext, Page } from 'playwright-core'
import { expectAccessible } from '../../admin/admin-site.ts'
import { keysOf } from '../../admin/in-browser/keyboard/keys.ts'
import { CHROMIUM } from '../../support/chromium.ts'
import { until } from '../../support/until.ts'
import { controlled, launchWithProfile, watchPage } from '../chromium.ts'
import { asAdministrator, call, changeSettings, startPushSite } from '../push/push-site.ts'
import { createSubscriber } from '../push/subscriber.ts'

const PASSWORD = 'a long pass phrase'

/** Chromium without Google's push service can't subscribe: these are the subscriptions that a browser would make. */
const SUBSCRIPTIONS = Array.from(
  { length: 12 },
  (_, at) => createSubscriber(`https://127.0.0.1:9/of-browser/${at}`).subscription,
)

/** Runs in pages and in the worker: a push manager that lends these out in turn, and keeps the one that is lent. */
const PUSH_MANAGER = `{
  const all = ${JSON.stringify(SUBSCRIPTIONS)}
  const cache = () => caches.open('test-push')
  const recall = async (name) => (await (await cache()).match('/' + name))?.json()
  const remember = async (name, value) => (await cache()).put('/' + name, new Response(JSON.stringify(value)))
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0))
  const lent = ({ json, key }) => ({
    ...json,
    options: { applicationServerKey: bytes(key).buffer },
    toJSON: () => json,
    unsubscribe: async () => { await remember('lent', null); return true },
  })
  PushManager.prototype.getSubscription = async () => {
    const known = await recall('lent')
    return known ? lent(known) : null
  }
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly) throw new DOMException('userVisibleOnly', 'NotAllowedError')
    const at = (await recall('next')) ?? 0
    await remember('next', at + 1)
    const made = { json: all[at], key: applicationServerKey }
    await remember('lent', made)
    return lent(made)
  }
}`

describe('Subscribing in Chromium', () => {
  let site: TestHost
  let browser: Awaited<ReturnType<typeof launchWithProfile>>
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    site = await startPushSite()
    await changeSettings(site, { installPrompts: 'off', pushButton: 'on' })
    await site.host.auth.users.create({
      ...{ login: 'reader', email: 'reader@example.org', password: PASSWORD, roles: ['subscriber'] },
    })
    browser = await launchWithProfile(CHROMIUM)
    context = browser.context
    await context.grantPermissions(['notifications'], { origin: site.url })
    await context.addInitScript(`${PUSH_MANAGER}
      Notification.requestPermission = async () => Notification.permission`)
    ;({ page, problems } = await watchPage(context))
    await page.goto(site.url)
    await controlled(page)
  })
  after(async () => {
    await browser?.close()
    await site.close()
  })
  afterEach(() => {
    problems.length = 0
  })

  const bell = (state: 'on' | 'off') => page.getByRole('button', { name: `Turn ${state} notifications` })
  const subscribers = async () =>
    (await call(site, 'GET', '/push-subscribers/fetch', undefined, asAdministrator)).data.items
  /** Endpoint that the host has, as its owner's key shows. */
  const isKnown = async (at: number) => {
    const { endpoint, keys } = SUBSCRIPTIONS[at] ?? { endpoint: '', keys: { auth: '' } }
    return (await call(site, 'POST', '/push-subscription/sync', { endpoint, auth: keys.auth })).status === 200
  }
  /** Endpoint of the subscription that the worker replaces when the browser changes it; the page stores it last. */
  const stored = () =>
    page.evaluate(`caches.open('pwa-state').then((cache) => cache.match('/.pwa/subscription'))
      .then((response) => response?.json()).then((subscription) => subscription?.endpoint)`)
  /** Another window, as visitors open one the next day. */
  async function openAgain(path = '/'): Promise<void> {
    await page.close()
    ;({ page, problems } = await watchPage(context))
    await page.goto(site.url + path)
    await bell('off').or(bell('on')).waitFor()
  }

  it('with the bell button sends the browser’s subscription to the host', async () => {
    await bell('on').click()
    await page.getByText('Notifications are on.').waitFor()
    await bell('off').waitFor()
    expect(await bell('off').ariaSnapshot()).to.equal('- button "Turn off notifications"')
    const [one, ...others] = await subscribers()
    expect(others).to.deep.equal([])
    expect(one).to.include({ browser: 'Chrome', operatingSystem: 'Linux', device: 'Desktop', userId: null })
    expect(await isKnown(0)).to.equal(true)
    expect(problems).to.deep.equal([])
  })

  it('lasts: the bell of another page knows it', async () => {
    await openAgain('/hello-world/')
    await bell('off').waitFor()
  })

  it('is bound to who signs in in the same window, and let go when they have signed out', async () => {
    await page.goto(`${site.url}/wp-login.php?redirect_to=${encodeURIComponent(`${site.url}/hello-world/`)}`)
    await page.fill('[name=log]', 'reader')
    await page.fill('[name=pwd]', PASSWORD)
    await Promise.all([page.waitForURL(/hello-world/), page.press('[name=pwd]', 'Enter')])
    await until(async () => (await subscribers())[0].userId !== null)
    await context.clearCookies()
    await openAgain()
    await until(async () => (await subscribers())[0].userId === null)
  })

  it('recovers when the browser has changed the subscription without an event', async () => {
    await page.evaluate(
      `navigator.serviceWorker.ready.then(({ pushManager }) => pushManager.getSubscription()).then((one) => one.unsubscribe())`,
    )
    await openAgain()
    await until(() => isKnown(1))
    expect(await isKnown(0)).to.equal(false)
    expect(await subscribers()).to.have.length(1)
  })

  it('heals when the host has lost it', async () => {
    const [{ id }] = await subscribers()
    await call(site, 'DELETE', '/push-subscription/remove', { id }, asAdministrator)
    await openAgain()
    await until(() => isKnown(1))
  })

  it('is recreated if it was created with another key, such as that of a former plugin', async () => {
    await page.evaluate(`navigator.serviceWorker.ready
      .then(({ pushManager }) => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: 'AAAA' }))
      .then(() => caches.delete('pwa-state'))`)
    await openAgain()
    await until(() => isKnown(3))
    await until(async () => (await stored()) === SUBSCRIPTIONS[3]?.endpoint)
  })

  describe('pushsubscriptionchange', () => {
    /** As the browser fires it. */
    async function change(given: string): Promise<void> {
      const worker = context.serviceWorkers().find((one) => one.url().startsWith(site.url))
      await worker?.evaluate(`${PUSH_MANAGER}
        dispatchEvent(Object.assign(new ExtendableEvent('pushsubscriptionchange'), ${given}))
        undefined`)
    }

    it('puts the new one in the place of the old one', async () => {
      const before = (await subscribers()).length
      await change('{ oldSubscription: null, newSubscription: null }')
      await until(() => isKnown(4))
      expect(await isKnown(3)).to.equal(false)
      expect(await subscribers()).to.have.length(before)
    })

    it('adds the new one where the host has removed the old one', async () => {
      const gone = JSON.stringify({ endpoint: 'https://127.0.0.1:9/gone', keys: { auth: 'AAAAAAAAAAAAAAAAAAAAAA' } })
      await change(`{ oldSubscription: { toJSON: () => (${gone}) }, newSubscription: null }`)
      await until(() => isKnown(5))
    })
  })

  describe('that the host refuses', () => {
    it('is taken back, and the bell does not say that it is on', async () => {
      await openAgain()
      await bell('off').click()
      await page.getByText('Notifications are off.').waitFor()
      expect(await isKnown(5)).to.equal(false)
      await context.route('**/push-subscription/add', (route) => route.fulfill({ status: 503, body: '{}' }))
      await bell('on').click()
      await page.getByText('Something went wrong. Please try again later.').waitFor()
      await bell('on').waitFor()
      await context.unroute('**/push-subscription/add')
    })

    it('works again on the next try, also where the first could not get a nonce', async () => {
      await openAgain()
      await context.route('**/pwa/v1/nonce', (route) => route.abort())
      await bell('on').click()
      await page.getByText('Something went wrong. Please try again later.').waitFor()
      await context.unroute('**/pwa/v1/nonce')
      await bell('on').click()
      await page.getByText('Notifications are on.').waitFor()
      await bell('off').waitFor()
    })

    it('works on a page whose visitor logged in long after it was opened', async () => {
      const session = await context.newPage()
      await session.goto(`${site.url}/wp-login.php`)
      await session.fill('[name=log]', 'reader')
      await session.fill('[name=pwd]', PASSWORD)
      await Promise.all([session.waitForNavigation(), session.press('[name=pwd]', 'Enter')])
      await session.close()
      expect(await isKnown(8)).to.equal(true)
      await bell('off').click()
      await page.getByText('Notifications are off.').waitFor()
      await until(async () => !(await isKnown(8)))
    })
  })

  describe('with the keyboard alone', () => {
    it('leaves the focus at the bell', async () => {
      await openAgain()
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const keys = keysOf(page, site.url)
      const wasOn = (await bell('off').count()) > 0
      for (const isOn of [wasOn, !wasOn]) {
        await keys.press(`Turn ${isOn ? 'off' : 'on'} notifications`)
        await page.getByText(`Notifications are ${isOn ? 'off' : 'on'}.`).waitFor()
        await keys.arriveAt(`Turn ${isOn ? 'on' : 'off'} notifications`)
      }
      await expectAccessible(page)
    })
  })
})
