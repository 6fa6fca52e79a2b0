import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { siteWith } from '../../speed/cached-site.ts'
import { appCode } from '../../support/authenticator-app.ts'
import { freePort } from '../../support/free-port.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD, settled, shoot } from '../admin-site.ts'

/** A phone or laptop with a fingerprint reader, in Chromium. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

async function logIn(page: Page, origin: string, login = 'the-administrator'): Promise<void> {
  await page.goto(`${origin}/wp-login.php`)
  await page.getByLabel('Username or email address').fill(login)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/wp-admin/')
}

describe('passkeys in the browser', () => {
  let admin: AdminSite
  let page: Page
  after(() => admin?.close())

  it('are added in the profile, and log the user in without a password', async () => {
    const port = await freePort()
    const url = `http://localhost:${port}`
    admin = await openAdminSite({ config: { siteDir: siteWith({ preload: 'off' }), port, url } })
    page = await admin.signIn('administrator', '/wp-login.php?reauth=1')
    await page.setViewportSize({ width: 390, height: 844 })
    await logIn(page, url)
    await addAuthenticator(page)
    await page.goto(`${url}/wp-admin/profile`)
    await page.getByLabel('Passkey name').fill('My phone')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('button', { name: 'Remove “My phone”' }).waitFor()
    await page.getByTestId('recovery-codes').waitFor()
    const heading = page.getByText('Save your recovery codes')
    await page.waitForFunction(`document.activeElement.textContent === 'Save your recovery codes'`)
    const { y = 0 } = (await heading.boundingBox()) ?? {}
    expect(y, 'in view on a phone').to.be.within(1, 844)
    await shoot(page, 'passkey-added')
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('This device already has a passkey for your account.').waitFor()

    await page.context().clearCookies()
    await page.goto(`${url}/wp-login.php?redirect_to=/wp-admin/profile`)
    await page.getByRole('link', { name: 'Log in with a passkey' }).click()
    await shoot(page, 'login-passkey')
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await page.waitForURL('**/wp-admin/profile')
    await page.getByText('On: a passkey is set up.').waitFor()
    await expectAccessible(page)
    await page.context().clearCookies()
    await page.goto(`${url}/wp-login.php?action=passkey`)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use passkey' }).click()
    await page.waitForURL('**/wp-admin/')
  })

  it('are offered in the dialog of a session that has ended, before the password and after it', async () => {
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    const menu = page.getByRole('navigation', { name: 'Admin menu' })
    await page.context().clearCookies()
    await menu.getByRole('link', { name: 'Users' }).click()
    await dialog.getByRole('button', { name: 'Log in with a passkey' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: 'Users' }).waitFor()

    await page.context().clearCookies()
    await menu.getByRole('link', { name: 'Media' }).click()
    await dialog.getByLabel('Username or email address').fill('the-administrator')
    await dialog.locator('[name=password]').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Log in', exact: true }).click()
    await dialog.getByLabel('Recovery code').waitFor()
    await shoot(page, 'session-ended-passkey')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Use a passkey' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: 'Media' }).waitFor()
  })
})

describe('passkeys of a site whose admin is open at another host name', () => {
  let admin: AdminSite
  after(() => admin?.close())

  it('are not offered, as browsers would not create them there', async () => {
    const port = await freePort()
    const url = `http://site.localhost:${port}`
    admin = await openAdminSite({ config: { siteDir: siteWith({ preload: 'off' }), port, url } })
    const page = await admin.signIn('administrator', '/wp-login.php?reauth=1')
    for (const [origin, isOffered] of [
      [url, true],
      [`http://localhost:${port}`, false],
    ] as const) {
      await logIn(page, origin)
      await page.goto(`${origin}/wp-admin/profile`)
      const add = page.getByRole('button', { name: 'Add passkey' })
      await add.or(page.getByText('Passkeys require an up-to-date browser')).waitFor()
      expect(await add.count(), origin).to.equal(isOffered ? 1 : 0)
    }
  })
})

describe('two-factor authentication in the admin', () => {
  let admin: AdminSite
  let page: Page
  let secret = ''
  before(async () => {
    admin = await openAdminSite()
    page = await admin.signIn('administrator', '/wp-admin/profile')
  })
  after(() => admin.close())

  async function confirmPassword(): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }

  it('offers no passkeys while the site has no domain name, whatever the host name of the admin', async () => {
    const other = await admin.signIn('editor')
    const { port } = new URL(admin.site.url)
    await logIn(other, `http://localhost:${port}`, 'the-editor')
    await other.goto(`http://localhost:${port}/wp-admin/profile`)
    const note = other.getByText('a site URL with a domain name and HTTPS, or with the host name localhost.')
    expect(await note.textContent()).to.contain(`set PENTAD_URL to http://localhost:${port}, restart Pentad`)
  })

  it('is set up with a QR code and a code, and shows recovery codes once', async () => {
    await settled(page)
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    await confirmPassword()
    const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    await shoot(page, 'two-factor-set-up')
    await expectAccessible(page)
    secret = ((await page.getByTestId('two-factor-key').textContent()) ?? '').replaceAll(' ', '')
    const field = dialog.getByLabel('Code that the app shows')
    await field.fill('000000')
    await field.press('Enter')
    await dialog.getByText('The code is incorrect or was already used.').waitFor()
    await field.fill(appCode(secret, Date.now() - 30_000))
    await field.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByTestId('recovery-codes').locator('code').count()).to.equal(10)
    await page.waitForFunction(`document.activeElement.textContent === 'Save your recovery codes'`)
    await page.getByText('10 unused recovery codes.').waitFor()
    await page.getByTestId('recovery-codes').scrollIntoViewIfNeeded()
    await shoot(page, 'two-factor-codes')
    await expectAccessible(page)
    await page.reload()
    await page.getByText('On: an authenticator app is set up.').waitFor()
    expect(await page.getByTestId('recovery-codes').count()).to.equal(0)
  })

  it('is the second step of a login', async () => {
    const tab = await admin.openTab(page, '/wp-login.php?reauth=1')
    await tab.getByLabel('Username or email address').fill('the-administrator')
    await tab.getByLabel('Password').fill(PASSWORD)
    await tab.getByRole('button', { name: 'Log in' }).click()
    await tab.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
    await shoot(tab, 'login-code')
    await expectAccessible(tab)
    await tab.getByLabel('Code from your authenticator app').fill(appCode(secret, Date.now()))
    await tab.getByRole('button', { name: 'Log in' }).click()
    await tab.waitForURL('**/wp-admin/')
    await tab.close()
  })

  it('is asked for in the dialog of a session that has ended, so that no input is lost', async () => {
    await page.context().clearCookies()
    await page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name: 'Users' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Username or email address').fill('the-administrator')
    await dialog.locator('[name=password]').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Log in' }).click()
    const code = dialog.locator('[name=authcode]')
    await code.fill('000000')
    await code.press('Enter')
    await dialog.getByText('The code is incorrect or was already used.').waitFor()
    await expectAccessible(page)
    await shoot(page, 'session-ended-code')
    const [recoveryCode = ''] = await admin.site.host.twoFactor.createRecoveryCodes(await administrator())
    // After a wrong code, the next one is accepted only after a pause.
    await admin.site.host.database.db.updateTable('two_factor').set({ failures: 0 }).execute()
    await code.fill(recoveryCode)
    await code.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: 'Users' }).waitFor()
    await page.goto(`${admin.site.url}/wp-admin/profile`)
  })

  async function administrator() {
    const user = await admin.site.host.auth.users.getByLogin('the-administrator')
    if (!user) throw new Error('no administrator')
    return user
  }

  it('is turned off after a question', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await confirmPassword()
    await page.getByRole('button', { name: 'Set up authenticator app' }).waitFor()
  })

  it('is required for roles, whose users set it up when they log in', async () => {
    await page.goto(`${admin.site.url}/wp-admin/settings/host`)
    const group = page.getByRole('group', { name: 'Require two-factor authentication' })
    await group.getByRole('checkbox', { name: 'Editor' }).check()
    await shoot(page, 'settings-security')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('You have unsaved changes.').waitFor({ state: 'hidden' })
    await admin.signIn('editor', '/wp-admin/profile')
    const tab = await admin.openTab(page, '/wp-login.php?reauth=1')
    await tab.getByLabel('Username or email address').fill('the-editor')
    await tab.getByLabel('Password').fill(PASSWORD)
    await tab.getByRole('button', { name: 'Log in' }).click()
    await tab.getByRole('img', { name: 'QR code' }).waitFor()
    await shoot(tab, 'login-set-up')
    await expectAccessible(tab)
    const key = (await tab.locator('code').textContent()) ?? ''
    await tab.getByLabel('Code that the app shows').fill(appCode(key.replaceAll(' ', ''), Date.now()))
    await tab.getByRole('button', { name: 'Continue' }).click()
    await tab.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
    await shoot(tab, 'login-recovery-codes')
    await expectAccessible(tab)
    await tab.getByRole('link', { name: 'I have saved the codes' }).click()
    await tab.waitForURL('**/wp-admin/')
  })
})
