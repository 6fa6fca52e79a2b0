import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { zipOf } from '../../themes/zip.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD, shoot } from '../admin-site.ts'

describe('Themes on the Appearance screen', () => {
  let admin: AdminSite
  let page: Page
  const folder = (name: string) => join(admin.site.host.config.siteDir, 'themes', name)
  const front = async () => (await fetch(`${admin.site.url}/`)).text()
  const previewed = () => page.frameLocator('iframe[title="Preview"]')
  const row = (name: string) => page.locator(`[data-theme="${name}"]`)

  before(async () => {
    admin = await openAdminSite()
    mkdirSync(folder('paper'), { recursive: true })
    writeFileSync(join(folder('paper'), 'home.eta'), '<!doctype html><title>Paper</title><p>Folded by hand</p>')
    page = await admin.signIn('administrator', '/wp-admin/appearance')
    await page.getByRole('button', { name: 'Theme', exact: true }).click()
  })
  after(() => admin.close())

  it('are previewed in the frame, while visitors still see the active theme', async () => {
    await row('default').getByText('Active').waitFor()
    await page.getByRole('button', { name: 'Preview the theme “paper”' }).click()
    await previewed().getByText('Folded by hand').waitFor()
    expect(await front()).to.not.include('Folded by hand')
    await shoot(page, 'themes')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Preview the theme “paper”' }).click()
    await previewed().getByText('Folded by hand').waitFor({ state: 'hidden' })
  })

  it('are activated', async () => {
    await page.getByRole('button', { name: 'Activate the theme “paper”' }).click()
    await row('paper').getByText('Active').waitFor()
    expect(await front()).to.include('Folded by hand')
    await page.getByRole('button', { name: 'Activate the theme “Default”' }).click()
    await row('default').getByText('Active').waitFor()
    expect(await front()).to.not.include('Folded by hand')
  })

  it('are removed, after a confirmation and the password', async () => {
    await page.getByRole('button', { name: 'Remove the theme “paper”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await row('paper').waitFor({ state: 'detached' })
    expect(existsSync(folder('paper'))).to.equal(false)
  })

  it('are uploaded, and replaced only after a confirmation', async () => {
    const upload = async (text: string) => {
      await page.locator('input[type=file][accept^=".zip"]').setInputFiles({
        ...{ name: 'card.zip', mimeType: 'application/zip' },
        buffer: await zipOf({ 'card/home.eta': text }),
      })
      await page.getByRole('button', { name: 'Upload theme' }).click()
    }
    await upload('Printed')
    await page.getByText('Theme “card” installed.').waitFor()
    await row('card').waitFor()
    await expectAccessible(page)
    await shoot(page, 'themes-upload')
    await upload('Reprinted')
    const dialog = page.getByRole('dialog', { name: 'Replace the theme “card”?' })
    await dialog.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('Theme “card” replaced.').waitFor()
    expect(readFileSync(join(folder('card'), 'home.eta'), 'utf8')).to.equal('Reprinted')
  })
})
