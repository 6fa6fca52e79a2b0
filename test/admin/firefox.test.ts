import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { appCode } from '../support/authenticator-app.ts'
import { enter, launchFirefox } from '../support/firefox.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD, settled } from './admin-site.ts'

const picture = () =>
  sharp({ create: { width: 800, height: 500, channels: 3, background: '#36a' } })
    .png()
    .toBuffer()

describe('Firefox on a desk, in light colors', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite({ isNew: true, launch: () => launchFirefox('light') })
    page = await admin.signIn()
    page.on('dialog', (dialog) => void dialog.accept())
  })
  after(() => admin?.close())

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const text = () => page.getByRole('textbox', { name: 'Content', exact: true })
  const go = (path: string) => page.goto(admin.site.url + path)

  it('sets up a new site', async () => {
    const step = (name: string) => page.getByRole('region', { name, exact: true }).waitFor()
    await step('Your site')
    await enter(page.getByLabel('Site title'), 'Ada’s journal')
    await button('Save and continue').click()
    await step('Appearance')
    expect(admin.site.host.content.siteSettings().title).to.equal('Ada’s journal')
    await page.getByRole('radio').nth(1).click()
    await button('Save and continue').click()
    for (const name of ['Content', 'Email', 'Backups', 'Search engines']) {
      await step(name)
      await button(name === 'Search engines' ? 'Finish setup' : 'Skip').click()
    }
    await page.getByRole('heading', { name: 'Your site is ready' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Write a post' }).click()
    await text().waitFor()
  })

  it('writes and publishes a post with the keyboard, pasted text, an image, and a dragged block', async () => {
    const { keyboard } = page
    await enter(page.getByLabel('Title', { exact: true }), 'Written in Firefox')
    await text().focus()
    await keyboard.type('/head')
    await page.getByRole('option', { name: 'Heading 2' }).waitFor()
    await keyboard.press('Enter')
    await keyboard.type('Salt')
    await keyboard.press('Enter')
    // Copied and pasted, as a person does.
    await keyboard.type('Pepper')
    await keyboard.press('Shift+Home')
    await keyboard.press('Control+c')
    await keyboard.press('End')
    await keyboard.type(' and ')
    await keyboard.press('Control+v')
    await text().getByText('Pepper and Pepper').waitFor()
    await keyboard.press('Control+b')
    await keyboard.type('!')
    await text().locator('strong').waitFor()
    await keyboard.press('Control+z')
    await text().locator('strong').waitFor({ state: 'detached' })
    await keyboard.press('Control+Shift+z')
    await text().locator('strong').waitFor()
    await keyboard.press('Enter')
    await keyboard.type('/image')
    await page.getByRole('option', { name: 'Image', exact: true }).waitFor()
    await keyboard.press('Enter')
    const file = { name: 'blue.png', mimeType: 'image/png', buffer: await picture() }
    await page.locator('input[type=file]').first().setInputFiles(file)
    await page.getByRole('dialog').getByRole('button', { name: 'Use this file' }).click()
    await text().locator('figure img').waitFor()
    // WebDriver cannot drag in Firefox without a window: these are the events of a drag.
    await text().getByText('Salt').hover()
    await page.locator('.drag-handle').waitFor()
    const below = await text().getByText('Pepper and').boundingBox()
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      const handle = document.querySelector('.drag-handle')
      const send = (target, type, at = {}) => target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, ...at }))
      const at = { clientX: ${(below?.x ?? 0) + (below?.width ?? 0) - 4}, clientY: ${(below?.y ?? 0) + (below?.height ?? 0) - 2} }
      const target = document.elementFromPoint(at.clientX, at.clientY)
      send(handle, 'dragstart')
      for (const type of ['dragenter', 'dragover', 'drop']) send(target, type, at)
      send(handle, 'dragend')
    })()`)
    await text().locator('p + h2').waitFor()
    await expectAccessible(page)
    await button('Publish').click()
    await page.getByText('Post published.').waitFor()
    const { items } = await admin.site.host.content.posts.query({ types: ['post'], search: 'Written in Firefox' })
    expect(items[0]?.content).to.match(/Pepper and Pepper[\s\S]*<h2 class="wp-block-heading">Salt<\/h2>[\s\S]*blue/)
  })

  it('changes the appearance with a preview', async () => {
    await go('/wp-admin/appearance')
    const preview = page.frameLocator('iframe[title="Preview"]')
    await page.getByRole('radio', { name: /Journal/ }).click()
    await button('Footer').click()
    await enter(page.getByLabel('Footer text'), 'Printed on electrons')
    await preview.getByText('Printed on electrons').waitFor()
    await expectAccessible(page)
    await button('Save changes').click()
    await page.getByText('You have unsaved changes.').waitFor({ state: 'hidden' })
  })

  it('shows the toolbar of editors on the site, and takes a comment, which one click approves', async () => {
    await go('/written-in-firefox/')
    await page.getByRole('navigation', { name: 'Toolbar' }).getByRole('link', { name: 'Edit Post' }).waitFor()
    await page.getByText('Printed on electrons').waitFor()
    await enter(page.getByLabel('Comment'), 'A comment from Firefox')
    await expectAccessible(page)
    const { items } = await admin.site.host.content.posts.query({ types: ['post'], search: 'Written in Firefox' })
    const { id } = await admin.site.host.content.comments.insert({
      ...{ postId: items[0]?.id ?? 0, parentId: 0, userId: 0, authorName: 'Eve', authorEmail: 'eve@example.net' },
      ...{ authorUrl: '', authorAddress: '10.0.0.7', userAgent: '', status: 'hold', type: 'comment' },
      ...{ content: 'Is this salt?', date: '2026-01-07T08:00:00', dateGmt: '2026-01-07T08:00:00' },
    })
    await go(`/wp-admin/comment.php?action=approve&c=${id}`)
    await button('Approve').click()
    await page.getByText('The comment was updated.').waitFor()
    await expectAccessible(page)
  })

  it('moves a post to the trash', async () => {
    await go('/wp-admin/posts?search=Written+in+Firefox')
    await page.getByLabel('Select “Written in Firefox”').check()
    await button('Move to trash').click()
    await page.getByText('1 item moved to the trash.').waitFor()
    await expectAccessible(page)
  })

  it('tests the email settings, and has a request for personal data', async () => {
    await go('/wp-admin/settings/mail')
    await button('Send test email').click()
    await page.getByText(/^The email was not sent, because no SMTP server is configured/).waitFor()
    await expectAccessible(page)
    await go('/wp-admin/tools/privacy/erase')
    await enter(page.getByLabel('Email address'), 'ada@example.org')
    await button('Add request').press('Enter')
    await page.getByRole('table', { name: 'Erase personal data' }).getByText('Pending').waitFor()
    await expectAccessible(page)
  })

  it('sets up two-factor authentication, resets a forgotten password, and logs in with both', async () => {
    await go('/wp-admin/profile')
    await button('Set up authenticator app').click()
    const confirm = page.getByRole('dialog', { name: 'Confirm your password' })
    await enter(confirm.getByLabel('Current password'), PASSWORD)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    const secret = ((await page.getByTestId('two-factor-key').textContent()) ?? '').replaceAll(' ', '')
    await enter(dialog.getByLabel('Code that the app shows'), appCode(secret, Date.now() - 30_000))
    await page.keyboard.press('Enter')
    await page.getByTestId('recovery-codes').waitFor()
    await expectAccessible(page)

    await page.context().clearCookies()
    await go('/wp-login.php')
    await page.getByRole('link', { name: 'Lost your password?' }).click()
    await enter(page.getByLabel('Username or email address'), 'the-administrator')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByText(/^If there is an account/).waitFor()
    const link = /http\S+action=rp\S+/.exec(admin.site.mails.at(-1)?.text ?? '')?.[0] ?? ''
    await page.goto(link)
    await enter(page.getByLabel('New password', { exact: true }), `${PASSWORD} 2`)
    await enter(page.getByLabel('Repeat the new password'), `${PASSWORD} 2`)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wp-login.php?password=changed')
    await enter(page.getByLabel('Username or email address'), 'the-administrator')
    await enter(page.getByLabel('Password'), `${PASSWORD} 2`)
    await page.keyboard.press('Enter')
    await enter(page.getByLabel('Code from your authenticator app'), appCode(secret, Date.now()))
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wp-admin/')
  })
})

describe('Firefox on a phone, in dark colors', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite({ launch: () => launchFirefox('dark') })
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
    '/',
    '/?s=salt',
    '/not-there/',
    '/wp-admin/',
    '/wp-admin/appearance',
    '/wp-admin/settings/mail',
    '/wp-admin/comments',
    '/wp-admin/profile',
  ]) {
    it(`shows ${path}`, async () => {
      await page.goto(admin.site.url + path)
      await expectReadable()
    })
  }
})
