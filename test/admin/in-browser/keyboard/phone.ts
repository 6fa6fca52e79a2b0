import type { Walk } from './keys.ts'

/** The admin in a window as narrow as a phone, with a keyboard. */
export function phone(walk: () => Walk): void {
  it('navigates, selects comments, and publishes in a narrow window', async () => {
    const { keys } = walk()
    const { page } = keys
    const navigation = page.getByRole('navigation', { name: 'Admin menu' })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${walk().admin.site.url}/wp-admin/tags`)
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
    await keys.to('Navigation', 'Shift+Tab')
    await keys.keys('Enter')
    await navigation.waitFor()
    await keys.look()
    await keys.to('Dashboard')
    await keys.keys('Escape')
    await navigation.waitFor({ state: 'hidden' })
    await keys.arriveAt('Navigation')
    await keys.keys('Enter')
    await keys.press(/^Comments/)
    await page.getByRole('heading', { level: 1, name: 'Comments' }).waitFor()
    await navigation.waitFor({ state: 'hidden' })
    await keys.arriveAt('Comments')
    await keys.press('Select all on this page', 'Space')
    await keys.look()
    await keys.press('Clear selection')
    await keys.arriveAt('Comments')
    await keys.open('/wp-admin/posts/new')
    await keys.type('Title', 'Narrow')
    await keys.press('Publish')
    await page.getByText('Post published.').waitFor()
    await keys.arriveAt('Update')
    await keys.look()
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('has the navigation where no button opens it', async () => {
    const { page } = walk().keys
    const navigation = page.getByRole('navigation', { name: 'Admin menu' })
    const button = page.getByRole('button', { name: 'Navigation' })
    for (const [width, shown, hidden] of [
      [767, button, navigation],
      [768, navigation, button],
    ] as const) {
      await page.setViewportSize({ width, height: 1024 })
      await shown.waitFor()
      await hidden.waitFor({ state: 'hidden' })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('is at the heading of a new screen that took a while to load', async () => {
    const { keys } = walk()
    const { page } = keys
    await keys.open('/wp-admin/')
    await page.route('**/wp-json/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.continue()
    })
    await keys.press('Upload media')
    await keys.arriveAt(/^Media$/i)
    await page.unroute('**/wp-json/**')
  })
}
