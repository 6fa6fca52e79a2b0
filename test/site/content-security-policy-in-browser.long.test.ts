import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Browser } from 'playwright-core'
import { launchChromium, openPage, readToTheEnd } from '../speed/chromium.ts'
import { freePort } from '../support/free-port.ts'
import { importExport } from '../support/import-export.ts'

/** What the services can add to a page. */
const SETTINGS = {
  pwa: { installPrompts: 'on', pushPrompt: 'on' },
  ai: { helpdeskAgent: 'on', webMcpTools: 'on', aiRelatedPosts: 'on' },
  seo: { breadcrumbs: 'on' },
  speed: { vitalsSampleRate: 100, speculationRules: 'on' },
}
const PAGES = ['/', '/about/', '/category/travel/', '/?s=train', '/nowhere/', '/hello-world/']

describe('An enforced content security policy in a real browser', () => {
  let site: TestHost
  let browser: Browser

  before(async () => {
    const port = await freePort()
    site = await createTestHost({ services: true, config: { port, url: `http://127.0.0.1:${port}` } })
    await importExport(site)
    for (const [service, settings] of Object.entries(SETTINGS)) {
      const path = `/wp-json/${service}/v1/settings`
      const answer = await site.request(path, { method: 'PUT', as: 'administrator', body: { settings } })
      expect(answer.status, service).to.equal(200)
    }
    const body = { settings: { contentSecurityPolicy: 'enforce' } }
    await site.request('/wp-json/host/v1/settings/host', { method: 'PUT', as: 'administrator', body })
    const text = '<p>Text</p><script>document.title = "attacked"</script><p onclick="attack()">More</p>'
    await site.host.content.posts.insert({ title: 'Attacked', content: text, status: 'publish' })
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  it('blocks nothing of what the theme and the services put into pages', async () => {
    const context = await browser.newContext()
    for (const path of PAGES) {
      // Twice: as it was rendered first, and as the page cache has it.
      for (let visit = 0; visit < 2; visit++) {
        const { page, problems } = await openPage(context)
        await page.goto(site.url + path)
        await readToTheEnd(page)
        expect(
          problems.filter((problem) => /content security policy/i.test(problem)),
          path,
        ).to.deep.equal([])
        await page.close()
      }
    }
    await context.close()
  })

  it('lets the inline data and scripts of the services work', async () => {
    const context = await browser.newContext()
    const { page } = await openPage(context)
    await page.goto(`${site.url}/hello-world/`)
    expect(await page.locator('#ai-helpdesk').count()).to.equal(1)
    await page.waitForFunction('document.querySelector("[class*=helpdesk], [id^=helpdesk], ai-helpdesk") !== null')
    await context.close()
  })

  it('runs no script that is in a post', async () => {
    const context = await browser.newContext()
    const { page, problems } = await openPage(context)
    await page.goto(`${site.url}/attacked/`)
    expect(await page.title()).to.contain('Attacked')
    expect(problems.join('\n')).to.match(/content security policy/i)
    await context.close()
  })
})
