import { expect } from 'chai'
import { type AdminSite, looksGood, openAdminSite, settled } from '../admin-site.ts'

describe('Privacy in the admin', () => {
  let admin: AdminSite
  before(async () => {
    admin = await openAdminSite()
  })
  after(() => admin?.close())

  it('records, confirms, and completes requests for personal data', async () => {
    const page = await admin.signIn('administrator', '/wp-admin/tools')
    await page.getByRole('link', { name: 'Erase personal data' }).first().click()
    const table = page.getByRole('table', { name: 'Erase personal data' })
    await page.getByLabel('Email address').fill('ada@example.org')
    await page.getByRole('button', { name: 'Add request' }).click()
    await table.getByText('Pending').waitFor()
    await page.getByLabel('Email address').fill('bob@example.org')
    await page.getByLabel('Send confirmation email').click()
    await page.getByRole('button', { name: 'Add request' }).click()
    await table
      .getByRole('row', { name: /bob@example\.org/ })
      .getByText('Confirmed')
      .waitFor()
    await looksGood(page, 'privacy-requests')
    await table.getByRole('button', { name: 'Erase personal data' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Erase personal data' }).click()
    await table.getByText('0 items erased.').waitFor()
    await table.getByRole('button', { name: 'Delete request: ada@example.org' }).click()
    await table.getByText('ada@example.org').waitFor({ state: 'detached' })

    await page.goto(`${admin.site.url}/wp-admin/tools/privacy/export`)
    await page.getByLabel('Email address').fill('eve@example.org')
    await page.getByLabel('Send confirmation email').click()
    await page.getByRole('button', { name: 'Add request' }).press('Enter')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download personal data' }).click()
    expect((await downloading).suggestedFilename()).to.equal('personal-data.json')
  })

  it('creates the page with the privacy policy', async () => {
    const page = await admin.signIn('administrator', '/wp-admin/settings/privacy')
    await settled(page)
    await looksGood(page, 'privacy-settings')
    await page.getByRole('button', { name: 'Create privacy policy page' }).click()
    await page.waitForURL(/wp-admin\/pages\/\d+$/)
    const id = Number(page.url().split('/').at(-1))
    expect(admin.site.host.settings.get('privacy')?.get().policyPage).to.equal(id)
    const stored = await admin.site.host.content.posts.get(id)
    expect(stored).to.include({ status: 'draft', title: 'Privacy Policy' })
    expect(stored?.content).to.contain('<h2 class="wp-block-heading">Push notifications</h2>')
  })
})
