import type { Page } from 'playwright-core'
import { type AdminSite, openAdminSite } from './admin-site.ts'
import { expectReadable, expectScreen, openPage } from './screens.ts'

/** Of each kind one. `every-screen.long.test.ts` opens all of them. */
const SCREENS = ['/', '/posts/new', '/media', '/settings', '/backup', '/performance', '/pwa', '/seo', '/ai']

describe('The screens that owners use most', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite()
    page = await admin.signIn()
  })
  after(() => admin?.close())

  for (const path of SCREENS) {
    it(`shows ${path}`, () => expectScreen(page, `${admin.site.url}/wp-admin${path}`))
  }

  it('shows a post to visitors', async () => {
    await page.context().clearCookies()
    await openPage(page, `${admin.site.url}/hello-world/`)
    await expectReadable(page)
  })
})
