import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { SMTPServer } from 'smtp-server'
import { appCode } from '../../support/authenticator-app.ts'
import { enter, launchFirefox } from '../../support/firefox.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD, saveSettings } from '../admin-site.ts'

const picture = () =>
  sharp({ create: { width: 800, height: 500, channels: 3, background: '#36a' } })
    .png()
    .toBuffer()

describe('Firefox on a desk, in light colors', () => {
  let admin: AdminSite
  let page: Page
  let isRefusing = false
  let delivered = 0
  const smtp = new SMTPServer({
    ...{ disabledCommands: ['STARTTLS', 'AUTH'], authOptional: true },
    onRcptTo: (_address, _session, done) => done(isRefusing ? new Error('Mailbox busy') : undefined),
    onData(stream, _session, done) {
      stream.resume().once('end', () => {
        delivered++
        done()
      })
    },
  })
  smtp.on('error', () => {})
  before(async () => {
    await once(smtp.server.listen(0, '127.0.0.1'), 'listening')
    admin = await openAdminSite({ isNew: true, launch: () => launchFirefox('light') })
    // The SMTP server rejects an email on purpose.
    admin.allow(/^502 \/wp-json\/host\/v1\/mail\/test$/)
    admin.allow(/^502 \/wp-json\/host\/v1\/users\/\d+\/password-link$/)
    page = await admin.signIn()
    page.on('dialog', (dialog) => void dialog.accept())
  })
  after(async () => {
    await admin?.close()
    await new Promise<void>((closed) => smtp.close(closed))
  })

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const text = () => page.getByRole('textbox', { name: 'Content', exact: true })
  const go = (path: string) => page.goto(admin.site.url + path)
  /** The link with that action in the last email. */
  const linkOf = (action: string) =>
    new RegExp(`http\\S+action=${action}\\S+`).exec(admin.site.mails.at(-1)?.text ?? '')?.[0] ?? ''
  /** A page for another person. */
  async function newPage(url: string): Promise<Page> {
    const context = await page.context().browser()?.newContext()
    const theirs = await context?.newPage()
    if (!theirs) throw new Error('There is no browser.')
    await theirs.goto(url)
    return theirs
  }
  async function confirmPassword(): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await enter(dialog.getByLabel('Current password'), PASSWORD)
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }

  it('sets up a new site', async () => {
    const step = (name: string) => page.getByRole('region', { name, exact: true }).waitFor()
    await step('Your site')
    await enter(page.getByLabel('Site title'), 'Ada’s journal')
    await button('Save and continue').click()
    await step('Appearance')
    expect(admin.site.host.content.siteSettings().title).to.equal('Ada’s journal')
    await page.getByRole('radio').nth(1).click()
    await button('Save and continue').click()
    await step('Content')
    await button('Skip').click()
    await step('Email')
    await enter(page.getByLabel('SMTP server'), 'not a host')
    await button('Save and continue').click()
    await page.getByText('It must be a host name, such as smtp.example.org.', { exact: true }).waitFor()
    await expectAccessible(page)
    await button('Skip').click()
    await step('Backups')
    await button('Save and continue').click()
    await step('Search engines')
    expect(admin.site.host.settings.get('backup')?.get()).to.include({ automaticBackups: 'on' })
    await page.getByLabel('Allow search engines to index this site').press('Space')
    await button('Finish setup').click()
    await page.getByRole('heading', { name: 'Your site is ready' }).waitFor()
    await expectAccessible(page)
    expect(await (await admin.site.get('/')).text()).to.match(/<meta name="?robots"? content="[^"]*noindex/)
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

  it('sends email over the server of the settings, shows what that says, and sends one again', async () => {
    await admin.site.host.mail.send({ to: 'eve@example.net', subject: 'Your order 12', text: 'Thank you!' })
    const row = page.getByRole('table', { name: 'Email log' }).getByRole('row', { name: /Your order 12/ })
    await go('/wp-admin/settings/mail')
    await button('Send test email').click()
    await page.getByText(/^The email was not sent, because no SMTP server is configured/).waitFor()
    await row.getByText('Not sent, stored as a file').waitFor()
    await expectAccessible(page)
    await enter(page.getByLabel('SMTP server'), '127.0.0.1')
    await enter(page.getByLabel('Port'), String((smtp.server.address() as AddressInfo).port))
    await page.getByRole('combobox', { name: 'Encryption' }).click()
    await page.getByRole('option', { name: 'None', exact: true }).click()
    isRefusing = true
    await button('Send test email and save').click()
    await page
      .getByText(/Mailbox busy/)
      .first()
      .waitFor()
    await page.getByText('Test failed, changes not saved').waitFor()
    await expectAccessible(page)
    expect(await page.getByText('Settings saved.').count()).to.equal(0)
    expect(admin.site.host.settings.get('mail')?.get().smtpHost).to.equal('')
    isRefusing = false
    await button('Send test email and save').click()
    await page.getByText(/^It responded: 250 /).waitFor()
    await page.getByText('Settings saved.').waitFor()
    expect(admin.site.host.settings.get('mail')?.get().smtpHost).to.equal('127.0.0.1')
    await button(/^Send again: /)
      .last()
      .click()
    await page.getByText('Email sent.').waitFor()
    expect(delivered).to.equal(2)
  })

  it('invites a user, who sets a password', async () => {
    await go('/wp-admin/users/new')
    await enter(page.getByLabel('Username'), 'wren')
    await enter(page.getByRole('textbox', { name: 'Email', exact: true }), 'wren@example.org')
    expect(await page.getByLabel('Email the user a link to set a password').isChecked()).to.equal(true)
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Editor' }).click()
    await expectAccessible(page)
    isRefusing = true
    await page.locator('form').getByRole('button', { name: 'Add user' }).click()
    await page
      .getByText(
        'The email could not be sent (EENVELOPE 550). The SMTP server rejected the address of the sender or recipient.',
      )
      .waitFor()
    isRefusing = false
    await page.getByRole('link', { name: 'wren', exact: true }).click()
    await button('Send invitation').click()
    await page.getByText('Sent a link to wren@example.org.').waitFor()
    await expectAccessible(page)
    const theirs = await newPage(linkOf('rp'))
    await enter(theirs.getByLabel('New password', { exact: true }), `${PASSWORD} 1`)
    await enter(theirs.getByLabel('Repeat the new password'), `${PASSWORD} 1`)
    await expectAccessible(theirs)
    await theirs.getByRole('button', { name: 'Save password' }).click()
    await theirs.waitForURL('**/wp-login.php?password=changed')
    await theirs.context().close()
    const login = { login: 'wren', password: `${PASSWORD} 1`, address: '127.0.0.1', userAgent: '' }
    expect((await admin.site.host.auth.signIn(login)).user.roles).to.deep.equal(['editor'])
    await page.reload()
    await button('Send password reset link').waitFor()
  })

  it('changes an email address once the new one is confirmed', async () => {
    const email = async () => (await admin.site.host.auth.users.getByLogin('the-administrator'))?.email
    await go('/wp-admin/profile')
    await enter(page.getByRole('textbox', { name: 'Email', exact: true }), 'robin@example.org')
    await button('Save changes').click()
    await confirmPassword()
    await page.getByText('Waiting for confirmation: open the link in the email sent to robin@example.org.').waitFor()
    await expectAccessible(page)
    expect(await email()).to.equal('the-administrator@example.org')
    await page.goto(linkOf('confirmemail'))
    await expectAccessible(page)
    await button('Confirm').click()
    await page.getByText('Your email address is now').waitFor()
    expect(await email()).to.equal('robin@example.org')
  })

  it('sets up two-factor authentication, resets a forgotten password, and logs in with both', async () => {
    await go('/wp-admin/profile')
    await button('Set up authenticator app').click()
    const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    const secret = ((await page.getByTestId('two-factor-key').textContent()) ?? '').replaceAll(' ', '')
    await enter(dialog.getByLabel('Code that the app shows'), appCode(secret, Date.now()))
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
    await page.goto(linkOf('rp'))
    await enter(page.getByLabel('New password', { exact: true }), `${PASSWORD} 2`)
    await enter(page.getByLabel('Repeat the new password'), `${PASSWORD} 2`)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wp-login.php?password=changed')
    await enter(page.getByLabel('Username or email address'), 'the-administrator')
    await enter(page.getByLabel('Password'), `${PASSWORD} 2`)
    await page.keyboard.press('Enter')
    // Each code is accepted once; a clock may be ahead.
    await enter(page.getByLabel('Code from your authenticator app'), appCode(secret, Date.now() + 30_000))
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wp-admin/')
  })

  it('requires two-factor authentication of a role, whose users set it up when they log in', async () => {
    await go('/wp-admin/settings/host')
    const group = page.getByRole('group', { name: 'Require two-factor authentication' })
    await group.getByRole('checkbox', { name: 'Editor' }).check()
    await expectAccessible(page)
    await saveSettings(page)
    const theirs = await newPage(`${admin.site.url}/wp-login.php`)
    await enter(theirs.getByLabel('Username or email address'), 'wren')
    await enter(theirs.getByLabel('Password'), `${PASSWORD} 1`)
    await theirs.getByRole('button', { name: 'Log in' }).click()
    await theirs.getByRole('img', { name: 'QR code' }).waitFor()
    await expectAccessible(theirs)
    const key = (await theirs.locator('code').textContent()) ?? ''
    await enter(theirs.getByLabel('Code that the app shows'), appCode(key.replaceAll(' ', ''), Date.now()))
    await theirs.getByRole('button', { name: 'Continue' }).click()
    await theirs.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
    await expectAccessible(theirs)
    const recoveryCode = (await theirs.locator('.codes code').first().textContent()) ?? ''
    await theirs.getByRole('link', { name: 'I have saved the codes' }).click()
    await theirs.waitForURL('**/wp-admin/')
    // Without the device.
    await theirs.context().clearCookies()
    await theirs.goto(`${admin.site.url}/wp-login.php`)
    await enter(theirs.getByLabel('Username or email address'), 'wren')
    await enter(theirs.getByLabel('Password'), `${PASSWORD} 1`)
    await theirs.getByRole('button', { name: 'Log in' }).click()
    await enter(theirs.getByLabel('Code from your authenticator app'), recoveryCode)
    await theirs.getByRole('button', { name: 'Log in' }).click()
    await theirs.waitForURL('**/wp-admin/')
  })
})
