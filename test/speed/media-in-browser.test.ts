import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { type PageUnderTest, startPage } from './page-under-test.ts'
import { jpeg } from './pictures.ts'

/** Layouts in which one more element could show: flow, flex, grid, float, absolute. */
const LAYOUTS = (image: string) => `
  <p>Text ${image} text</p><figure>${image}<figcaption>Caption</figcaption></figure>
  <div style="display:flex;gap:9px;width:500px">${image}${image}<span>after</span></div>
  <div style="display:grid;grid-template-columns:1fr 2fr;width:500px">${image}${image}</div>
  <div style="position:relative;height:200px">${image.replace('<img', '<img style="position:absolute;inset:0;width:100%;height:100%"')}</div>
  <a href="/about/">${image.replace('<img', '<img style="float:right;width:30%"')}</a><p>End</p>`

describe('Images and links in a browser', () => {
  let page: PageUnderTest
  let browser: Browser
  let tab: Page

  before(async () => {
    page = await startPage({})
    browser = await launchChromium()
    tab = await browser.newPage()
  })
  after(async () => {
    await browser.close()
    await page.close()
  })

  /** Where every element of the body but pictures stands. */
  async function boxes(): Promise<string> {
    await tab.goto(page.host.url, { waitUntil: 'load' })
    return tab.evaluate(`JSON.stringify([...document.querySelectorAll('body *')]
      .filter(({ localName }) => !['picture', 'source', 'script'].includes(localName))
      .map((element) => [element.localName, ...Object.values(element.getBoundingClientRect().toJSON()).map(Math.round)]))`)
  }

  it('shows a page with other formats and sizes as it was', async () => {
    const photo = await page.upload('photo.jpg', await jpeg(320, 240))
    const body = LAYOUTS(`<img src="${photo}">`)
    const head = '<style>img{max-width:100%} figure img{width:50%}</style>'
    await page.show(body, head)
    const before = await boxes()
    await page.set({ imageFormats: ['avif', 'webp'], lazyImages: 'on' })
    await page.showFinished((html) => html.includes('</picture>') && html.includes('data-sized'), body, head)
    expect(await boxes()).to.equal(before)
    const shown = await tab.evaluate<string>('document.images[0].currentSrc')
    expect(shown).to.match(/\/speed\/assets\/photo-[0-9a-f]+\.(?:avif|webp)$/)
    await page.set({ imageFormats: [], lazyImages: 'off' })
  })

  it('makes room for an image before it is there', async () => {
    const photo = await page.upload('slow.jpg', await jpeg(320, 240))
    await page.set({ lazyImages: 'on' })
    await page.show(`<img src="${photo}"><p id="below">Below</p>`, '<style>img{display:block;width:160px}</style>')
    await tab.route('**/slow.jpg', (route) => void setTimeout(() => route.abort(), 2000))
    await tab.goto(page.host.url, { waitUntil: 'commit' })
    await tab.waitForSelector('#below')
    expect(await tab.evaluate<number>('document.images[0].getBoundingClientRect().height')).to.equal(120)
    await tab.unroute('**/slow.jpg')
    await page.set({ lazyImages: 'off' })
  })

  it('fetches a page when its link is pointed at, and nothing else', async () => {
    await page.set({ preloadLinks: 'on' })
    const links = ['/sample-page/', '/?s=x', '/wp-login.php', '/wp-json/', '/file.zip', 'https://other.example/']
    const body = `${links.map((path, at) => `<p><a id="a${at}" href="${path}">${path}</a></p>`).join('')}
      <p><a id="a6" rel="nofollow" href="/hello-world/">n</a></p><p class="no-prefetch"><a id="a7" href="/about/">p</a></p>`
    await page.showFinished((html) => html.includes('/links.'), body)
    const asked: string[] = []
    tab.on('request', (request) => asked.push(request.url()))
    await tab.goto(page.host.url, { waitUntil: 'load' })
    for (const at of [7, 6, 5, 4, 3, 2, 1]) {
      await tab.hover(`#a${at}`)
      await tab.waitForTimeout(150)
    }
    expect(asked.filter((url) => !url.includes('/speed/'))).to.deep.equal([`${page.host.url}/`])
    const fetched = tab.waitForRequest(`${page.host.url}/sample-page/`)
    await tab.hover('#a0')
    expect((await (await fetched).allHeaders())['sec-purpose']).to.equal('prefetch')
  })

  it('leaves it to browsers that know speculation rules', async () => {
    await page.set({ preloadLinks: 'on', speculationRules: 'on' })
    await page.showFinished((html) => html.includes('/links.'), '<a id="a" href="/sample-page/">A</a>')
    await tab.goto(page.host.url, { waitUntil: 'load' })
    await tab.hover('#a')
    await tab.waitForTimeout(300)
    expect(await tab.evaluate<number>(`document.querySelectorAll('link[rel="prefetch"]').length`)).to.equal(0)
  })
})
