import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page, Request } from 'playwright-core'
import { until } from '../../support/until.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD, shoot } from '../admin-site.ts'

const MEGABYTE = 1024 * 1024

describe('The backup screens', () => {
  let admin: AdminSite
  let page: Page
  /** As it was downloaded. */
  let archive: string

  before(async () => {
    admin = await openAdminSite()
    // While a site is replaced it answers 503, and a location that is away is none of the site's faults.
    admin.allow(/^503 \/wp-json\/|^502 \/wp-json\/backup\/v1\/backup\/test$/)
    const uploads = join(admin.site.host.config.siteDir, 'uploads')
    await mkdir(uploads, { recursive: true })
    // Three chunks of what cannot be made smaller.
    await writeFile(join(uploads, 'noise'), randomBytes(17 * MEGABYTE))
    page = await admin.signIn('administrator', '/wp-admin/backup')
  })
  after(() => admin.close())

  const backups = () => page.getByRole('table', { name: 'Backups' })
  const row = (title: string) => backups().getByRole('row', { name: title })
  const open = (name: string) =>
    page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name }).click()

  it('say what to do first', async () => {
    await page.getByText('No backups yet').waitFor()
    await page.getByText('Create your first backup').waitFor()
    // Nothing to search in.
    await page.getByRole('searchbox', { name: 'Search titles' }).waitFor({ state: 'detached' })
    await shoot(page, 'backup-empty')
    await page.getByRole('link', { name: /Create your first backup$/ }).click()
    await page.getByRole('dialog', { name: 'Create backup' }).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('make a backup, whose progress is there again after a reload', async () => {
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
    const undo = admin.site.host.hooks.addAction('backup_started', () => gate)
    await page.getByRole('button', { name: 'Create backup' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create backup' })
    await dialog.getByLabel('Title').fill('Before the move')
    expect(await dialog.getByRole('checkbox').count()).to.equal(5)
    await expectAccessible(page)
    await dialog.getByRole('checkbox', { name: 'Themes' }).press('Space')
    await dialog.getByRole('button', { name: 'Start backup' }).press('Enter')
    const job = page.getByRole('region', { name: 'Backup in progress' })
    await job.getByText(/^Scanning files: \d+%$/).waitFor()
    await page.reload()
    await job.getByText(/^Scanning files: \d+%$/).waitFor()
    expect(await page.getByRole('button', { name: 'Create backup' }).isDisabled()).to.equal(true)
    await shoot(page, 'backup-progress')
    // The overview hears of the end first; the end is told all the same.
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/backup/progress?*', (route) => held.then(() => route.continue()))
    // As long as the backup takes: mocha's limit is the only one.
    const told = page.waitForResponse(
      async (answer) => answer.url().includes('/backup/overview') && (await answer.json()).data.running === null,
      { timeout: 0 },
    )
    letGo()
    undo()
    const { jobs } = admin.site.host
    await until(async () => (await jobs.list({ type: 'backup', state: 'running' })).length === 0)
    await told
    release()
    await page.getByText('Backup complete.').waitFor()
    await page.unroute('**/backup/progress?*')
    await job.waitFor({ state: 'detached' })
    await row('Before the move').getByText('Manual').waitFor()
    await row('Before the move').getByText('Database, Uploads, Extensions, Other files').waitFor()
  })

  it('show the log, and whether the archive is intact', async () => {
    await backups().getByRole('link', { name: 'Before the move' }).click()
    const log = page.getByRole('table', { name: 'Log' })
    await log.getByText('Backup complete.').waitFor()
    await log.getByText('Backup “Before the move” started: Database, Uploads, Extensions, Other files.').waitFor()
    await log.getByText(/^Files to back up: \d+ \([\d.]+ MB\)\.$/).waitFor()
    await page.getByRole('button', { name: 'Verify backup' }).click()
    await page.getByText(/^All checksums match: \d+ files/).waitFor()
    await expectAccessible(page)
    await shoot(page, 'backup-details')
  })

  it('download the archive', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    archive = join(admin.site.host.config.siteDir, 'tmp', download.suggestedFilename())
    await download.saveAs(archive)
    const sum = createHash('sha256')
      .update(await readFile(archive))
      .digest('hex')
    await page.getByText(sum, { exact: true }).waitFor()
  })

  it('upload it: pause, load the page anew, go on with the chunks that are missing', async () => {
    await open('Backup')
    const sent: string[] = []
    const note = (request: Request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/upload/chunk')) sent.push(searchParams.get('index') ?? '')
    }
    page.on('request', note)
    const { promise: second, resolve: reached } = Promise.withResolvers<void>()
    // The first time it does not come through.
    await page.route(/\/upload\/chunk\?.*\bindex=1\b/, () => reached(), { times: 1 })
    await page.getByLabel('Archive', { exact: true }).setInputFiles(archive)
    await second
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/ paused$/).waitFor()
    await page.reload()
    await page.getByText(/33% uploaded\. Select the same file to resume/).waitFor()
    await shoot(page, 'backup-upload')
    await page.getByLabel('Archive', { exact: true }).setInputFiles(archive)
    await page.getByText('Archive verified and added to the list.').waitFor()
    page.off('request', note)
    expect(sent).to.deep.equal(['0', '1', '1', '2'])
    await backups().getByText('Uploaded').waitFor()
    await expectAccessible(page)
    await shoot(page, 'backup')
  })

  it('delete a backup after asking with its name', async () => {
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Uploaded' }).click()
    await page.getByText('1 item').waitFor()
    await page.getByRole('button', { name: 'More actions for “Before the move”' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete “Before the move”?' })
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Before the move” deleted.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('1 item').waitFor()
    expect(await backups().getByText('Uploaded').count()).to.equal(0)
  })

  it('try a location, and take what it needs', async () => {
    await open('Locations')
    await page.getByRole('button', { name: 'Test connection: Local' }).click()
    await page.getByText('Connection successful. A test file was written').waitFor()
    expect(await page.getByRole('button', { name: 'Test connection: WebDAV' }).count()).to.equal(0)
    await page.getByRole('button', { name: 'Set up WebDAV' }).click()
    await page.getByLabel('URL').fill('http://127.0.0.1:9/backups')
    await page.getByRole('textbox', { name: 'Password' }).fill('hidden')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Settings saved.', { exact: true }).waitFor()
    // The settings are tested as soon as they are saved.
    await page.getByRole('alert').getByText('Connection failed').waitFor()
    await page.reload()
    await page.getByRole('alert').getByText('Connection failed').waitFor()
    expect(await page.getByRole('region', { name: 'WebDAV' }).getByText('Tested: ').count()).to.equal(1)
    await page.getByRole('button', { name: 'Edit WebDAV' }).click()
    expect(await page.getByRole('textbox', { name: 'Password' }).inputValue()).to.equal('')
    await expectAccessible(page)
    await shoot(page, 'backup-locations')
  })

  it('switch automatic backups on', async () => {
    await open('Schedule and settings')
    await page.getByRole('switch', { name: 'Automatic backups' }).press('Space')
    await page.getByLabel('Start time', { exact: true }).fill('04:30')
    await page.getByRole('checkbox', { name: 'Extensions' }).press('Space')
    await expectAccessible(page)
    await shoot(page, 'backup-settings')
    await page.getByRole('button', { name: 'Save changes' }).press('Enter')
    await page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    expect(admin.site.host.settings.get('backup')?.masked()).to.deep.include({
      ...{ automaticBackups: 'on', automaticBackupsTime: '04:30', automaticBackupsExclusions: ['extensions'] },
      webdavPassword: '********',
    })
    await open('Backup')
    await page.getByText(/4:30/).waitFor()
  })

  it('restore the site, and sign in to it without a password', async () => {
    const { content } = admin.site.host
    const { id } = await content.posts.insert({ title: 'Written since', status: 'publish' })
    await row('Before the move').getByRole('link', { name: 'Restore' }).click()
    await page.getByText('Restoring replaces the current site').waitFor()
    await page.getByText('This backup was signed by this site').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Trust the code in this backup' }).count()).to.equal(0)
    expect(await page.getByRole('checkbox', { name: 'Back up the current site first' }).isChecked()).to.equal(true)
    await expectAccessible(page)
    await shoot(page, 'backup-restore')
    const texts = [/all users will be logged out, and/, /that were active at the time will be active again/]
    for (const text of texts) await page.getByText(text).waitFor()
    const others = ['Database', 'Other files'].map((name) => page.getByRole('checkbox', { name }))
    for (const other of others) await other.click()
    for (const text of texts) expect(await page.getByText(text).count(), String(text)).to.equal(0)
    await page.getByText('Users stay logged in.').waitFor()
    for (const other of others) await other.click()
    await page.getByRole('button', { name: 'Restore backup…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore “Before the move”?' })
    await dialog.getByRole('button', { name: 'Restore backup' }).click()
    const confirmation = page.getByRole('dialog', { name: 'Confirm your password' })
    await confirmation.getByLabel('Current password').fill(PASSWORD)
    await confirmation.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('region', { name: 'Restore in progress' }).waitFor()
    await page.getByText('The site has been restored from the backup, and you are logged in again.').waitFor()
    expect(await admin.site.host.content.posts.get(id)).to.equal(undefined)
    await row('Before the move').waitFor()
    await row('Before a restore').getByText('Before restore', { exact: true }).waitFor()
    expect(admin.site.host.settings.get('backup')?.masked()).to.include({ automaticBackups: 'off' })

    await page.getByRole('link', { name: 'Undo restore' }).click()
    await page.getByText('“Before a restore” was created on').waitFor()
    await page.getByRole('checkbox', { name: 'Back up the current site first' }).uncheck()
    await page.getByRole('button', { name: 'Restore backup…' }).click()
    await page
      .getByRole('dialog', { name: 'Restore “Before a restore”?' })
      .getByRole('button', { name: 'Restore backup' })
      .click()
    await confirmation.getByLabel('Current password').fill(PASSWORD)
    await confirmation.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('region', { name: 'Restore in progress' }).waitFor()
    await page.getByText('The site has been restored from the backup, and you are logged in again.').waitFor()
    expect(await admin.site.host.content.posts.get(id)).to.include({ title: 'Written since' })
    expect(await page.getByRole('link', { name: 'Undo restore' }).count()).to.equal(0)
  })
})
