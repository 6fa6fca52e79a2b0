import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { siteWith } from '../../../speed/cached-site.ts'
import { appCode } from '../../../support/authenticator-app.ts'
import { freePort } from '../../../support/free-port.ts'
import { until } from '../../../support/until.ts'
import { type AdminSite, openAdminSite, PASSWORD } from '../../admin-site.ts'
import { type Keys, keysOf } from './keys.ts'

const LOGIN = 'the-administrator'

/** A device with a fingerprint reader. */
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

describe('With the keyboard alone, a user', () => {
  let admin: AdminSite
  let page: Page
  let keys: Keys
  let url: string
  /** Of the authenticator app. */
  let secret = ''

  before(async () => {
    const port = await freePort()
    // Passkeys need a host name.
    url = `http://localhost:${port}`
    admin = await openAdminSite({ config: { siteDir: siteWith({ preload: 'off' }), port, url } })
    page = await admin.signIn('administrator', '/wp-login.php?reauth=1')
    keys = keysOf(page, url)
    await addAuthenticator(page)
  })
  after(() => admin?.close())

  async function openLogin(): Promise<void> {
    await page.context().clearCookies()
    await page.goto(`${url}/wp-login.php?redirect_to=/wp-admin/profile`)
    await keys.arriveAt('Username or email address')
  }
  async function enterPassword(): Promise<void> {
    await keys.type('Username or email address', LOGIN)
    await keys.type('Password', PASSWORD)
    await keys.keys('Enter')
  }
  const profile = () => page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()

  it('logs in, after a wrong password', async () => {
    await openLogin()
    await keys.look()
    await keys.type('Username or email address', LOGIN)
    await keys.type('Password', 'wrong')
    await keys.press('Log in')
    await page.getByText('The username or password is incorrect.').waitFor()
    await keys.arriveAt('Password')
    await page.keyboard.type(PASSWORD)
    await keys.press('Remember me for two weeks', 'Space')
    await keys.press('Log in')
    await profile()
  })

  it('sets up an authenticator app, and gets new recovery codes', async () => {
    await keys.open('/wp-admin/profile')
    await keys.press('Set up authenticator app')
    const confirmation = page.getByRole('dialog', { name: 'Confirm your password' })
    await confirmation.waitFor()
    await keys.arriveAt('Current password')
    await page.keyboard.type(PASSWORD)
    await keys.keys('Enter')
    const dialog = page.getByRole('dialog', { name: 'Set up authenticator app' })
    await dialog.waitFor()
    await keys.arriveAt('Code that the app shows')
    await keys.look()
    secret = ((await page.getByTestId('two-factor-key').textContent()) ?? '').replaceAll(' ', '')
    await page.keyboard.type('000000')
    await keys.keys('Enter')
    await dialog.getByText('The code is incorrect').waitFor()
    await keys.arriveAt('Code that the app shows')
    await keys.keys('Control+a')
    await page.keyboard.type(appCode(secret, Date.now()))
    await keys.press('Turn on')
    await dialog.waitFor({ state: 'detached' })
    const codes = page.getByTestId('recovery-codes')
    await codes.waitFor()
    await keys.arriveAt('Save your recovery codes')
    await keys.look()
    const first = await codes.textContent()
    await keys.press('Create new recovery codes')
    await until(async () => (await codes.textContent()) !== first)
    await keys.arriveAt('Save your recovery codes')
    await keys.to('Download')
  })

  it('logs in with a recovery code', async () => {
    const code = (await page.getByTestId('recovery-codes').locator('code').first().textContent()) ?? ''
    await openLogin()
    await enterPassword()
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
    await keys.arriveAt('Code from your authenticator app')
    await keys.look()
    await page.keyboard.type('000000')
    await keys.keys('Enter')
    await page.getByText('The code is incorrect').waitFor()
    await keys.arriveAt('Code from your authenticator app')
    // As long as a wrong code makes everyone wait.
    await page.waitForTimeout(2500)
    await page.keyboard.type(code)
    await keys.keys('Enter')
    await profile()
  })

  it('adds a passkey, logs in with it, and removes it', async () => {
    await keys.open('/wp-admin/profile')
    await keys.type('Passkey name', 'My laptop')
    await keys.press('Add passkey')
    await keys.arriveAt('Current password')
    await page.keyboard.type(PASSWORD)
    await keys.keys('Enter')
    await page.getByText('Passkey added.').waitFor()
    await keys.arriveAt('Add passkey')
    await keys.look()

    await openLogin()
    await keys.press('Log in with a passkey')
    await page.getByRole('heading', { name: 'Log in with a passkey' }).waitFor()
    await keys.arriveAt('Use passkey')
    await keys.look()
    await keys.keys('Enter')
    await profile()

    await keys.open('/wp-admin/profile')
    await keys.press('Remove “My laptop”')
    await page.getByRole('dialog', { name: 'Remove passkey “My laptop”?' }).waitFor()
    await keys.press('Remove')
    await keys.arriveAt('Current password')
    await page.keyboard.type(PASSWORD)
    await keys.keys('Enter')
    await page.getByText('Passkey removed.').waitFor()
    await keys.arriveAt('Two-factor authentication')
    await keys.press('Turn off')
    await page.getByRole('dialog', { name: 'Turn off two-factor authentication?' }).waitFor()
    await keys.press('Turn off')
    await page.getByText('Two-factor authentication turned off.').waitFor()
    await keys.arriveAt('Two-factor authentication')
    await keys.look()
  })

  it('adds and revokes application passwords', async () => {
    await keys.open('/wp-admin/profile')
    for (const name of ['Phone', 'Tablet']) {
      await keys.type('Application name', name)
      await keys.press('Add application password')
      await page.getByText(`Application password for “${name}”`).waitFor()
      // Below it is the password, with a button to copy it.
      await keys.arriveAt('Application passwords')
      await keys.to('Copy')
    }
    await keys.look()
    await keys.press('Revoke “Phone”')
    await page.getByRole('dialog', { name: 'Revoke “Phone”?' }).waitFor()
    await keys.look()
    await keys.press('Cancel')
    await keys.arriveAt('Revoke “Phone”')
    await keys.keys('Enter')
    await page.getByRole('dialog').waitFor()
    await keys.press('Revoke')
    await page.getByText('Application password revoked.').waitFor()
    await keys.arriveAt('Revoke “Tablet”')
    await keys.keys('Enter')
    await page.getByRole('dialog').waitFor()
    await keys.press('Revoke')
    await page.getByText('No application passwords yet.').waitFor()
    await keys.arriveAt('Application name')
    const user = await admin.site.host.auth.users.getByLogin(LOGIN)
    expect(await admin.site.host.auth.applicationPasswords.list(user?.id ?? 0)).to.deep.equal([])
  })

  it('resets the password, and logs out', async () => {
    await page.context().clearCookies()
    await page.goto(`${url}/wp-login.php`)
    await keys.press('Lost your password?')
    await page.getByRole('heading', { name: 'Lost your password?' }).waitFor()
    await keys.arriveAt('Username or email address')
    await keys.look()
    await page.keyboard.type('nobody')
    await keys.keys('Enter')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const { auth, passwordLinks } = admin.site.host
    const user = await auth.users.getByLogin(LOGIN)
    if (!user) throw new Error('The administrator is gone.')
    const link = new URL(await passwordLinks.createUrl(user))
    await page.goto(url + link.pathname + link.search)
    await page.getByRole('heading', { name: 'Set your password' }).waitFor()
    await keys.arriveAt('New password')
    await page.keyboard.type('violet anchor seven')
    await keys.type('Repeat the new password', 'violet anchor seven')
    await keys.look()
    await keys.press('Save password')
    await page.getByText('Your password has been set.').waitFor()
    await keys.type('Username or email address', LOGIN)
    await keys.type('Password', 'violet anchor seven')
    await keys.keys('Enter')
    await page.waitForURL('**/wp-admin/')
    await page.goto(`${url}/wp-login.php?action=logout`)
    await keys.press('Log out')
    await page.getByText('You are now logged out.').waitFor()
  })
})
