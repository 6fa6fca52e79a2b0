import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { BrowserContext, Page } from 'playwright-core'
import { until } from '../../support/until.ts'
import { controlled, keptIn, launchWithProfile, registrationId, waitUntilKept, watchPage } from '../chromium.ts'
import { openPwaSite, set } from '../pwa-site.ts'

const WORKER = '/wp-content/uploads/pwa/scripts/serviceworker.js'

describe('The site without a network, in Chromium', () => {
  let site: TestHost
  let browser: Awaited<ReturnType<typeof launchWithProfile>>
  let context: BrowserContext
  let page: Page
  let problems: string[]

  before(async () => {
    site = await openPwaSite()
    const { posts } = site.host.content
    await posts.insert({
      type: 'page',
      title: 'Offline',
      slug: 'offline',
      status: 'publish',
      content: 'No network here.',
    })
    for (const slug of ['one', 'two']) {
      await posts.insert({ type: 'page', title: slug, slug, status: 'publish', content: `The page ${slug}.` })
    }
    await set(site, { offlineFallbackPage: '/offline/', offlineExcludedPaths: ['/two*'], installPrompts: 'off' })
    site.host.hooks.addFilter('wp_headers', (headers, { request }) =>
      request.query.has('cookie') ? { ...headers, 'Set-Cookie': 'basket=7; Path=/' } : headers,
    )
    browser = await launchWithProfile()
    context = browser.context
    ;({ page, problems } = await watchPage(context))
  })
  after(async () => {
    await browser?.close()
    await site.close()
  })

  const open = (path: string) => page.goto(site.url + path)
  const text = () => page.textContent('body')

  it('keeps the first page with its files, which came before the worker', async () => {
    await open('/one/')
    await controlled(page)
    await waitUntilKept(page, 'pwa-pages', '/one/')
    await until(async () => (await keptIn(page, 'pwa-files')).includes('/wp-content/themes/default/style.css'))
  })

  it('keeps the page for offline with what it needs', async () => {
    const kept = await keptIn(page, 'pwa-offline')
    expect(kept).to.include.members(['/offline/', '/wp-content/themes/default/style.css'])
  })

  it('keeps a page that is visited', async () => {
    await open('/')
    await waitUntilKept(page, 'pwa-pages', '/')
  })

  describe('does not keep', () => {
    for (const [what, path] of Object.entries({
      'what the owner excluded': '/two/',
      'the login page': '/wp-login.php',
      'a preview': '/one/?preview=true',
      'an address with a nonce': '/one/?_wpnonce=1234567890',
      'a basket': '/cart/',
      'an answer with a cookie': '/one/?cookie=1',
      'a page that is not there': '/nowhere/',
      'an answer of the REST interface': '/wp-json/',
    })) {
      it(what, async () => {
        const before = await keptIn(page, 'pwa-pages')
        await open(path)
        await open('/one/')
        expect(await keptIn(page, 'pwa-pages')).to.deep.equal(before)
      })
    }

    it('pages of a logged-in user, nor shows them to others', async () => {
      const user = await site.host.auth.users.create({
        ...{ login: 'writer', email: 'writer@example.org', password: 'a long pass phrase', roles: ['editor'] },
      })
      await open('/wp-login.php')
      await page.fill('[name=log]', user.login)
      await page.fill('[name=pwd]', 'a long pass phrase')
      await Promise.all([page.waitForNavigation(), page.press('[name=pwd]', 'Enter')])
      const before = await keptIn(page, 'pwa-pages')
      const answer = await open('/one/?signed-in')
      expect(answer?.headers()['cache-control']).to.equal('private, no-store')
      expect(await keptIn(page, 'pwa-pages')).to.deep.equal(before)
      await context.clearCookies()
      await open('/one/?signed-in')
      await waitUntilKept(page, 'pwa-pages', '/one/?signed-in')
    })

    it('a redirect, but the page that it leads to', async () => {
      await open('/?p=1')
      await waitUntilKept(page, 'pwa-pages', '/hello-world/')
      expect(await page.evaluate(`caches.match('/?p=1').then(Boolean)`)).to.equal(false)
    })
  })

  it('shows visited pages, and the page for offline in the place of others', async () => {
    problems.length = 0
    await context.setOffline(true)
    await open('/one/')
    expect(await text()).to.contain('The page one.')
    expect(await page.evaluate('getComputedStyle(document.body).fontFamily')).to.contain('system-ui')
    await open('/two/')
    expect(await text()).to.contain('No network here.')
    await context.setOffline(false)
    await open('/two/')
    expect(await text()).to.contain('The page two.')
  })

  it('refreshes the page for offline when it has changed', async () => {
    const { posts } = site.host.content
    const offline = await posts.getByPath('/offline/')
    await posts.update(offline?.id ?? 0, { content: 'Still no network.' })
    // A worker looks once in its life, so this one is ended.
    const devtools = await context.newCDPSession(page)
    await devtools.send('ServiceWorker.enable')
    await devtools.send('ServiceWorker.stopAllWorkers')
    await open('/')
    await waitUntilKept(page, 'pwa-offline', '/offline/', 'Still no network.')
  })

  it('refreshes what is kept while the app is closed, when the browser says so', async () => {
    const { posts } = site.host.content
    const one = await posts.getByPath('/one/')
    await posts.update(one?.id ?? 0, { content: 'The page one, next day.' })
    await open('/')
    const devtools = await context.newCDPSession(page)
    const registration = await registrationId(devtools)
    await devtools.send('ServiceWorker.dispatchPeriodicSyncEvent', {
      ...{ origin: site.url, registrationId: registration, tag: 'pwa-refresh' },
    })
    await waitUntilKept(page, 'pwa-pages', '/one/', 'next day')
  })

  it('shows when the connection is lost and restored', async () => {
    await open('/one/')
    await context.setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await context.setOffline(false)
    await page.getByText('You are back online.').waitFor()
  })

  describe('a form that is sent offline', () => {
    it('waits for the network, and is sent then', async () => {
      const devtools = await context.newCDPSession(page)
      const registration = await registrationId(devtools)
      await open('/?p=1')
      await context.setOffline(true)
      await page.fill('#comment', 'Written in a tunnel.')
      await page.fill('#author', 'Ann')
      await page.fill('#email', 'ann@example.org')
      await Promise.all([
        page.waitForNavigation(),
        page.evaluate(`document.querySelector('#comment').form.requestSubmit()`),
      ])
      expect(await text()).to.contain('Saved for later')
      await context.setOffline(false)
      await devtools.send('ServiceWorker.dispatchSyncEvent', {
        ...{ origin: site.url, registrationId: registration },
        ...{ tag: 'workbox-background-sync:pwa-forms', lastChance: false },
      })
      await until(async () => {
        const answer = await site.get('/wp-json/wp/v2/comments?search=tunnel&status=hold', { as: 'administrator' })
        return (await answer.text()).includes('Written in a tunnel.')
      })
    })
  })

  it(`has its worker at ${WORKER}`, async () => {
    const registrations = await page.evaluate(
      `navigator.serviceWorker.getRegistrations().then((all) => all.map(({ active, scope }) => [active.scriptURL, scope]))`,
    )
    expect(registrations).to.deep.equal([[site.url + WORKER, `${site.url}/`]])
  })

  it('had no errors', () =>
    expect(problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED|404/.test(problem))).to.deep.equal([]))

  describe('the login form', () => {
    it('has the way back to it left to the browser', async () => {
      await site.host.auth.users.create({
        ...{ login: 'owner', email: 'owner@example.org', password: 'a long pass phrase', roles: ['editor'] },
      })
      await open('/')
      await controlled(page)
      await open('/wp-login.php')
      for (const password of ['a wrong pass phrase', 'a long pass phrase']) {
        await page.fill('[name=log]', 'owner')
        await page.fill('[name=pwd]', password)
        await Promise.all([page.waitForNavigation(), page.press('[name=pwd]', 'Enter')])
      }
      expect(new URL(page.url()).pathname).to.equal('/wp-admin/')
      // Chromium shows the result of the form again, or asks whether to submit it again.
      await page.goBack().catch(() => {})
      expect(await text())
        .not.to.contain('Still no network.')
        .and.not.to.contain('You are offline')
      await context.clearCookies()
      await open('/')
    })
  })
})
