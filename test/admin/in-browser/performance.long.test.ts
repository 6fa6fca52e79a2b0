import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { countRenderings } from '../../speed/cached-site.ts'
import { measured } from '../../speed/chromium.ts'
import { until } from '../../support/until.ts'
import { type AdminSite, expectAccessible, openAdminSite, openScreen, shoot } from '../admin-site.ts'

describe('The performance screens', () => {
  let admin: AdminSite
  let page: Page

  before(async () => {
    admin = await openAdminSite({ preload: true })
    // Smaller copies of all its images take longer to make than anything here.
    await admin.site.host.settings.get('speed')?.update({ imageFormats: [] })
    page = await admin.signIn('administrator', '/wp-admin/performance')
  })
  after(() => admin.close())

  it('request nothing that takes a license while the site has none; nor does the dashboard', async () => {
    const missing: string[] = []
    page.on('response', (response) => {
      if (response.status() === 404) missing.push(new URL(response.url()).pathname)
    })
    for (const path of ['performance', '']) {
      await page.goto(`${admin.site.url}/wp-admin/${path}`)
      await page.waitForLoadState('networkidle')
    }
    expect(missing).to.deep.equal([])
    await page.goto(`${admin.site.url}/wp-admin/performance`)
  })

  const cacheStateOf = async (path: string) => {
    const answer = await fetch(admin.site.url + path)
    await answer.arrayBuffer()
    return answer.headers.get('x-cache')
  }
  const open = (name: string) =>
    page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name }).click()

  it('say what to do first while no visit was measured', async () => {
    await page.getByText('No measurements yet').waitFor()
    expect(await page.getByText('Needs improvement').count()).to.equal(0)
  })

  it('purge and preload, show how far it is, and then a visitor’s page is a hit', async () => {
    const rendered = countRenderings(admin.site)
    await page.getByRole('button', { name: 'Purge cache', exact: true }).click()
    await page.getByRole('menuitem', { name: 'All pages', exact: true }).click()
    await page
      .getByRole('dialog', { name: /^Purge cache: All pages/ })
      .getByRole('button', { name: 'Purge cache' })
      .click()
    const progress = page.getByText(/^Preloading: \d+ of \d+ pages$/)
    await progress.waitFor()
    await page.getByText(/^Cache purged\. Pages removed: \d+/).waitFor()
    await shoot(page, 'performance-preload')

    await progress.waitFor({ state: 'detached' })
    expect(rendered.get('/')).to.be.at.least(1)
    // Rendered once more in the background where the optimizer has finished a file since.
    await until(async () => (await cacheStateOf('/')) === 'HIT')
  })

  it('show the histograms of what real browsers measured', async () => {
    const browser = page.context().browser()
    if (!browser) throw new Error('There is no browser.')
    const visitor = await browser.newContext({ userAgent: await page.evaluate('navigator.userAgent') })
    const visit = await visitor.newPage()
    await visit.goto(admin.site.url, { waitUntil: 'load' })
    // Not on a link, which would be another visit.
    await visit.locator('main').click({ position: { x: 1, y: 1 } })
    await measured(visit)
    await visit.goto(`${admin.site.url}/wp-sitemap.xml`)
    const shown = async () => {
      await page.reload()
      return page.getByText('Measured by visitors’ browsers: 1 visit.').isVisible()
    }
    await until(shown)
    await visitor.close()

    const vitals = page.getByRole('region', { name: 'Web Vitals' })
    const card = vitals.locator('.mantine-Paper-root', { hasText: 'Largest Contentful Paint' })
    await card.getByText('1 visit').waitFor()
    await card.getByRole('button', { name: 'Show as table' }).click()
    const counts = await card.getByRole('table').locator('td').allTextContents()
    expect(counts).to.have.lengthOf(8)
    expect(counts.map(Number).reduce((sum, count) => sum + count, 0)).to.equal(1)
    await vitals.getByRole('combobox', { name: 'Filter visits' }).click()
    await page.getByRole('option', { name: 'Desktop' }).click()
    await card.getByText('1 visit').waitFor()
    expect(new URL(page.url()).searchParams.get('of')).to.equal('device-desktop')
    await expectAccessible(page)
    await shoot(page, 'performance')
  })

  it('find a kept page and purge it alone', async () => {
    await until(async () => (await cacheStateOf('/')) === 'HIT')
    await open('Cached pages')
    await page.getByRole('link', { name: '/', exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Search URLs' }).fill('nothing-like-that')
    await page.getByText('No cached pages match your filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    const table = page.getByRole('table', { name: 'Cached pages' })
    await table.getByRole('link', { name: '/', exact: true }).waitFor()
    await table.getByText('Minify HTML').first().waitFor()
    await expectAccessible(page)
    await shoot(page, 'performance-pages')
    await table.getByRole('button', { name: 'Purge /', exact: true }).click()
    await page.getByText('/ purged. It is being re-rendered.').waitFor()
  })

  it('list optimized files by kind', async () => {
    await open('Optimized files')
    const files = page.getByRole('table', { name: 'Optimized files' })
    await files.getByText('CSS').first().waitFor()
    await expectAccessible(page)
    await shoot(page, 'performance-files')
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Fonts' }).click()
    await page.getByText('Try different filters, or clear them.').waitFor()
  })

  it('change a setting, each below its risk', async () => {
    await openScreen(page, 'Settings')
    const aggressive = page.getByRole('region', { name: 'Aggressive' })
    await aggressive.getByLabel('Defer JavaScript').waitFor()
    expect(await page.getByRole('region', { name: 'Safe' }).getByLabel('Minify HTML').isChecked()).to.equal(true)
    await expectAccessible(page)
    await shoot(page, 'performance-settings')
    await aggressive.getByRole('switch', { name: 'Defer JavaScript' }).press('Space')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Settings saved.', { exact: true }).waitFor()
    expect(admin.site.host.settings.get('speed')?.masked()).to.include({ deferJs: 'off', minifyHtml: 'on' })
  })

  it('take hours for what is stored in seconds', async () => {
    const lifetime = page.getByLabel('Cache lifespan', { exact: true })
    expect(await lifetime.inputValue()).to.equal('24')
    await lifetime.fill('1.5')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('You have unsaved changes.').waitFor({ state: 'detached' })
    expect(admin.site.host.settings.get('speed')?.masked()).to.include({ cacheTtlSeconds: 5400 })
  })
})
