import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { Browser, Page } from 'playwright-core'
import { expectAccessible } from '../../admin/admin-site.ts'
import { launchFirefox } from '../../support/firefox.ts'
import { until } from '../../support/until.ts'
import { type FirefoxPushServer, startFirefoxPushServer } from '../push/firefox-push-server.ts'
import { type PushServer, startPushServer } from '../push/push-service.ts'
import { asAdministrator, call, changeSettings, send, startPushSite } from '../push/push-site.ts'

describe('The launcher, in Firefox on a phone', () => {
  let site: TestHost
  /** Receives the messages of the site. */
  let service: PushServer
  /** Passes them on to Firefox. */
  let connection: FirefoxPushServer
  let browser: Browser
  let page: Page

  before(async () => {
    service = await startPushServer()
    connection = await startFirefoxPushServer(service.origin)
    site = await startPushSite()
    await changeSettings(site, {
      ...{ pushButton: 'on', shareButton: 'on', installPrompts: 'on', installPromptDelaySeconds: 0 },
      installPromptKinds: ['launcher'],
    })
    browser = await launchFirefox('dark', { pushServer: connection.url })
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    await context.grantPermissions(['notifications'], { origin: site.url })
    page = await context.newPage()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
    connection?.close()
    await service?.close()
  })

  const bell = (state: 'on' | 'off') => page.getByRole('button', { name: `Turn ${state} notifications` })
  const subscribers = async () =>
    (await call(site, 'GET', '/push-subscribers/fetch', undefined, asAdministrator)).data.items

  it('has the bell only: Firefox can neither install the app nor share a page', async () => {
    await page.goto(`${site.url}/hello-world/`)
    await bell('on').waitFor()
    expect(await page.locator('footer .launcher button').allInnerTexts()).to.deep.equal(['Turn on notifications'])
    await expectAccessible(page)
  })

  it('turns notifications on, and one that the site sends is shown', async () => {
    await bell('on').press('Enter')
    await page.getByText('Notifications are on.').waitFor()
    await bell('off').waitFor()
    await expectAccessible(page)
    const [channel = ''] = connection.channels
    expect(await subscribers()).to.have.length(1)
    expect((await subscribers())[0]).to.include({ browser: 'Firefox', operatingSystem: 'Linux' })
    await send(site, { notificationTitle: 'Fresh bread', notificationMessage: 'Come while it is warm.' })
    await until(() => service.of(`/${channel}`).length > 0)
    for (const { body } of service.of(`/${channel}`)) connection.deliver(channel, body)
    await until(() => connection.delivered === 1)
    const shown = () =>
      page.evaluate<string>(`navigator.serviceWorker.ready
      .then((registration) => registration.getNotifications())
      .then((all) => all.map(({ title, body }) => title + ': ' + body).join())`)
    await until(async () => (await shown()) === 'Fresh bread: Come while it is warm.')
  })

  it('is in a corner of the window, and turns notifications off', async () => {
    await changeSettings(site, { pushButtonPosition: 'bottom-right' })
    await page.reload()
    const box = await bell('off').boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 0)).to.be.within(330, 390)
    expect((box?.y ?? 0) + (box?.height ?? 0)).to.be.within(780, 844)
    await expectAccessible(page)
    await bell('off').click()
    await page.getByText('Notifications are off.').waitFor()
    await bell('on').waitFor()
    expect(await subscribers()).to.deep.equal([])
    await until(() => connection.channels.size === 0)
  })
})
