import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { enter, launchFirefox } from '../../support/firefox.ts'
import { type AdminSite, expectAccessible, openAdminSite, settled } from '../admin-site.ts'

describe('Firefox on a phone, in dark colors', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite({
      launch: () => launchFirefox('dark'),
      extensions: [join(import.meta.dirname, '../../../extensions/store')],
    })
    page = await admin.signIn('administrator', '/wp-admin/posts/new', 'phone')
    page.on('dialog', (dialog) => void dialog.accept())
  })
  after(() => admin?.close())

  const text = () => page.getByRole('textbox', { name: 'Content', exact: true })
  /** Everything fits, is dark, and can be read by everybody. */
  async function expectReadable(): Promise<void> {
    await settled(page)
    expect(
      await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
    ).to.equal(true)
    const [red = 255] =
      (await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')).match(/\d+/g) ?? []
    expect(Number(red)).to.be.below(60)
    await expectAccessible(page)
  }

  it('writes a post with a gallery', async () => {
    const { keyboard } = page
    await enter(page.getByLabel('Title', { exact: true }), 'From the phone')
    await text().focus()
    await keyboard.type('Hello\n/gal')
    await page.getByRole('option', { name: 'Gallery', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'tower' }).click()
    await dialog.getByRole('button', { name: 'bread' }).click()
    await dialog.getByRole('button', { name: /^Use/ }).click()
    await text().locator('figure img').nth(1).waitFor()
    await expectReadable()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Post published.').waitFor()
  })

  it('shows it to visitors', async () => {
    await page.goto(`${admin.site.url}/from-the-phone/`)
    await page.locator('.wp-block-gallery img').nth(1).waitFor()
    await expectReadable()
  })

  it('opens and closes menu and search of the site by keyboard', async () => {
    await page.goto(`${admin.site.url}/`)
    const menu = page.getByRole('navigation', { name: 'Primary' })
    await page.getByRole('button', { name: 'Menu', exact: true }).press('Enter')
    await menu.getByRole('link').first().waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Search', exact: true }).first().press('Enter')
    await page.getByRole('searchbox').first().waitFor()
    await expectAccessible(page)
    // The field has the focus.
    await page.keyboard.type('salt')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/?s=salt')
  })

  for (const path of [
    ...['/', '/?s=salt', '/not-there/', '/hello-world/', '/category/travel/', '/author/admin/'],
    ...[
      '/wp-admin/',
      '/wp-admin/setup',
      '/wp-admin/appearance',
      '/wp-admin/settings/mail',
      '/wp-admin/settings/privacy',
    ],
    ...['/wp-admin/posts', '/wp-admin/comments', '/wp-admin/media', '/wp-admin/profile', '/wp-admin/users/new'],
    ...[
      '/wp-admin/tools/site-health',
      '/wp-admin/tools/privacy/erase',
      '/wp-admin/backup',
      '/wp-admin/extension/store/orders',
    ],
  ]) {
    it(`shows ${path}`, async () => {
      await page.goto(admin.site.url + path)
      // The script of a screen of the admin loads after the page.
      await page.locator('h1').first().waitFor()
      await expectReadable()
    })
  }
})
