import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import { type AdminSite, openAdminSite, PASSWORD, settled } from '../admin-site.ts'

/** Shown for an email without an SMTP server. */
const NOT_SENT = 'The email was not sent, because no SMTP server is configured.'

describe('a double click on the button of a form in the admin', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite()
    page = await admin.signIn('administrator', '/wp-admin/profile')
  })
  after(() => admin?.close())

  const said = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text }).first().waitFor()
  async function open(path: string, title: string): Promise<void> {
    await page.goto(`${admin.site.url}/wp-admin/${path}`)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await settled(page)
  }
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  /** Clicks twice before React renders the first click. @returns paths of the requests that changed something since */
  async function clickTwice(target: Locator): Promise<string[]> {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
    })
    await target.evaluate((element) => {
      element.click()
      element.click()
    })
    return sent
  }
  const only = (sent: readonly string[], end: string) => sent.filter((path) => path.endsWith(end))

  it('adds one application password, and shows it', async () => {
    await page.getByLabel('Application name').fill('Phone')
    await clickTwice(button('Add application password'))
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await page.getByTestId('application-password').waitFor()
    await settled(page)
    expect(await page.getByTestId('application-password').textContent()).to.match(/\w{4}/)
    expect(await button('Revoke “Phone”').count()).to.equal(1)
    expect(await page.getByLabel('Application name').inputValue()).to.equal('')
  })

  it('adds one user, with one invitation', async () => {
    await open('users/new', 'Add user')
    await page.getByLabel('Username').fill('grace')
    await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.org')
    await page.getByLabel('Email the user a link to set a password').setChecked(true)
    await clickTwice(page.locator('form').getByRole('button', { name: 'Add user' }))
    await said('User grace added.')
    await said(NOT_SENT)
    expect(admin.site.mails.filter(({ to }) => to === 'grace@example.org')).to.have.length(1)
    await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  })

  it('sends one more invitation', async () => {
    const grace = await admin.site.host.auth.users.getByLogin('grace')
    await open(`users/${grace?.id}`, 'grace')
    await clickTwice(button('Send invitation'))
    await said(NOT_SENT)
    await settled(page)
    expect(admin.site.mails.filter(({ to }) => to === 'grace@example.org')).to.have.length(2)
  })

  it('creates one menu, and adds one item to it', async () => {
    await open('menus', 'Menus')
    await button('New menu').click()
    await page.getByLabel('Menu name').fill('Top')
    const created = await clickTwice(button('Create menu'))
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(only(created, '/wp/v2/menus')).to.have.length(1)
    const add = page.getByRole('region', { name: 'Add menu items' })
    await add.getByRole('tab', { name: 'Custom link' }).click()
    await add.getByLabel('URL').fill('/contact/')
    await add.getByLabel('Link text').fill('Contact')
    const added = await clickTwice(add.getByRole('button', { name: 'Add to menu' }))
    await said('Menu item added.')
    await settled(page)
    expect(only(added, '/wp/v2/menu-items')).to.have.length(1)
  })

  it('saves settings once', async () => {
    await open('appearance', 'Appearance')
    await button('Footer').click()
    await page.getByLabel('Footer text').fill('Printed twice')
    const sent = await clickTwice(button('Save changes'))
    await page.getByText('You have unsaved changes.').waitFor({ state: 'hidden' })
    await settled(page)
    expect(only(sent, '/settings/appearance')).to.have.length(1)
  })

  it('saves one step of the setup wizard', async () => {
    await open('setup', 'Set up your site')
    await page.getByRole('region', { name: 'Your site', exact: true }).waitFor()
    await button('Save and continue').dblclick()
    await page.getByRole('region', { name: 'Appearance', exact: true }).waitFor()
    await settled(page)
    expect(await page.getByText('Step 2 of').isVisible()).to.equal(true)
  })
})
