import { until } from '../../../support/until.ts'
import { keysOf, type Walk } from './keys.ts'

/** What visitors and editors see. */
export function site(walk: () => Walk): void {
  it('uses the toolbar of the site', async () => {
    const { keys } = walk()
    const { page } = keys
    await keys.page.goto(`${walk().admin.site.url}/hello-world/`)
    const bar = page.getByRole('navigation', { name: 'Toolbar' })
    await bar.waitFor()
    await keys.press('New')
    await bar.getByRole('link', { name: 'Page', exact: true }).waitFor()
    await keys.look()
    await keys.keys('Tab', 'Escape')
    await keys.arriveAt('New')
    await keys.press('Insights')
    await bar.locator('dl').waitFor()
    await keys.keys('Escape')
    await keys.press('Purge this page')
    await bar.getByText('Page purged').waitFor()
    await keys.arriveAt('Purge this page')
    await keys.to('Edit Post', 'Shift+Tab')
    await keys.keys('Enter')
    await page.waitForURL(/wp-admin/)
  })

  it('opens menu and search of the site on a phone, and leaves a comment', async () => {
    const { admin } = walk()
    const page = await admin.signIn('subscriber', '/')
    const keys = keysOf(page, admin.site.url)
    await page.context().clearCookies()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    const menu = page.getByRole('navigation', { name: 'Primary' })
    await keys.press('Menu')
    await keys.arriveAt('Close menu')
    await keys.look()
    await keys.keys('Escape')
    await menu.waitFor({ state: 'hidden' })
    await keys.arriveAt('Menu')
    await keys.keys('Enter')
    await keys.arriveAt('Close menu')
    // Past its last link the focus leaves the page, not to what the menu covers.
    for (let link = await menu.getByRole('link').count(); link >= 0; link--) await keys.keys('Tab')
    await keys.to('Close menu', 'Shift+Tab')
    await keys.keys('Enter')
    await keys.arriveAt('Menu')
    await keys.to('Search', 'Shift+Tab')
    await keys.keys('Enter')
    await page.getByRole('searchbox').first().waitFor()
    await keys.look()
    await keys.keys('Escape')
    await keys.arriveAt('Search')
    await keys.keys('Enter')
    await page.keyboard.type('salt')
    await keys.keys('Enter')
    await page.waitForURL('**/?s=salt')
    await keys.press('Salt and bread')
    await page.getByLabel('Comment').waitFor()
    await keys.type(/^Comment/, 'Written without a mouse')
    await keys.type(/^Name/, 'Ada')
    await keys.type(/^Email/, 'ada@example.org')
    await keys.press('Post comment')
    await until(
      async () => (await admin.site.host.content.comments.query({ search: 'without a mouse' })).items.length === 1,
    )
  })
}
