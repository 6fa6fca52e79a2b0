import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expectAccessible } from '../admin/admin-site.ts'
import { launchChromium } from '../speed/chromium.ts'
import { createVisits } from '../speed/front-cache.ts'
import { createVarnish, type FrontServer } from '../speed/front-server.ts'
import { freePort } from '../support/free-port.ts'
import { importExport } from '../support/import-export.ts'
import { until } from '../support/until.ts'

const PASSWORD = 'correct horse battery'
const BAR = 'wpadminbar'
const POST = '/hello-world/'
/** The page cache, and the integration that lets Varnish store pages. */
const EXTENSIONS = ['plugins/speed', 'extensions/varnish-purge'].map((path) => join(import.meta.dirname, '../..', path))

// cspell:ignore bearbeiten titel werkzeugleiste
describe('The toolbar on the site', () => {
  let site: TestHost
  let browser: Browser
  before(async () => {
    const port = await freePort()
    site = await createTestHost({ services: true, config: { port, url: `http://127.0.0.1:${port}` } })
    await importExport(site)
    await site.host.settings.get('host')?.update({ contentSecurityPolicy: 'enforce' })
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  async function cookieOf(role: string): Promise<string> {
    const { auth } = site.host
    const login = `the-${role}`
    const known = await auth.users.getByLogin(login)
    const email = `${login}@example.org`
    const user =
      known ?? (await auth.users.create({ login, email, displayName: role, password: PASSWORD, roles: [role] }))
    const session = await auth.startSession(user, { address: '127.0.0.1', userAgent: 'test' })
    return auth.sessionCookie(session).split(';')[0] ?? ''
  }

  async function open(role: string, path: string, width = 1280): Promise<{ context: BrowserContext; page: Page }> {
    const [name = '', value = ''] = (await cookieOf(role)).split('=')
    const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' })
    await context.addCookies([{ name, value, url: site.url }])
    const page = await context.newPage()
    await page.goto(site.url + path)
    return { context, page }
  }

  it('is in pages of users who can edit posts, which no cache stores', async () => {
    for (const role of ['administrator', 'editor', 'author', 'contributor']) {
      const response = await site.get(POST, { headers: { Cookie: await cookieOf(role) } })
      expect(response.headers.get('cache-control'), role).to.equal('private, no-store')
      expect(response.headers.has('etag')).to.equal(false)
      expect(await response.text(), role).to.include(BAR)
    }
    const subscriber = await site.get(POST, { headers: { Cookie: await cookieOf('subscriber') } })
    expect(await subscriber.text()).not.to.include(BAR)
  })

  it('never reaches visitors, whose requests come before, between, and after those of an administrator', async () => {
    const Cookie = await cookieOf('administrator')
    await site.request('/wp-json/host/v1/purge', { method: 'POST', as: 'administrator', body: { all: true } })
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, async (_, at) => {
          const isAdministrator = at % 2 === 0
          const response = await site.get(POST, isAdministrator ? { headers: { Cookie } } : {})
          return { isAdministrator, hasBar: (await response.text()).includes(BAR) }
        }),
      )
      for (const { isAdministrator, hasBar } of answers) expect(hasBar).to.equal(isAdministrator)
    }
  })

  it('links to the editor and new content, and purges the page, by keyboard and with an enforced policy', async () => {
    const { context, page } = await open('administrator', POST)
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    const bar = page.getByRole('navigation', { name: 'Toolbar' })
    const href = await bar.getByRole('link', { name: 'Edit Post' }).getAttribute('href')
    expect(href).to.match(/^\/wp-admin\/post\.php\?post=\d+&action=edit$/)
    const menu = bar.getByText('New', { exact: true })
    await menu.press('Enter')
    expect(await bar.getByRole('link', { name: 'Page', exact: true }).isVisible()).to.equal(true)
    await expectAccessible(page)
    await menu.press('Escape')
    expect(await bar.getByRole('link', { name: 'Page', exact: true }).isVisible()).to.equal(false)
    const purged: string[][] = []
    site.host.hooks.addAction('pages_purged', ({ urls }) => void purged.push([...urls]))
    await bar.getByRole('button', { name: 'Purge this page' }).press('Enter')
    await bar.getByText('Page purged').waitFor()
    await until(() => purged.flat().includes(site.url + POST))
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('has insights of cache, search engines, and callbacks for administrators', async () => {
    await site.get(POST)
    const { context, page } = await open('administrator', POST)
    const bar = page.getByRole('navigation', { name: 'Toolbar' })
    await bar.getByText('Insights').click()
    const text = await bar.locator('dl').textContent()
    expect(text).to.match(/Cache tags.*post-\d+/)
    expect(text).to.match(/Page cache(Cached|Not cached)/)
    expect(text).to.match(/SEO title\S+/)
    expect(text).to.match(/Hook callbacks.*speed/)
    await expectAccessible(page)
    await context.close()
    const editor = await open('editor', POST)
    expect(await editor.page.getByText('Insights').count()).to.equal(0)
    await editor.context.close()
  })

  it('is in the language of the user', async () => {
    const { content, auth } = site.host
    const administrator = async () =>
      (await site.get(POST, { headers: { Cookie: await cookieOf('administrator') } })).text()
    await content.updateSiteSettings({ language: 'de_DE' })
    const german = await administrator()
    expect(german)
      .to.include('<nav aria-label="Werkzeugleiste" lang="de-DE" dir="ltr">')
      .and.include('>Beitrag bearbeiten<')
    expect(german).to.include('<dt>SEO-Titel</dt>').and.include('<dt>Seiten-Cache</dt>')
    const { id = 0 } = (await auth.users.getByLogin('the-administrator')) ?? {}
    await auth.users.update(id, { locale: 'en_US' })
    expect(await administrator())
      .to.include('>Edit Post<')
      .and.include('<dt>SEO title</dt>')
    await auth.users.update(id, { locale: '' })
    await content.updateSiteSettings({ language: 'en_US' })
  })

  it('has the same gap between its items', async () => {
    const { context, page } = await open('administrator', POST)
    const gaps = await page.evaluate<number[]>(`(() => {
      const items = [...document.querySelector('#${BAR}').shadowRoot.querySelector('nav').children]
      const boxes = items.filter(({ className, role }) => className !== 'end' && role !== 'status').map((item) => item.getBoundingClientRect())
      return boxes.slice(1).map(({ left }, at) => Math.round(left - boxes[at].right))
    })()`)
    expect(gaps).to.deep.equal([4, 4, 4, 4])
    await context.close()
  })

  for (const width of [390, 700])
    it(`fits pages that are ${width} pixels wide`, async () => {
      const { context, page } = await open('administrator', '/', width)
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(width)
      await page.getByText('Insights').click()
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(width)
      await expectAccessible(page)
      await context.close()
    })

  it('can be hidden by an extension, and hides itself in previews of the appearance', async () => {
    const Cookie = await cookieOf('administrator')
    const hide = () => false
    site.host.hooks.addFilter('show_admin_bar', hide)
    expect(await (await site.get(POST, { headers: { Cookie } })).text()).not.to.include(BAR)
    site.host.hooks.removeFilter('show_admin_bar', hide)
    expect(await (await site.get(POST, { headers: { Cookie } })).text()).to.include(BAR)
    const { context, page } = await open('administrator', '/wp-admin/appearance')
    const frame = page.frameLocator('iframe').first()
    await frame.getByRole('link', { name: 'Skip to content' }).waitFor({ state: 'attached' })
    expect(await frame.locator(`#${BAR}`).count()).to.equal(0)
    await context.close()
  })

  it('hides itself in the preview of a post in the editor, but not in a new tab', async () => {
    const [post] = (await site.host.content.posts.query({ types: ['post'], limit: 1 })).items
    const { context, page } = await open('administrator', `/wp-admin/posts/${post?.id}`)
    await page.getByRole('button', { name: 'Preview' }).click()
    const frame = page.frameLocator('iframe').first()
    await frame.getByRole('link', { name: 'Skip to content' }).waitFor({ state: 'attached' })
    expect(await frame.locator(`#${BAR}`).count()).to.equal(0)
    const address = await page.getByRole('link', { name: 'Open in new tab' }).getAttribute('href')
    const tab = await context.newPage()
    await tab.goto(new URL(address ?? '', site.url).href)
    await tab.getByRole('navigation', { name: 'Toolbar' }).waitFor()
    await context.close()
  })
})

describe('The toolbar on a site behind a real Varnish', () => {
  let site: TestHost
  let varnish: FrontServer
  before(async () => {
    const port = await freePort()
    const config = { url: `http://127.0.0.1:${port}`, trustedProxies: ['127.0.0.1'] }
    site = await createTestHost({ extensions: EXTENSIONS, config })
    varnish = await createVarnish(Number(new URL(site.url).port), port)
    await varnish.start()
    const settings = { nodes: [varnish.url] }
    const path = '/wp-json/host/v1/settings/varnish-purge'
    await site.request(path, { method: 'PUT', as: 'administrator', body: { settings } })
  })
  after(async () => {
    await varnish?.remove()
    await site?.close()
  })

  it('is never stored there', async () => {
    const { auth } = site.host
    const [administrator] = (await auth.users.query({ limit: 1 })).items
    if (!administrator) throw new Error('no user')
    const session = await auth.startSession(administrator, { address: '127.0.0.1', userAgent: 'test' })
    const Cookie = auth.sessionCookie(session).split(';')[0] ?? ''
    const visits = createVisits(
      () => varnish,
      (headers) => headers.get('x-varnish')?.includes(' ') ?? false,
    )
    const first = await visits.visit(POST, { Cookie })
    expect(first.html).to.include(BAR)
    expect(first.isCached).to.equal(false)
    await visits.keep(POST)
    expect((await visits.visit(POST)).html).not.to.include(BAR)
    expect((await visits.visit(POST, { Cookie })).html).to.include(BAR)
    const last = await visits.visit(POST)
    expect(last.html).not.to.include(BAR)
    expect(last.isCached).to.equal(true)
  })
})
