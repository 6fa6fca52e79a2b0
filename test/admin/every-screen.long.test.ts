import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AdminSite, openAdminSite } from './admin-site.ts'
import { expectReadable, expectScreen, openPage } from './screens.ts'

/** Below `/wp-admin`, without those that need a backup, a comment or the like: their own tests have one. */
const SCREENS = [
  ...['', '/setup', '/profile', '/users', '/users/new', '/users/1', '/security-log', '/license'],
  ...['/posts', '/posts/new', '/posts/1', '/pages', '/pages/2', '/content/wp_block', '/content/product'],
  ...['/categories', '/tags', '/media', '/comments', '/appearance', '/menus'],
  ...[
    '/tools',
    '/tools/import',
    '/tools/export',
    '/tools/site-health',
    '/tools/privacy/export',
    '/tools/privacy/erase',
  ],
  ...['/extensions', '/extensions/add', '/extensions/store', '/extension/store/orders', '/hooks'],
  ...['/settings', '/settings/reading', '/settings/discussion', '/settings/mail', '/settings/media'],
  ...['/settings/permalinks', '/settings/webhooks', '/settings/caches', '/settings/host', '/settings/privacy'],
  ...['/ai', '/ai/changes', '/ai/conversations', '/ai/helpdesk', '/ai/browser-tools', '/ai/usage', '/ai/audit-log'],
  ...['/backup', '/backup/locations', '/backup/settings'],
  ...['/performance', '/performance/pages', '/performance/assets', '/performance/settings'],
  ...['/pwa', '/pwa/identity', '/pwa/notifications', '/pwa/subscribers', '/pwa/offline', '/pwa/install'],
  ...[
    '/pwa/analytics',
    '/pwa/settings',
    '/seo',
    '/seo/setup',
    '/seo/titles',
    '/seo/redirects',
    '/seo/redirects/import',
  ],
  ...['/seo/missing-pages', '/seo/crawlers', '/seo/referrals', '/seo/indexnow', '/seo/links', '/seo/migration'],
  '/seo/settings',
].map((path) => `/wp-admin${path}`)

/** What visitors see, except for errors and the maintenance page, without the toolbar of editors. */
const PAGES = [
  ...['/', '/page/2/', '/hello-world/', '/dispatch-7-prices-rose-by-12-in-a-year-according/', '/sample-page/'],
  ...['/contact/', '/tower/', '/category/travel/', '/author/admin/', '/?s=train'],
  ...['/wp-login.php', '/wp-login.php?action=lostpassword'],
]

describe('Every screen and page, for everybody', () => {
  let admin: AdminSite
  let page: Page
  /** Of the navigation; those below a screen are in it while that is open. */
  const entries = new Set<string>()
  before(async () => {
    admin = await openAdminSite({ extensions: [join(import.meta.dirname, '../../extensions/store')] })
    page = await admin.signIn()
  })
  after(() => admin?.close())

  const open = (path: string, status?: number) => openPage(page, admin.site.url + path, status)

  for (const path of SCREENS) {
    it(`shows ${path}`, async () => {
      await expectScreen(page, admin.site.url + path)
      const links = await page.evaluate<string[]>(
        `[...document.querySelectorAll('nav[aria-label="Admin menu"] a')].map((link) => link.getAttribute('href'))`,
      )
      for (const link of links) entries.add(link)
    })
  }

  it('shows that a screen does not exist', async () => {
    await open('/wp-admin/not-there')
    await expectReadable(page)
    expect(await page.locator('h1').allTextContents()).to.deep.equal(['Page not found'])
  })

  it('includes every entry of the navigation', () => {
    expect(entries.size).to.be.above(50)
    expect(SCREENS).to.include.members([...entries])
  })

  describe('to visitors', () => {
    before(() => page.context().clearCookies())
    for (const path of PAGES) {
      it(`shows ${path}`, async () => {
        await open(path)
        await expectReadable(page)
      })
    }

    it('shows that a page does not exist', async () => {
      await open('/not-there/', 404)
      await expectReadable(page)
    })

    it('shows the maintenance page', async () => {
      admin.allow(/^503 /)
      const undo = admin.site.host.maintenance.enter(10)
      await open('/', 503).finally(undo)
      await expectReadable(page)
    })
  })
})
