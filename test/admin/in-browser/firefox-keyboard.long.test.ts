import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import request from 'supertest'
import { siteWith } from '../../speed/cached-site.ts'
import { launchFirefox } from '../../support/firefox.ts'
import { freePort } from '../../support/free-port.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD } from '../admin-site.ts'
import { tabTo } from './keyboard/keys.ts'

describe('Firefox, with the keyboard alone', () => {
  let admin: AdminSite
  let page: Page
  let url = ''
  /** An application that waits for its password, or its code. */
  let application: Server
  let callback = ''
  let received = new URLSearchParams()

  before(async () => {
    application = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', callback)
      // Firefox asks for an icon, too.
      if (pathname === '/callback') received = searchParams
      response.end('Connected')
    })
    await new Promise<void>((listening) => application.listen(0, '127.0.0.1', listening))
    callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`
    const port = await freePort()
    url = `http://localhost:${port}`
    admin = await openAdminSite({
      launch: () => launchFirefox('light', { hasAuthenticator: true }),
      config: { siteDir: siteWith({ preload: 'off' }), port, url },
    })
    page = await admin.signIn('administrator', '/wp-login.php')
  })
  after(async () => {
    application?.close()
    await admin?.close()
  })

  const go = (path: string) => page.goto(url + path)
  async function type(field: string, text: string): Promise<void> {
    await tabTo(page, field)
    await page.keyboard.type(text)
  }
  async function press(name: string): Promise<void> {
    await tabTo(page, name)
    await page.locator(':focus').press('Enter')
  }
  async function open(path: string): Promise<void> {
    await go(`/wp-admin${path}`)
    await page.locator('main h1').waitFor()
  }
  async function confirmPassword(): Promise<void> {
    await page.getByRole('dialog', { name: 'Confirm your password' }).waitFor()
    await type('Current password', PASSWORD)
    await page.keyboard.press('Enter')
  }
  it('logs in, adds a passkey, and logs in with it', async () => {
    await go('/wp-login.php?reauth=1')
    await type('Username or email address', 'the-administrator')
    await type('Password', PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wp-admin/')
    await open('/profile')
    await type('Passkey name', 'My laptop')
    await press('Add passkey')
    await confirmPassword()
    await page.getByRole('button', { name: 'Remove “My laptop”' }).waitFor()
    await page.getByTestId('recovery-codes').waitFor()
    await expectAccessible(page)
    await page.context().clearCookies()
    await go('/wp-login.php')
    await press('Log in with a passkey')
    await page.getByRole('button', { name: 'Use passkey' }).waitFor()
    await expectAccessible(page)
    await press('Use passkey')
    await page.waitForURL('**/wp-admin/')
  })

  it('connects an application with a password, and an MCP client', async () => {
    await open(`/authorize-application.php?${new URLSearchParams({ app_name: 'Phone app', success_url: callback })}`)
    await expectAccessible(page)
    await press('Approve connection')
    await confirmPassword()
    await page.waitForURL(/\/callback/)
    expect(received.get('password')).to.match(/^\w{24}$/)
    const { body } = await request(url)
      .post('/oauth/register')
      .send({ client_name: 'Writing agent', redirect_uris: [callback] })
    const parameters = new URLSearchParams({
      ...{ client_id: body.client_id, redirect_uri: callback, response_type: 'code', state: 'x' },
      ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
    })
    await open(`/authorize-client?${parameters}`)
    await page.getByText('identifies itself as “Writing agent”').waitFor()
    await expectAccessible(page)
    await press('Approve connection')
    await page.waitForURL(/\/callback/)
    expect(received.get('code')).to.match(/^[\w-]{43}$/)
  })
})
