import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AdminSite, expectAccessible, openAdminSite, settled, shoot } from './admin-site.ts'

describe('The setup wizard of a new site', () => {
  let admin: AdminSite
  before(async () => {
    admin = await openAdminSite({ isNew: true })
  })
  after(() => admin?.close())

  const saveStep = (page: Page) => page.getByRole('button', { name: 'Save and continue' }).click()
  const step = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).waitFor()
  const setup = () => admin.site.host.settings.get('setup')?.get()

  it('opens instead of the dashboard, keeps its place, and leads to the first post', async () => {
    const { host } = admin.site
    const page = await admin.signIn()
    await page.waitForURL('**/wp-admin/setup')
    await step(page, 'Your site')
    await page.getByLabel('Site title').fill('Ada’s journal')
    await expectAccessible(page)
    await shoot(page, 'setup-site')
    await saveStep(page)
    await step(page, 'Appearance')
    expect(host.content.siteSettings().title).to.equal('Ada’s journal')
    await page.getByRole('radio').nth(1).click()
    await expectAccessible(page)
    await shoot(page, 'setup-look')
    await saveStep(page)
    await step(page, 'Content')
    expect(host.settings.get('appearance')?.get().style).not.to.equal('')
    await shoot(page, 'setup-content')
    await saveStep(page)
    await step(page, 'Email')

    // Another visit continues there.
    await page.goto(`${admin.site.url}/wp-admin/`)
    await step(page, 'Email')
    await page.getByLabel('SMTP server').fill('not a host')
    await saveStep(page)
    await page.getByText('It must be a host name, such as smtp.example.org.', { exact: true }).waitFor()
    await shoot(page, 'setup-mail')
    await page.getByRole('button', { name: 'Skip' }).click()
    await step(page, 'Backups')
    expect(host.settings.get('mail')?.get().smtpHost).to.equal('')
    await expectAccessible(page)
    await shoot(page, 'setup-backup')
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await step(page, 'Email')
    await page.getByRole('button', { name: 'Skip' }).click()
    await saveStep(page)
    await step(page, 'Search engines')
    expect(host.settings.get('backup')?.get().automaticBackups).to.equal('on')
    await page.getByLabel('Allow search engines to index this site').press('Space')
    await shoot(page, 'setup-search')
    await page.getByRole('button', { name: 'Finish setup' }).click()
    await page.getByRole('heading', { name: 'Your site is ready' }).waitFor()
    await expectAccessible(page)
    await shoot(page, 'setup-ready')
    expect(setup()).to.include({ state: 'finished' })
    expect(await (await admin.site.get('/')).text()).to.match(/<meta name="?robots"? content="[^"]*noindex/)

    await page.getByRole('link', { name: 'Write a post' }).click()
    await page.waitForURL('**/wp-admin/posts/new')
    await page.goto(`${admin.site.url}/wp-admin/`)
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })

  it('is never shown again once it was exited, and only to administrators', async () => {
    await admin.site.host.settings.get('setup')?.update({ state: 'pending', step: 'site' })
    const editor = await admin.signIn('editor')
    await editor.getByRole('heading', { name: 'Dashboard' }).waitFor()
    const page = await admin.signIn()
    await step(page, 'Your site')
    await page.getByRole('button', { name: 'Exit setup' }).click()
    await page.getByRole('heading', { name: 'Your site is ready' }).waitFor()
    expect(setup()).to.include({ state: 'dismissed' })
    await page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })

  it('continues in the chosen language', async () => {
    const page = await admin.signIn('administrator', '/wp-admin/setup')
    await step(page, 'Your site')
    await page.getByRole('combobox', { name: 'Site language' }).click()
    await page.getByRole('option', { name: 'German (Germany)' }).click()
    await saveStep(page)
    await page.locator('html[lang^="de"]').waitFor()
    await page.getByText(/^\w+ 2 von 6$/).waitFor()
    await settled(page)
    await shoot(page, 'setup-german')
  })
})
