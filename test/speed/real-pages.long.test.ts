import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join, normalize } from 'node:path'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { documentOf } from './document-of.ts'
import { type PageUnderTest, startPage } from './page-under-test.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/real-pages')
const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
const PAGES = FILES.filter((file) => extname(file) === '.html')
const PARTS = FILES.filter((file) => ['.css', '.js', '.jpg'].includes(extname(file)))

/** Everything that changes pages, except what requests files of other sites. */
const ON = {
  ...{ minifyHtml: 'on', minifyCss: 'on', minifyJs: 'on', deferJs: 'on', inlineCriticalCss: 'on', lazyImages: 'on' },
  ...{ imageFormats: ['webp'], preloadLinks: 'on', speculationRules: 'on', fontDisplaySwap: 'on', serviceWorker: 'on' },
}

describe('Twenty real pages', () => {
  let site: PageUnderTest
  let browser: Browser
  let written = ''
  const addresses = new Map<string, string>()

  before(async () => {
    site = await startPage(ON)
    browser = await launchChromium()
    for (const part of PARTS) {
      const content = readFileSync(join(FOLDER, part))
      const name = `real-pages/${part}`
      const isImage = extname(part) === '.jpg'
      addresses.set(part, await (isImage ? site.upload(name, content) : site.themeFile(name, content.toString('utf8'))))
    }
    site.host.host.hooks.addFilter('page_html', (html, page) => (page.path === '/' ? written : html), 20)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  /** The page, with links to the files beside it. */
  function readPage(file: string): string {
    const html = readFileSync(join(FOLDER, file), 'utf8')
    return html.replace(/(\s(?:href|src)=)(["'])([^"']+)\2/g, (whole, start: string, _quote, address: string) => {
      const found = addresses.get(normalize(join(dirname(file), address)))
      return found === undefined ? whole : `${start}"${found}"`
    })
  }

  const get = async (address: string) => (await site.host.get(address)).text()

  /** The optimized page, once nothing is generated for it in the background anymore. */
  async function optimizedPage(): Promise<string> {
    const deadline = Date.now() + 60_000
    for (let before = '', same = 0; ; ) {
      const html = await get('/')
      same = html === before ? same + 1 : 0
      if (same === 10) return html
      if (Date.now() > deadline) throw new Error('The page does not stay the same.')
      before = html
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  it('are there', () => {
    expect(PAGES).to.have.length(20)
    const styled = PAGES.filter((file) => /<link[^>]*\breal-pages\/[^>]*\.css/.test(readPage(file)))
    expect(styled, 'pages with a style sheet').to.have.length(10)
  })

  for (const file of PAGES) {
    it(`${file} is the same document, and looks the same`, async () => {
      written = readPage(file)
      const [original, optimized] = [await get('/?nospeed'), await optimizedPage()]
      expect(optimized).not.to.equal(original)
      const context = await browser.newContext({ javaScriptEnabled: false })
      try {
        const page = await context.newPage()
        await page.route('**/*', (route) =>
          route.request().url().startsWith(site.host.url) ? route.continue() : route.abort(),
        )
        const [before, after] = [await documentOf(page, original, false), await documentOf(page, optimized, true)]
        expect(after.join('\n')).to.equal(before.join('\n'))
        expect(await shown(page, '/')).to.deep.equal(await shown(page, '/?nospeed'))
      } finally {
        await context.close()
      }
    })
  }

  /** The visible text of a page, and the places and styles of its elements. */
  async function shown(page: Page, address: string): Promise<unknown> {
    await page.goto(site.host.url + address)
    return page.evaluate(`(() => {
      const unseen = 'script, style, link, template, noscript, source, picture'
      const boxes = [...document.body.querySelectorAll('*')].filter((one) => !one.matches(unseen)).map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect()
        const { color, backgroundColor, fontFamily, fontSize, opacity, transform } = getComputedStyle(one)
        const place = [x, y, width, height].map((number) => Math.round(number)).join(' ')
        return [one.localName, place, color, backgroundColor, fontFamily, fontSize, opacity, transform].join(' | ')
      })
      return { text: document.body.innerText, boxes }
    })()`)
  }
})
