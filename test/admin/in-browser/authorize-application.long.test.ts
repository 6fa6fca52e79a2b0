import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import request from 'supertest'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD, settled, shoot } from '../admin-site.ts'

describe('authorizing an application', () => {
  let admin: AdminSite
  let page: Page
  /** An application that waits for its password. */
  let application: Server
  let callback = ''
  const received: URL[] = []

  before(async () => {
    application = createServer((request, response) => {
      received.push(new URL(request.url ?? '', callback))
      response.end('Connected')
    })
    await new Promise<void>((listening) => application.listen(0, '127.0.0.1', listening))
    callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback?state=a%20b`
    admin = await openAdminSite()
    page = await admin.signIn('editor')
  })
  beforeEach(() => received.splice(0))
  after(async () => {
    application.close()
    await admin.close()
  })

  /** Where the index of the REST API sends clients, as WordPress's apps find it. */
  async function endpoint(): Promise<string> {
    const { body } = await request(admin.site.url).get('/wp-json/')
    return body.authentication['application-passwords'].endpoints.authorization
  }
  async function open(parameters: Record<string, string>): Promise<void> {
    await page.goto(`${await endpoint()}?${new URLSearchParams(parameters)}`)
    await page.getByRole('heading', { name: 'Authorize application' }).waitFor()
  }
  async function confirmPassword(): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }

  it('sends it a password that opens the REST API', async () => {
    await open({ app_name: 'Phone app', app_id: crypto.randomUUID(), success_url: callback })
    await page.getByText('identifies itself as “Phone app”').waitFor()
    await settled(page)
    await shoot(page, 'authorize-application')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Approve connection' }).click()
    await confirmPassword()
    await page.waitForURL(/\/callback/)
    const {
      state,
      site_url: siteUrl,
      user_login: login,
      password,
    } = Object.fromEntries(received[0]?.searchParams ?? [])
    expect([state, siteUrl, login]).to.deep.equal(['a b', admin.site.url, 'the-editor'])
    expect(received[0]?.search).not.to.include('+')
    const { body } = await request(admin.site.url).get('/wp-json/wp/v2/users/me').auth(String(login), String(password))
    expect(body.name).to.equal('Robin Editor')
  })

  it('tells it that the user rejected the connection, and creates no password', async () => {
    await open({ app_name: 'Rejected app', success_url: callback })
    await page.getByRole('button', { name: 'Reject connection' }).click()
    await page.waitForURL(/\/callback/)
    expect(received[0]?.search).to.equal('?state=a%20b&success=false')
    await page.goto(`${admin.site.url}/wp-admin/profile`)
    await page.getByText('Phone app').waitFor()
    expect(await page.getByText('Rejected app').count()).to.equal(0)
  })

  it('shows the password where the application named no address', async () => {
    await open({ app_name: 'Phone app' })
    await page.getByText('you will receive a password to enter in the application').waitFor()
    await page.getByRole('button', { name: 'Approve connection' }).click()
    await page.getByText('Each application name should be unique.').waitFor()
    await page.getByLabel('Application password name').fill('Phone app 2')
    await page.getByRole('button', { name: 'Approve connection' }).click()
    await page.getByTestId('application-password').waitFor()
    expect(await page.getByTestId('application-password').textContent()).to.match(/^(\w{4} ){5}\w{4}$/)
  })

  for (const url of ['http://example.org/', 'javascript:alert(1)', 'data:text/html,x', 'no address', 'app:']) {
    it(`never sends a password to ${url}`, async () => {
      for (const name of ['success_url', 'reject_url']) {
        await open({ app_name: 'Bad app', [name]: url })
        await page.getByRole('alert').getByText('This application cannot be authorized').waitFor()
        expect(await page.getByRole('button', { name: 'Approve connection' }).count()).to.equal(0)
      }
    })
  }

  it('sends it to a scheme of its own, and asks visitors to log in first', async () => {
    await open({ app_name: 'Mobile app', success_url: 'wordpress://authorized' })
    await page.getByText('a new password will be sent to wordpress://authorized.').waitFor()
    await page.context().clearCookies()
    await page.goto(`${await endpoint()}?app_name=Mobile+app&success_url=wordpress%3A%2F%2Fauthorized`)
    await page.getByLabel('Username or email address').fill('the-editor')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('identifies itself as “Mobile app”').waitFor()
  })

  describe('an MCP client', () => {
    /** What a client opens in the browser. */
    async function openConsent(): Promise<void> {
      const metadata = await request(admin.site.url).get('/.well-known/oauth-authorization-server')
      const { body } = await request(admin.site.url)
        .post('/oauth/register')
        .send({ client_name: 'Writing agent', redirect_uris: [callback] })
      const parameters = new URLSearchParams({
        ...{ client_id: body.client_id, redirect_uri: callback, response_type: 'code', state: 'x' },
        ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' },
      })
      await page.goto(`${metadata.body.authorization_endpoint}?${parameters}`)
      await page.getByText('identifies itself as “Writing agent”').waitFor()
    }

    it('receives a code; the profile lists and revokes its access', async () => {
      page = await admin.signIn('author')
      await openConsent()
      await settled(page)
      await shoot(page, 'authorize-client')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Approve connection' }).click()
      await confirmPassword()
      await page.waitForURL(/\/callback/)
      expect(received[0]?.searchParams.get('code')).to.match(/^[\w-]{43}$/)
      await page.goto(`${admin.site.url}/wp-admin/profile`)
      const section = page.getByRole('region', { name: 'Connected applications' })
      await section.getByText('Writing agent').waitFor()
      await section.scrollIntoViewIfNeeded()
      await shoot(page, 'connected-applications')
      await expectAccessible(page)
      await section.getByRole('button', { name: 'Revoke “Writing agent”' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await section.waitFor({ state: 'detached' })
    })

    it('receives no code if the user rejects it', async () => {
      await openConsent()
      await page.getByRole('button', { name: 'Reject connection' }).click()
      await page.waitForURL(/\/callback/)
      expect(received[0]?.searchParams.get('error')).to.equal('access_denied')
    })

    it('that is not registered gets nothing', async () => {
      await page.goto(`${admin.site.url}/wp-admin/authorize-client?client_id=x&redirect_uri=https%3A%2F%2Fevil.example`)
      await page.getByText('The application is not registered.').waitFor()
      expect(await page.getByRole('button', { name: 'Approve connection' }).count()).to.equal(0)
    })
  })
})
