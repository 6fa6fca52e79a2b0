import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium, openPage } from '../../speed/chromium.ts'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'
import { type OembedServer, sendJson, startEmbeddingSite, startServer, video } from './oembed-server.ts'

const WIDGET = 'document.querySelector("blockquote").textContent = "The widget ran."'

describe('Embed previews in a real browser', () => {
  let server: OembedServer
  let site: TestHost
  let browser: Browser

  before(async () => {
    server = await startServer((_request, response, asked) => {
      if (asked.pathname === '/videos') return sendJson(response, video(asked, server.origin))
      if (asked.pathname === '/status') {
        const html = `<blockquote>A status</blockquote>\n<script async src="${server.origin}/widget.js"></script>`
        return sendJson(response, { type: 'rich', provider_name: 'Status', title: 'A status of Ann', html })
      }
      if (asked.pathname === '/widget.js') return response.setHeader('Content-Type', 'text/javascript').end(WIDGET)
      response.setHeader('Content-Type', 'text/html').end('<title>Player</title><button>Pause</button>')
    })
    const port = await freePort()
    // With all services: the page cache and the optimizer must not undo it.
    const config = { port, url: `http://127.0.0.1:${port}` }
    site = await startEmbeddingSite(server, ['videos', 'status'], { services: true, config })
    const body = { settings: { contentSecurityPolicy: 'enforce' } }
    await site.request('/wp-json/host/v1/settings/host', { method: 'PUT', as: 'administrator', body })
    const posts = { video: 'https://videos.test/watch/one', status: 'https://status.test/one' }
    for (const [slug, url] of Object.entries(posts)) {
      const content = `<!-- wp:embed -->\n<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${url}\n</div></figure>\n<!-- /wp:embed -->`
      await site.host.content.posts.insert({ title: slug, slug, content, status: 'publish' })
    }
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
    await server?.close()
  })

  /** Requests of browsers: what the site itself asked names a URL. */
  const ofBrowsers = () => server.requests.filter(({ searchParams }) => !searchParams.has('url')).map(String)

  /** The page in a browser, once the site knows the embed; what was cached before that is purged. */
  async function openWithPreview(slug: string, context: BrowserContext): Promise<{ page: Page; problems: string[] }> {
    await until(async () => (await (await site.get(`/${slug}/`)).text()).includes('wp-embed-preview-button'))
    const opened = await openPage(context)
    await opened.page.goto(`${site.url}/${slug}/`, { waitUntil: 'networkidle' })
    return opened
  }

  it('show a cached page that was rendered before the provider answered no longer', async () => {
    await site.get('/video/')
    await until(async () => (await (await site.get('/video/')).text()).includes('wp-embed-preview-button'))
    await until(async () => (await site.get('/video/')).headers.get('x-cache') === 'HIT')
    expect(await (await site.get('/video/')).text()).to.contain('Play video from Videos')
  })

  it('ask the provider for nothing before a click, and for its player after one', async () => {
    const context = await browser.newContext()
    const { page, problems } = await openWithPreview('video', context)
    const button = page.getByRole('button', { name: 'Play video from Videos' })
    expect(await button.isVisible()).to.equal(true)
    expect(await page.getByRole('link', { name: 'The video one' }).getAttribute('href')).to.equal(
      'https://videos.test/watch/one',
    )
    expect(ofBrowsers()).to.deep.equal([])

    // By keyboard: the focus goes on into the player.
    await button.focus()
    await page.keyboard.press('Enter')
    await page.frameLocator('iframe').getByRole('button', { name: 'Pause' }).waitFor()
    expect(ofBrowsers()).to.deep.equal(['http://127.0.0.1/player/one'])
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('IFRAME')
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('run a script of the provider after a click, also under an enforced content security policy', async () => {
    const context = await browser.newContext()
    const asked = ofBrowsers().length
    const { page, problems } = await openWithPreview('status', context)
    expect(ofBrowsers()).to.have.length(asked)
    await page.getByRole('button', { name: 'Load content from Status' }).click()
    await page.getByText('The widget ran.').waitFor()
    expect(ofBrowsers().slice(asked)).to.deep.equal(['http://127.0.0.1/widget.js'])
    expect(problems).to.deep.equal([])
    await context.close()
  })

  it('are a link without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const asked = ofBrowsers().length
    const { page } = await openWithPreview('video', context)
    expect(await page.getByRole('link', { name: 'The video one' }).isVisible()).to.equal(true)
    expect(await page.getByRole('button', { name: 'Play video from Videos' }).count()).to.equal(0)
    expect(ofBrowsers()).to.have.length(asked)
    await context.close()
  })

  it('take nothing that an author without unfiltered_html writes for an embed', async () => {
    const html = '<img src=x onerror="document.title=1">'.replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    const content = `<p><span class="wp-embed-preview"><button type="button">Play</button><template data-html="${html}"></template></span></p>\n\nhttps://videos.test/watch/one`
    const body = { title: 'Forged', slug: 'forged', content, status: 'publish' }
    expect((await site.request('/wp-json/wp/v2/posts', { method: 'POST', as: 'author', body })).status).to.equal(201)
    const context = await browser.newContext()
    const { page } = await openWithPreview('forged', context)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    expect(await page.locator('.wp-embed-loaded').count()).to.equal(0)
    expect(await page.locator('.wp-embed-preview template').count()).to.equal(1)
    await context.close()
  })
})
