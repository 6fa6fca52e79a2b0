import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AdminSite, expectAccessible, openAdminSite } from './admin-site.ts'

const LOOKS = [
  { name: 'light, on a desk', viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'dark, on a phone', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

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

/** The titles of error messages, instead of a screen or in it. */
const ERROR =
  /^(Page not found|Something went wrong|This page could not be displayed|“.+” could not display this page)$/

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

  async function open(path: string, status = 200): Promise<void> {
    const answer = await page.goto(admin.site.url + path)
    expect(answer?.status()).to.equal(status)
    // The script of a screen of the admin loads after the page.
    await page.locator('h1').first().waitFor()
  }

  /** All can be read and operated, and nothing is wider than the window. */
  async function expectReadable(): Promise<void> {
    const faults: string[] = []
    for (const { name, viewport, colorScheme } of LOOKS) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page).catch((error) => faults.push(`${name}: ${error.message}`))
      const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      if (excess > 0) faults.push(`${name}: ${excess} px wider than the window`)
    }
    expect(faults.join('\n')).to.equal('')
  }

  for (const path of SCREENS) {
    it(`shows ${path}`, async () => {
      await open(path)
      await expectReadable()
      expect(await page.getByText(ERROR).filter({ visible: true }).allTextContents()).to.deep.equal([])
      const links = await page.evaluate<string[]>(
        `[...document.querySelectorAll('nav[aria-label="Admin menu"] a')].map((link) => link.getAttribute('href'))`,
      )
      for (const link of links) entries.add(link)
    })
  }

  it('shows that a screen does not exist', async () => {
    await open('/wp-admin/not-there')
    await expectReadable()
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
        await expectReadable()
      })
    }

    it('shows that a page does not exist', async () => {
      await open('/not-there/', 404)
      await expectReadable()
    })

    it('shows the maintenance page', async () => {
      admin.allow(/^503 /)
      const undo = admin.site.host.maintenance.enter(10)
      await open('/', 503).finally(undo)
      await expectReadable()
    })
  })
})
