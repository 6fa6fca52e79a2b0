import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { disc } from '../../pwa/assets/icon-images.ts'
import { type PushServer, startPushServer } from '../../pwa/push/push-service.ts'
import { call, subscribe } from '../../pwa/push/push-site.ts'
import type { Subscriber } from '../../pwa/push/subscriber.ts'
import { LICENSED } from '../../seo/license.ts'
import { until } from '../../support/until.ts'
import { type AdminSite, looksGood, openAdminSite, openScreen, saveSettings } from '../admin-site.ts'

const MANY = 100_000
const PHONE =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'

describe('The screens of the app in the admin', () => {
  let admin: AdminSite
  let push: PushServer
  let page: Page
  let subscriber: Subscriber
  let iconId: number

  before(async () => {
    push = await startPushServer()
    admin = await openAdminSite({ config: { ...LICENSED, environment: 'local', trustedProxies: ['127.0.0.1'] } })
    const source = await disc(1024).toBuffer()
    iconId = (await admin.site.host.content.media.upload({ source, name: 'red-disc.png' })).id
    page = await admin.signIn('administrator', '/wp-admin/pwa')
  })
  after(async () => {
    await admin.close()
    await push.close()
  })

  const open = (name: string) => openScreen(page, name)
  const save = () => saveSettings(page)
  const manifest = async () => JSON.parse(await (await admin.site.get('/manifest.webmanifest')).text())

  it('show the score and what is missing', async () => {
    await page.getByRole('img', { name: /^PWA score: \d+ out of 100$/ }).waitFor()
    await page.getByText('Choose an app icon').waitFor()
    await looksGood(page, 'pwa-overview')
  })

  it('show icon and splash screen while they are chosen, and the manifest has them once they are saved', async () => {
    await open('Identity')
    await page.getByRole('textbox', { name: 'App name' }).fill('Oracle of the Kitchen')
    await page.getByRole('textbox', { name: 'Short name' }).fill('Oracle')
    const home = page.getByRole('figure', { name: 'Icon on the home screen' })
    const splash = page.getByRole('figure', { name: 'Splash screen' })
    await home.getByText('Oracle', { exact: true }).waitFor()
    await splash.getByText('Oracle of the Kitchen').waitFor()
    await page.getByRole('textbox', { name: 'Background color' }).fill('#20c060')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Select image: App icon' }).click()
    const picker = page.getByRole('dialog')
    await picker.getByRole('searchbox', { name: 'Search files' }).fill('red-disc')
    await picker
      .getByRole('button', { name: /red-disc/ })
      .first()
      .click()
    await picker.getByRole('button', { name: 'Use this file' }).click()
    await picker.waitFor({ state: 'hidden' })
    await splash.locator('img').waitFor()
    const color =
      'getComputedStyle(document.querySelector("figure[aria-label=\'Splash screen\'] > div")).backgroundColor'
    expect(await page.evaluate(color)).to.equal('rgb(32, 192, 96)')
    await looksGood(page, 'pwa-identity')
    expect((await manifest()).name).not.to.equal('Oracle of the Kitchen')
    await save()
    expect(await manifest()).to.include({
      ...{ name: 'Oracle of the Kitchen', short_name: 'Oracle', background_color: '#20c060' },
    })
  })

  it('make icons and splash screens of the icon, with progress that a reload does not lose', async () => {
    // Work on images takes turns; these keep theirs until progress was seen.
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
    const { media } = admin.site.host.content
    const others = Array.from({ length: 2 }, () => media.work(iconId, () => gate))
    await page.getByRole('button', { name: 'Generate icons', exact: true }).click()
    await page.getByText(/^Generating 0 of \d+$/).waitFor()
    await page.reload()
    await page.getByText(/^Generating 0 of \d+$/).waitFor()
    letGo()
    await Promise.all(others)
    // Drawing gives way to all other work on the machine.
    await page.getByText(/^\d+ icons and \d+ splash screens generated\.$/).waitFor({ timeout: 150_000 })
    expect((await manifest()).icons).to.have.length.above(3)
  })

  it('write a notification, show how it looks, send it, and count who got it', async () => {
    subscriber = await subscribe(admin.site, `${push.origin}/phone`)
    push.answer('/gone', 410)
    await subscribe(admin.site, `${push.origin}/gone`)
    await open('Notifications')
    await page.getByText('No notifications yet').waitFor()
    await page.getByRole('textbox', { name: 'Title' }).fill('Fresh bread')
    await page.getByRole('textbox', { name: 'Message' }).fill('Come while it is warm.')
    await page.getByRole('figure', { name: 'Android' }).getByText('Come while it is warm.').waitFor()
    await page.getByText('to 2 subscribers').waitFor()
    await looksGood(page, 'pwa-compose')
    await page.getByRole('button', { name: 'Send notification', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send notification' }).click()
    const row = page.getByRole('row', { name: /Fresh bread/ })
    await row.getByText('1 of 2').waitFor()
    await row.getByText('Sent', { exact: true }).waitFor()
    await row.getByText('1 (1 unsubscribed)').waitFor()
    await page.getByText('to 1 subscriber', { exact: true }).waitFor()
    const [message] = push.of('/phone')
    if (!message) throw new Error('no message came')
    const { notification } = JSON.parse(subscriber.decrypt(message))
    expect(notification).to.include({ title: 'Fresh bread', body: 'Come while it is warm.' })
    await looksGood(page, 'pwa-notifications')
  })

  it('list 100,000 subscribers by pages, find some of them, and remove one', async () => {
    await addMany(admin, MANY)
    await open('Subscribers')
    await page.getByText('100,001 items').waitFor()
    expect(await page.getByRole('table', { name: 'Subscribers' }).getByRole('row').count()).to.be.below(60)
    await looksGood(page, 'pwa-subscribers')
    await page.getByRole('searchbox', { name: 'Search subscribers' }).fill('Firefox')
    await page.getByText('33,334 items').waitFor()
    expect(page.url()).to.include('search=Firefox')
    await page
      .getByRole('button', { name: /^Delete subscriber/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('33,333 items').waitFor()
  })

  it('show who installs and opens the app, and with what', async () => {
    const headers = { 'User-Agent': PHONE }
    for (const [displayMode, event] of [
      ['standalone', 'open'],
      ['standalone', 'open'],
      ['browser', 'install'],
    ])
      await call(admin.site, 'PUT', '/pwa-users/upsert', { pwaUserId: randomUUID(), displayMode, event }, { headers })
    await open('App analytics')
    await page.getByText('Standalone: 2 (67%)').waitFor()
    await page.getByText('Installed, in a browser tab: 1 (33%)').waitFor()
    await page.getByText('Chrome: 3 (100%)').waitFor()
    await looksGood(page, 'pwa-analytics')
  })

  it('say what happens without a network, and where the app is offered', async () => {
    await open('Offline')
    await page.getByRole('textbox', { name: 'Offline page' }).fill('/about/')
    await save()
    await looksGood(page, 'pwa-offline')
    await page.getByRole('button', { name: 'Regenerate service worker' }).click()
    await page.getByText(/^Service worker regenerated/).waitFor()
    await open('Install prompts')
    await looksGood(page, 'pwa-install')
  })

  it('put a page into the menu of the app icon', async () => {
    await open('Settings')
    await page.getByRole('button', { name: 'Add shortcut' }).click()
    await page.getByRole('textbox', { name: 'Shortcut 1 name' }).fill('Recipes')
    await page.getByRole('textbox', { name: 'Shortcut 1 URL' }).fill('/recipes/')
    await page.getByRole('combobox', { name: 'Display override' }).press('ArrowDown')
    await page.getByRole('option', { name: 'Tabbed' }).click()
    await page.getByRole('option', { name: 'Minimal UI' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Post types' }).press('ArrowDown')
    await page.getByRole('option', { name: 'Pages' }).click()
    await page.keyboard.press('Escape')
    await page.getByLabel('Time to live').fill('7')
    await looksGood(page, 'pwa-settings')
    await save()
    const { shortcuts, display_override } = await manifest()
    expect(shortcuts).to.deep.equal([{ name: 'Recipes', url: '/recipes/' }])
    expect(display_override).to.deep.equal(['tabbed', 'minimal-ui'])
    expect(admin.site.host.settings.get('pwa')?.masked()).to.deep.include({
      pushNewContentTypes: ['post', 'page'],
      pushTimeToLiveSeconds: 604_800,
    })
  })
})

/** Subscribers who have left without a word: they are listed, and get nothing. */
async function addMany({ site }: AdminSite, count: number): Promise<void> {
  await sql`
    with recursive numbers(at) as (select 1 union all select at + 1 from numbers where at < ${count})
    insert into pwa_subscriptions (endpoint_hash, endpoint, origin, p256dh, auth, encoding, expires, user_proven,
      country, operating_system, browser, device, created_gmt)
    select 'hash-' || at, 'https://push.example/' || at, 'https://push.example', '', '', 'aes128gcm', 1, 0,
      case at % 2 when 0 then 'DE' else 'FR' end, case at % 2 when 0 then 'Android' else 'Windows' end,
      case at % 3 when 0 then 'Chrome' when 1 then 'Firefox' else 'Safari' end,
      case at % 2 when 0 then 'Phone' else 'Desktop' end, datetime('now', '-' || (at % 25) || ' days')
    from numbers`.execute(site.host.database.db)
  await until(async () => (await site.get('/')).ok)
}
