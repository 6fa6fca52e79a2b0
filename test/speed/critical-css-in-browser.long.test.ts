import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, layoutShifts } from './chromium.ts'

const CONTENT = `<p class="has-large-font-size">One <code>two</code> <a href="/">three</a></p>
<figure class="wp-block-table"><table><tr><th>a</th><td>b</td></tr></table><figcaption>c</figcaption></figure>
<blockquote class="wp-block-quote"><p>d</p><cite>e</cite></blockquote>
<div class="wp-block-columns"><div class="wp-block-column"><ul><li>f</li></ul></div><div class="wp-block-column"><pre>g</pre></div></div>
<details><summary>h</summary>i</details><hr><p><button>j</button></p>`

describe('A page with critical CSS in a browser', () => {
  let site: TestHost
  let browser: Browser
  /** The address of the sheet at the end of the body. */
  let sheet: string

  /** A page whose whole sheet comes when it is let in. */
  async function open(javaScriptEnabled: boolean): Promise<{ page: Page; letIn: () => Promise<void> }> {
    const context = await browser.newContext({ javaScriptEnabled, reducedMotion: 'reduce' })
    const page = await context.newPage()
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    await page.route(`**${sheet}`, async (route) => {
      await opened
      await route.continue()
    })
    await page.goto(`${site.url}/rich/`, { waitUntil: 'commit' })
    await page.locator('footer').waitFor({ state: 'visible' })
    return {
      page,
      async letIn() {
        const arrived = page.waitForLoadState('load')
        open()
        await arrived
      },
    }
  }

  before(async () => {
    site = await createTestHost({ extensions: [join(import.meta.dirname, '../../plugins/speed')] })
    const author = await site.host.auth.users.create({ login: 'ann', roles: ['author'] })
    await site.host.content.posts.insert({
      title: 'Rich',
      slug: 'rich',
      content: CONTENT,
      status: 'publish',
      authorId: author.id,
    })
    const deadline = Date.now() + 20_000
    for (sheet = ''; sheet === ''; ) {
      const html = await (await site.get('/rich/')).text()
      sheet =
        /<style>[\s\S]*<link rel="stylesheet" href="(\/wp-content\/uploads\/speed\/assets\/style-[^"]*)"/.exec(
          html,
        )?.[1] ?? ''
      if (Date.now() > deadline) expect.fail(`The page never had its critical CSS: ${html}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  it('looks the same before and after the whole sheet is there, and nothing moves', async () => {
    const { page, letIn } = await open(true)
    const before = await page.screenshot({ fullPage: true })
    await letIn()
    const after = await page.screenshot({ fullPage: true })
    expect(before.equals(after)).to.equal(true)
    expect(await layoutShifts(page)).to.be.at.most(0.01)
  })

  it('has the whole sheet in the end, for what scripts do later', async () => {
    const { page, letIn } = await open(true)
    const hasRule = () => page.evaluate(`[...document.styleSheets].some((sheet) => sheet.href?.includes('/style-'))`)
    await letIn()
    expect(await hasRule()).to.equal(true)
  })

  it('needs no scripts', async () => {
    const { page, letIn } = await open(false)
    const before = await page.screenshot({ fullPage: true })
    await letIn()
    expect(before.equals(await page.screenshot({ fullPage: true }))).to.equal(true)
  })

  it('leaves no thread behind', async () => {
    await site.expectNoLeaks('speed')
  })
})
