import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { SMTPServer } from 'smtp-server'
import { appCode } from '../../support/authenticator-app.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD } from '../admin-site.ts'

describe('On a phone, an owner', () => {
  let admin: AdminSite
  let page: Page
  const delivered: string[] = []
  const smtp = new SMTPServer({
    ...{ disabledCommands: ['STARTTLS', 'AUTH'], authOptional: true },
    onData(stream, _session, done) {
      void text(stream).then((message) => {
        delivered.push(message)
        done()
      })
    },
  })
  before(async () => {
    await once(smtp.server.listen(0, '127.0.0.1'), 'listening')
    admin = await openAdminSite()
    const smtpPort = (smtp.server.address() as AddressInfo).port
    await admin.site.host.settings.get('mail')?.update({ smtpHost: '127.0.0.1', smtpPort, smtpSecurity: 'none' })
    page = await admin.signIn('administrator', '/wp-admin/', 'phone')
  })
  after(async () => {
    await admin?.close()
    await new Promise<void>((closed) => smtp.close(closed))
  })

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const published = async (path: string) => (await admin.site.get(path)).text()
  /** Opens a screen from the navigation. */
  async function open(name: string | RegExp, title: string): Promise<void> {
    await button('Navigation').tap()
    await page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name, exact: true }).tap()
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
  }
  /** Everything fits, and can be read in light and dark colors. */
  async function look(): Promise<void> {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390)
  }
  async function confirmPassword(): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await look()
    await dialog.getByRole('button', { name: 'Confirm' }).tap()
    await dialog.waitFor({ state: 'detached' })
  }

  it('publishes a post with an image, and opens it', async () => {
    const buffer = await sharp({ create: { width: 1200, height: 800, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer()
    await open('Posts', 'Posts')
    await look()
    await page.getByRole('link', { name: 'Add New Post' }).first().tap()
    await page.getByLabel('Title', { exact: true }).fill('Seen on the way')
    await page.getByRole('textbox', { name: 'Content' }).tap()
    await page.keyboard.type('A teal wall.\n')
    await button('Insert images').tap()
    const dialog = page.getByRole('dialog')
    const photo = { name: 'wall.jpg', mimeType: 'image/jpeg', buffer }
    await dialog.locator('input[type=file]').setInputFiles(photo)
    await dialog.getByRole('button', { name: 'wall', exact: true }).waitFor()
    await look()
    await dialog.getByRole('button', { name: 'Use 1 file' }).tap()
    await page.locator('.ProseMirror img[src*="wall"]').waitFor()
    await look()
    await button('Publish').tap()
    await page.getByText('Post published.').waitFor()
    const [post] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'View Post' }).tap(),
    ])
    await post.getByText('A teal wall.', { exact: true }).waitFor()
    const image = post.locator('.entry-content img')
    await image.scrollIntoViewIfNeeded()
    await post.waitForFunction(`document.querySelector('.entry-content img').naturalWidth > 0`)
    expect((await image.boundingBox())?.width).to.be.within(300, 390)
    await post.close()
  })

  it('changes the color of links', async () => {
    await open('Appearance', 'Appearance')
    await button('Colors').tap()
    await page.getByLabel('Accent', { exact: true }).first().fill('#7a1fa2')
    await page.keyboard.press('Escape')
    await look()
    await button('Save changes').tap()
    await page.getByText('You have unsaved changes.').waitFor({ state: 'hidden' })
    expect(await published('/')).to.include('#7a1fa2')
  })

  it('approves a comment', async () => {
    const { content } = admin.site.host
    const { items } = await content.posts.query({ types: ['post'], search: 'Seen on the way', limit: 1 })
    await content.comments.insert({
      ...{ postId: items[0]?.id ?? 0, parentId: 0, userId: 0, authorName: 'Eve', authorEmail: 'eve@example.net' },
      ...{ authorUrl: '', authorAddress: '10.0.0.7', userAgent: '', status: 'hold', type: 'comment' },
      ...{ content: 'Where is this wall?', date: '2026-11-30T08:00:00', dateGmt: '2026-11-30T08:00:00' },
    })
    await open(/^Comments/, 'Comments')
    await button(/^Pending \d+$/).tap()
    await page.getByText('Where is this wall?').waitFor()
    await look()
    await button('Actions for the comment by Eve').tap()
    await look()
    await page.getByRole('menuitem', { name: 'Approve' }).tap()
    await page.getByText('1 comment approved.').waitFor()
    expect(await published('/seen-on-the-way/')).to.include('Where is this wall?')
  })

  it('invites a user', async () => {
    await open('Users', 'Users')
    await look()
    await page.getByRole('link', { name: 'Add user' }).tap()
    await page.getByLabel('Username').fill('wren')
    await page.getByRole('textbox', { name: 'Email' }).fill('wren@example.org')
    await page.getByRole('checkbox', { name: 'Email the user a link to set a password', checked: true }).waitFor()
    await page.getByRole('combobox', { name: 'Role' }).tap()
    await page.getByRole('option', { name: 'Editor' }).tap()
    await look()
    await page.locator('form').getByRole('button', { name: 'Add user' }).tap()
    await page.getByText('Sent a link to wren@example.org.').waitFor()
    expect(delivered.join()).to.match(/^To: wren@example\.org/m)
    const link = /http\S+action=rp\S+/.exec(admin.site.mails.at(-1)?.text ?? '')?.[0] ?? ''
    expect(await published(link.replace(admin.site.url, ''))).to.include('New password')
  })

  it('creates a backup, and restores it', async () => {
    await open('Backup', 'Backup')
    await button('Create backup').tap()
    const form = page.getByRole('dialog', { name: 'Create backup' })
    await form.getByLabel('Title').fill('From the phone')
    await look()
    await form.getByRole('button', { name: 'Start backup' }).tap()
    await page.getByText('Backup complete.').waitFor()
    await look()
    const { posts } = admin.site.host.content
    await posts.insert({ title: 'Written since', slug: 'written-since', status: 'publish' })
    expect((await admin.site.get('/written-since/')).status).to.equal(200)
    // While a site is replaced, it answers 503.
    admin.allow(/^503 \/wp-json\//)
    await page.getByRole('link', { name: 'Restore' }).tap()
    await page.getByText('This backup was signed by this site').waitFor()
    await look()
    await button('Restore backup…').tap()
    const dialog = page.getByRole('dialog', { name: 'Restore “From the phone”?' })
    await look()
    await dialog.getByRole('button', { name: 'Restore backup' }).tap()
    await confirmPassword()
    await page.getByText('The site has been restored from the backup, and you are logged in again.').waitFor()
    await look()
    expect((await admin.site.get('/written-since/')).status).to.equal(404)
    expect(await published('/seen-on-the-way/')).to.include('A teal wall.')
  })

  it('sets up two-factor authentication, which the next login requires', async () => {
    await button('Your account').tap()
    await look()
    await page.getByRole('menuitem', { name: 'Profile' }).tap()
    await button('Set up authenticator app').tap()
    await confirmPassword()
    const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    await look()
    const secret = ((await page.getByTestId('two-factor-key').textContent()) ?? '').replaceAll(' ', '')
    await dialog.getByLabel('Code that the app shows').fill(appCode(secret, Date.now()))
    await dialog.getByRole('button', { name: 'Turn on' }).tap()
    await page.getByTestId('recovery-codes').waitFor()
    await look()
    await button('Your account').tap()
    await page.getByRole('menuitem', { name: 'Log out' }).tap()
    await page.getByLabel('Username or email address').fill('the-administrator')
    await page.getByLabel('Password').fill(PASSWORD)
    await look()
    await button('Log in').tap()
    // Each code is accepted once; a clock may be ahead.
    await page.getByLabel('Code from your authenticator app').fill(appCode(secret, Date.now() + 30_000))
    await look()
    await button('Log in').tap()
    await page.waitForURL('**/wp-admin/')
  })
})
