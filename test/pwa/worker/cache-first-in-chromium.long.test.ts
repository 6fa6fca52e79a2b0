import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { Page } from 'playwright-core'
import { controlled, launchWithProfile, waitUntilKept, watchPage } from '../chromium.ts'
import { openPwaSite, set } from '../pwa-site.ts'

const PASSWORD = 'a long pass phrase'

describe('With the cache asked first, in Chromium', () => {
  let site: TestHost
  let browser: Awaited<ReturnType<typeof launchWithProfile>>
  let page: Page

  before(async () => {
    site = await openPwaSite()
    await set(site, { installPrompts: 'off', offlineCacheStrategy: 'CacheFirst' })
    const user = { login: 'writer', email: 'writer@example.org', password: PASSWORD, roles: ['editor'] }
    await site.host.auth.users.create(user)
    site.host.hooks.addAction('wp_footer', (output, { user }) =>
      output.print(`<p>Hello ${user?.login ?? 'stranger'}!</p>`),
    )
    browser = await launchWithProfile()
    ;({ page } = await watchPage(browser.context))
    await page.goto(site.url)
    await controlled(page)
    await waitUntilKept(page, 'pwa-pages', '/')
    await site.host.content.posts.update(1, { title: 'A newer title' })
  })
  after(async () => {
    await browser?.close()
    await site.close()
  })

  const text = async (path = '/') => {
    await page.goto(site.url + path)
    return page.textContent('body')
  }

  it('a visitor gets what is kept', async () => {
    const answer = await page.goto(site.url)
    expect(answer?.fromServiceWorker()).to.equal(true)
    expect(await page.textContent('body'))
      .to.contain('Hello stranger!')
      .and.not.to.contain('A newer title')
  })

  it('a user who logs in gets pages for logged-in users', async () => {
    await page.goto(`${site.url}/wp-login.php`)
    await page.fill('[name=log]', 'writer')
    await page.fill('[name=pwd]', PASSWORD)
    await Promise.all([page.waitForNavigation(), page.press('[name=pwd]', 'Enter')])
    expect(await text())
      .to.contain('Hello writer!')
      .and.contain('A newer title')
    expect(await text()).to.contain('Hello writer!')
  })

  it('a user who logs out gets anonymous pages, which are cached from then on', async () => {
    await browser.context.clearCookies()
    expect(await text())
      .to.contain('Hello stranger!')
      .and.contain('A newer title')
    await site.host.content.posts.update(1, { title: 'The newest title' })
    expect(await text())
      .to.contain('Hello stranger!')
      .and.contain('A newer title')
  })
})
