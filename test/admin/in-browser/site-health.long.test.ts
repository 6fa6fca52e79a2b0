import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AdminSite, expectAccessible, openAdminSite, shoot } from '../admin-site.ts'

describe('The screen Site Health', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite()
    chmodSync(join(admin.site.host.config.siteDir, 'options.json'), 0o644)
    page = await admin.signIn('administrator', '/wp-admin/tools')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  })
  after(() => admin.close())

  it('says what is wrong, and fixes it with one click', async () => {
    await page.getByRole('link', { name: 'Check site health' }).click()
    const issues = page.getByRole('region', { name: /^1 critical issue$/ })
    await issues.getByText(/Other users may read .*options\.json, which contains secrets/).waitFor()
    await expectAccessible(page)
    await shoot(page, 'site-health')
    await issues.getByRole('button', { name: /^Restrict permissions/ }).press('Enter')
    await issues.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: /recommended improvement/ }).waitFor()
  })

  it('opens the screen of a problem that needs more than a click', async () => {
    await page.getByRole('link', { name: /^Email settings: No SMTP server/ }).click()
    await page.getByRole('heading', { name: 'Email settings' }).waitFor()
    await page.goBack()
  })

  it('lists the passed checks, and copies information for support', async () => {
    const passed = page.getByRole('region', { name: /passed checks$/ })
    await passed.getByRole('button', { name: 'Show' }).click()
    await passed.getByText(/^SQLite .* is responding\.$/).waitFor()
    await page.getByRole('button', { name: 'Copy information' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const text = await page.evaluate('navigator.clipboard.readText()')
    expect(text).to.include('### Server\nPentad version: ').and.include('### Problems\nwarning: email: No SMTP server')
    await expectAccessible(page)
    await shoot(page, 'site-health-info')
  })
})
