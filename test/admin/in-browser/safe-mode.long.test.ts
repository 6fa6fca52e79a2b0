import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../../speed/chromium.ts'
import { pentad, type RunningSite, startPentad } from '../../support/pentad.ts'
import { temporaryFolder } from '../../support/site-folder.ts'

const REASON = 'It stopped the site: it ran out of memory (tea-shop/index.ts:4).'

describe('the admin, after an extension took the site down', () => {
  const siteDir = temporaryFolder()
  let site: RunningSite
  let browser: Browser
  let page: Page

  before(async () => {
    const folder = join(siteDir, 'extensions', 'tea-shop')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'index.ts'),
      `import { defineExtension } from 'pentad'
      export default defineExtension({ id: 'tea-shop', name: 'Tea shop', version: '1.0.0', setup() {} })`,
    )
    const paused = { 'tea-shop': { state: 'paused', reason: REASON } }
    const end = { kind: 'memory', time: new Date().toISOString() }
    writeFileSync(join(siteDir, 'options.json'), JSON.stringify({ host_extensions: paused, host_unexplained_end: end }))
    site = await startPentad(siteDir)
    await pentad(siteDir, ['user', 'password', 'admin', '--password-stdin'], 'correct horse battery\n')
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await site?.end()
  })

  async function signIn(): Promise<void> {
    page = await browser.newPage()
    await page.goto(`${site.url}/wp-login.php`)
    await page.locator('[name=log]').fill('admin')
    await page.locator('[name=pwd]').fill('correct horse battery')
    await page.locator('[type=submit]').click()
    await page.waitForURL('**/wp-admin/**')
  }

  it('says on the dashboard which one is paused, and why', async () => {
    await signIn()
    await page.getByRole('button', { name: 'Exit setup' }).click()
    await page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await page.getByText('Fix the paused extension Tea shop').waitFor()
    await page.getByText(REASON).waitFor()
  })

  it('shows on the dashboard that memory ran out and no extension could be identified', async () => {
    await page.getByText('Find out why the site ran out of memory').waitFor()
    await page.getByText('no extension could be identified as the cause').waitFor()
  })

  it('says on every screen that the site is in safe mode, and how to leave it', async () => {
    await site.end()
    site = await startPentad(siteDir, ['--safe-mode'])
    await signIn()
    for (const path of ['', 'settings']) {
      await page.goto(`${site.url}/wp-admin/${path}`)
      await page.getByText('Safe mode', { exact: true }).waitFor()
      await page.getByText('restart Pentad without --safe-mode').waitFor()
    }
  })
})
