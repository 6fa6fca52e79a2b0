import { mock } from 'node:test'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { LICENSED } from '../../seo/license.ts'
import { BROWSER, GPTBOT, visit } from '../../seo/visits/visit-site.ts'
import { anyAddress, anyId, REPORT, tokenOf } from '../../speed/visits.ts'
import { until } from '../../support/until.ts'
import { type AdminSite, expectAccessible, openAdminSite, shoot } from '../admin-site.ts'
import { focused, tabTo } from './keyboard/keys.ts'

/** Bytes of script as they come over the wire, for the dashboard with all that is on it. */
const MOST_SCRIPT = 250_000
const DAY = 86_400_000

describe('the dashboard', () => {
  let admin: AdminSite
  let page: Page
  let scriptBytes: () => number

  before(async () => {
    admin = await openAdminSite({
      config: { licensePublicKey: LICENSED.licensePublicKey, trustedProxies: ['127.0.0.1'] },
    })
    await admin.site.host.license.set(LICENSED.licenseKey)
    await letThingsHappen()
    page = await admin.signIn('administrator', '/robots.txt')
    scriptBytes = await countScripts(page)
    await page.goto(`${admin.site.url}/wp-admin/`)
  })
  after(() => admin?.close())

  /** A crawler, an install, measured visits, pages from the cache, and a backup. */
  async function letThingsHappen(): Promise<void> {
    const { site } = admin
    for (const path of ['/', '/about/', '/']) await visit(site, path, { as: GPTBOT })
    for (let times = 0; times < 3; times++) await visit(site, '/')
    const pwaUserId = crypto.randomUUID()
    await site.request('/wp-json/pwa/v1/pwa-users/upsert', {
      method: 'PUT',
      headers: { 'User-Agent': BROWSER },
      body: { pwaUserId, event: 'install', displayMode: 'standalone' },
    })
    const token = await tokenOf(site)
    const metrics = { LCP: 1800, CLS: 0.05, INP: 120, FCP: 900, TTFB: 200 }
    for (let times = 0; times < 12; times++) {
      const named = Object.entries(metrics).map(([name, value]) => ({ name, value, id: anyId() }))
      const answer = await site.request(REPORT, {
        method: 'POST',
        headers: { Origin: site.url, 'X-Forwarded-For': anyAddress() },
        body: { token, url: '/', device: 'desktop', metrics: named },
      })
      expect(answer.status).to.equal(204)
    }
    const exclusions = ['uploads', 'themes', 'extensions', 'others']
    const begun = await send('POST', '/wp-json/backup/v1/backup/create', { title: 'Before the move', exclusions })
    for (;;) {
      const { state } = await data(`/wp-json/backup/v1/backup/progress?jobId=${begun.jobId}`)
      if (state !== 'running') break
    }
  }

  async function send(method: string, path: string, body: unknown) {
    const answer = await admin.site.request(path, { method, as: 'administrator', body })
    return JSON.parse(await answer.text()).data
  }
  async function data(path: string) {
    return JSON.parse(await (await admin.site.get(path, { as: 'administrator' })).text()).data
  }
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  const text = async (name: string) => (await card(name).textContent()) ?? ''

  it('shows the figures of all five services, as their routes return them', async () => {
    for (const name of ['Performance', 'SEO', 'PWA', 'Backups']) await card(name).locator('svg, ul').first().waitFor()
    const [speed, seo, crawlers, pwa, counts] = await Promise.all([
      data('/wp-json/speed/v1/performance-score/fetch'),
      data('/wp-json/seo/v1/overview'),
      data('/wp-json/seo/v1/geo/crawlers'),
      data('/wp-json/pwa/v1/pwa-score/fetch'),
      data('/wp-json/host/v1/post-counts'),
    ])
    expect(await text('Performance')).to.contain(
      `${speed.score}performance score out of 100, based on ${speed.samples} visits`,
    )
    expect(await text('SEO')).to.contain(`${seo.scorePercent}SEO score out of 100`)
    expect(crawlers.total).to.equal(3)
    expect(await text('SEO')).to.contain(`3 AI crawler visits in the last ${crawlers.days} days`)
    expect(await text('PWA'))
      .to.contain(`${pwa.scorePercent}PWA score out of 100`)
      .and.contain('1 install in the last 30 days')
    expect(await text('Backups'))
      .to.contain('Before the move')
      .and.contain('Manual')
    expect(await text('AI')).to.contain('No AI provider is connected yet')
    expect(await page.getByRole('main').textContent()).to.contain(`Posts${counts.statuses.publish}`)
  })

  it('draws how things go, each picture with a table of its numbers', async () => {
    for (const [name, label] of [
      ['Performance', 'Page cache requests per day'],
      ['Performance', 'Largest Contentful Paint per day'],
      ['SEO', 'AI crawler visits per day'],
      ['PWA', 'Installs per day'],
    ] as const) {
      const figure = card(name).getByRole('figure', { name: label })
      await figure.locator('svg').waitFor()
      await figure.getByRole('button', { name: 'Show as table' }).click()
      const last = figure.getByRole('row').last()
      expect(await last.textContent(), label).to.match(/[1-9]/)
      await figure.getByRole('button', { name: 'Hide table' }).click()
    }
  })

  it(`loads at most ${MOST_SCRIPT} bytes of script, charts and all`, () => {
    expect(scriptBytes()).to.be.within(50_000, MOST_SCRIPT)
  })

  it('shows the most important recommendation of each service, with a link', async () => {
    const todo = page.getByRole('region', { name: 'To do' })
    await todo.getByRole('button', { name: /^Show all/ }).click()
    const { actionItems } = await data('/wp-json/backup/v1/backup/overview')
    const { actionItems: missing } = await data('/wp-json/pwa/v1/pwa-score/fetch')
    const { items: slow } = await data('/wp-json/speed/v1/action-items/fetch')
    for (const { title } of [...actionItems, ...missing, ...slow])
      await todo.getByRole('link', { name: title }).waitFor()
    await todo.getByRole('link', { name: 'Connect an AI provider' }).click()
    await page.getByRole('heading', { level: 1, name: 'AI' }).waitFor()
    await page.goBack()
  })

  it('can be read by everybody, in any light and on a phone', async () => {
    await expectAccessible(page)
    await shoot(page, 'dashboard')
  })

  it('says of a service that is off how to switch it on', async () => {
    await admin.site.host.extensions.deactivate('pwa')
    await page.reload()
    await card('PWA').getByText('This service is inactive.').waitFor()
    await card('PWA').getByRole('link', { name: 'Activate PWA under Extensions' }).waitFor()
    await admin.site.host.extensions.activate('pwa')
  })

  it('heals a nonce that expired in an open tab, and nothing typed is lost', async () => {
    await page.getByRole('link', { name: 'AI', exact: true }).click()
    await page.getByLabel('Tone').fill('Dry and kind')
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 1.5 * DAY })
    try {
      const refused = page.waitForResponse((answer) => answer.url().includes('/settings/ai') && answer.status() === 403)
      const saved = page.waitForResponse((answer) => answer.url().includes('/settings/ai') && answer.ok())
      await page.getByRole('button', { name: 'Save changes', exact: true }).last().click()
      await Promise.all([refused, saved])
    } finally {
      mock.timers.reset()
    }
    expect(admin.site.host.settings.get('ai')?.get()).to.include({ tone: 'Dry and kind' })
  })

  it('sends nothing as another user who logged in in another tab', async () => {
    const theirs = await admin.signIn('author', '/wp-admin/posts/new')
    await theirs.getByLabel('Title', { exact: true }).fill('What an author thinks')
    const other = await admin.signIn('editor')
    await theirs.context().addCookies(await other.context().cookies())
    theirs.on('dialog', (dialog) => dialog.accept())
    const loaded = theirs.waitForEvent('load')
    // Whatever the page asks for next finds out, saving or what it reads beside that.
    const saved = theirs.getByRole('button', { name: 'Save draft' }).click()
    await Promise.race([loaded, saved])
    await loaded
    await theirs.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name: 'Pages' }).waitFor()
    const { items } = await admin.site.host.content.posts.query({ statuses: ['draft'], search: 'author thinks' })
    expect(items).to.deep.equal([])
    for (const tab of [theirs, other]) await tab.context().close()
  })

  it('shows an editor, an author and a subscriber what is theirs', async () => {
    for (const [role, there, missing] of [
      ['editor', ['Posts', 'Pages', 'Comments', 'Media', 'Drafts'], ['To do', 'Backups']],
      ['author', ['Your posts', 'Media', 'Drafts'], ['Pages', 'Comments', 'To do']],
      ['subscriber', ['Edit profile'], ['New post', 'Your posts', 'Drafts', 'To do']],
    ] as const) {
      const theirs = await admin.signIn(role)
      const main = theirs.getByRole('main')
      for (const name of there) await main.getByText(name, { exact: true }).waitFor()
      for (const name of missing) expect(await main.getByText(name, { exact: true }).count(), name).to.equal(0)
      expect(await theirs.getByRole('button', { name: 'Copilot' }).count()).to.equal(0)
      if (role === 'author') await expectAccessible(theirs)
      if (role !== 'editor') await shoot(theirs, `dashboard-${role}`)
      await theirs.context().close()
    }
  })

  it('can be used with the keyboard alone: signing in, writing, publishing, the copilot, the colors', async () => {
    await admin.site.host.auth.users.create({
      ...{ login: 'keys', email: 'keys@example.org', password: 'only keys here', roles: ['administrator'] },
    })
    const context = await page.context().browser()?.newContext()
    const typed = await context?.newPage()
    if (!typed) throw new Error('There is no browser.')
    const { keyboard } = typed
    await typed.goto(`${admin.site.url}/wp-admin/`)
    await tabTo(typed, 'Username or email address')
    await keyboard.type('keys')
    await tabTo(typed, 'Password')
    await keyboard.type('only keys here')
    await keyboard.press('Enter')
    await typed.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()

    // The way past the navigation is the first stop.
    await tabTo(typed, 'Skip to main content')
    await keyboard.press('Enter')
    await tabTo(typed, 'New post')
    await keyboard.press('Enter')
    await typed.getByRole('textbox', { name: 'Content', exact: true }).waitFor()
    await tabTo(typed, 'Title')
    await keyboard.type('Written without a mouse')
    await tabTo(typed, 'Content')
    await keyboard.type('With nothing but keys.')
    await tabTo(typed, 'Publish')
    await keyboard.press('Enter')
    await typed.getByRole('button', { name: 'Update' }).waitFor()
    const published = await (await admin.site.get('/written-without-a-mouse/')).text()
    expect(published).to.contain('With nothing but keys.')

    await keyboard.press('Control+J')
    await typed.getByLabel('Your message').waitFor()
    await tabTo(typed, 'Your message')
    await keyboard.press('Escape')
    await until(async () => (await focused(typed)) === 'Copilot')
    await tabTo(typed, 'Color scheme')
    await keyboard.press('Enter')
    await typed.getByRole('menu').waitFor()
    await tabTo(typed, 'Dark', 'ArrowDown')
    await keyboard.press('Enter')
    await typed.locator('html[data-mantine-color-scheme="dark"]').waitFor()
    await context?.close()
  })
})

/** Counts the bytes of scripts that a page fetches, compressed as they come. */
async function countScripts(page: Page): Promise<() => number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const scripts = new Map<string, number>()
  devtools.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.set(requestId, 0)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scripts.set(requestId, encodedDataLength)
  })
  return () => [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0)
}
