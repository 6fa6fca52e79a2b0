import { execFileSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { temporaryFolder } from '../../support/site-folder.ts'
import { until } from '../../support/until.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD, shoot } from '../admin-site.ts'

const GUEST = `
  import { defineExtension } from 'pentad'
  export default defineExtension({ id: 'guest', name: 'Guest', version: '1.0.0', setup() {} })`

describe('What asks for the password in the admin', () => {
  let admin: AdminSite
  let page: Page
  let archive: string

  before(async () => {
    admin = await openAdminSite()
    // While a site is replaced it answers 503.
    admin.allow(/^503 \/wp-json\//)
    archive = await repackedBackup(admin)
    page = await admin.signIn('administrator', '/wp-admin/settings')
  })
  after(() => admin.close())

  const open = (name: string) =>
    page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name }).click()
  const state = () => admin.site.host.extensions.list().find(({ id }) => id === 'guest')?.state

  async function confirmPassword(): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
  }

  it('another administration email address', async () => {
    await page.getByLabel('Administration email address').fill('robin@example.org')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await confirmPassword()
    await page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    expect(admin.site.host.content.siteSettings().adminEmail).to.equal('robin@example.org')
  })

  it('a backup that this site did not sign: it has a badge, and none of its code is trusted unless that is chosen', async () => {
    await open('Backup')
    await page.getByLabel('Archive', { exact: true }).setInputFiles(archive)
    const row = page.getByRole('table', { name: 'Backups' }).getByRole('row', { name: 'Repacked' })
    await row.getByText('Not signed by this site').waitFor()
    await row.getByRole('link', { name: 'Restore' }).click()
    await page.getByText('This backup was not signed by this site').waitFor()
    const trust = page.getByRole('checkbox', { name: 'Trust the code in this backup' })
    expect(await trust.isChecked()).to.equal(false)
    await expectAccessible(page)
    await shoot(page, 'backup-restore-foreign')
    await page.getByRole('button', { name: 'Restore backup…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore “Repacked”?' })
    await dialog.getByRole('button', { name: 'Restore backup' }).click()
    // The password was confirmed a moment ago.
    await page.getByText('The site has been restored from the backup, and you are logged in again.').waitFor()
    expect(state()).to.equal('inactive')
  })

  it('its extension, before it is activated', async () => {
    await open('Extensions')
    const guest = page.locator('[data-extension="guest"]')
    await guest.getByText('Code from an unverified source').waitFor()
    await shoot(page, 'extension-foreign')
    await guest.getByRole('button', { name: 'Activate Guest' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The change was not made because you did not confirm your password.').waitFor()
    expect(state()).to.equal('inactive')
    await guest.getByRole('button', { name: 'Activate Guest' }).click()
    await confirmPassword()
    await page.getByText('“Guest” activated.').waitFor()
    expect(state()).to.equal('active')
    expect(await guest.getByText('Code from an unverified source').count()).to.equal(0)
  })
})

/** A backup of the extensions alone, packed again by standard tools: the site's signature is gone. */
async function repackedBackup({ site }: AdminSite): Promise<string> {
  const { siteDir } = site.host.config
  await mkdir(join(siteDir, 'extensions/guest'), { recursive: true })
  await writeFile(join(siteDir, 'extensions/guest/index.ts'), GUEST)
  await site.host.extensions.activate('guest')
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await site.request(`/wp-json/backup/v1${path}`, { method, body, as: 'administrator' })
    return JSON.parse(await answer.text()).data
  }
  const exclusions = ['database', 'uploads', 'themes', 'others']
  const { jobId } = await ask('POST', '/backup/create', { title: 'Repacked', exclusions })
  await until(async () => (await ask('GET', `/backup/progress?jobId=${jobId}`)).state === 'complete')
  const { items } = await ask('GET', '/backup/fetch')
  const folder = temporaryFolder()
  execFileSync('tar', ['-xf', join(siteDir, 'backups', items[0].fileName), '-C', folder])
  const path = join(folder, 'repacked.tar.gz')
  const parts = (await readdir(folder)).filter((name) =>
    /^(?:files|database|manifest\.json|checksums\.sha256)$/.test(name),
  )
  execFileSync('tar', ['-czf', path, '-C', folder, ...parts])
  await ask('DELETE', '/backup/remove', { backupId: items[0].id })
  return path
}
