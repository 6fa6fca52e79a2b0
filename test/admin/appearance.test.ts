import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AdminSite, expectAccessible, openAdminSite, settled, shoot } from './admin-site.ts'

describe('the Appearance screen', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite()
    page = await admin.signIn('administrator', '/wp-admin/appearance')
  })
  after(() => admin.close())

  const previewed = () => page.frameLocator('iframe[title="Preview"]')
  const home = async () => (await fetch(`${admin.site.url}/`)).text()
  async function save(): Promise<void> {
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('You have unsaved changes.').waitFor({ state: 'hidden' })
  }

  it('previews unsaved choices on the real page, which visitors see only after they are saved', async () => {
    await page.getByRole('radio', { name: /Journal/ }).click()
    await previewed().locator('body').filter({ hasText: 'RSS feed' }).waitFor()
    await page.getByRole('button', { name: 'Footer' }).click()
    await page.getByLabel('Footer text').fill('Printed on recycled electrons')
    await previewed().getByText('Printed on recycled electrons').waitFor()
    expect(await previewed().locator('#global-styles-inline-css').textContent()).to.contain('Fraunces')
    expect(await home()).to.not.contain('recycled electrons')
    await shoot(page, 'appearance')
    await expectAccessible(page)
    await save()
    expect(await home())
      .to.contain('recycled electrons')
      .and.to.contain('Fraunces')
  })

  it('warns about colors that are hard to read', async () => {
    await page.getByRole('button', { name: 'Colors' }).click()
    await page.getByLabel('Text', { exact: true }).first().fill('#bbbbbb')
    await page.getByText(/Text is hard to read: its contrast ratio with the background is 1\.\d:1/).waitFor()
    // The picker, which is for the mouse only, closes.
    await page.keyboard.press('Tab')
    await page.locator('.mantine-ColorInput-dropdown').waitFor({ state: 'hidden' })
    await shoot(page, 'appearance-colors')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByText(/Text is hard to read/).waitFor({ state: 'hidden' })
  })

  it('restores earlier settings', async () => {
    await page.getByRole('button', { name: 'History, reset, and export' }).click()
    await page.getByRole('button', { name: /^Restore the settings in use until/ }).click()
    await previewed().getByText('recycled electrons').waitFor({ state: 'hidden' })
    await settled(page)
    await save()
    expect(await home()).to.not.contain('recycled electrons')
  })
})
