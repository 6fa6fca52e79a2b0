import { existsSync } from 'node:fs'
import { appendFile, readdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { mock } from 'node:test'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { type PageUnderTest, startPage } from './page-under-test.ts'

const SPEED = join(import.meta.dirname, '../../plugins/speed')
const CODE = 'var   total  =  1 // note'
const SHEET = `a { color: red } ${'\n/* a note */ '.repeat(40)}`
const ASSET = /\/wp-content\/uploads\/speed\/assets\/[a-z0-9-]+-[0-9a-f]{16}\.css/

describe('The optimizer', () => {
  let page: PageUnderTest
  const get = async (path: string) => (await page.host.get(path)).text()

  before(async () => {
    page = await startPage({ minifyHtml: 'on', minifyJs: 'on', minifyCss: 'on' })
  })
  after(() => page.close())

  it('follows the setting of each part', async () => {
    const markup = `<p>a   b</p><script>${CODE}</script>`
    expect(await page.show(markup)).to.include('<p>a b</p><script>var total=1;</script>')
    await page.set({ minifyJs: 'off' })
    expect(await page.show(markup)).to.include(`<p>a b</p><script>${CODE}</script>`)
    await page.set({ minifyJs: 'on', minifyHtml: 'off' })
    expect(await page.show(markup)).to.include('<p>a   b</p><script>var total=1;</script>')
    await page.set({ minifyHtml: 'on' })
  })

  it('leaves what data-no-optimize marks alone, and all within', async () => {
    const markup = `<div data-no-optimize><p>a   b</p><script>${CODE}</script><style>a  { b : c }</style></div>`
    expect(await page.show(`${markup}<p>c   d</p>`)).to.include(`${markup}<p>c d</p>`)
    const root = `<html data-no-optimize><body><p>a   b</p></body></html>`
    const whole = () => root
    page.host.host.hooks.addFilter('page_html', whole, 20)
    expect(await get('/')).to.equal(root)
    page.host.host.hooks.removeFilter('page_html', whole, 20)
  })

  it('leaves inline code alone that an owner excluded', async () => {
    await page.set({ optimizationExclusions: ['total'] })
    expect(await page.show(`<script>${CODE}</script><script>var  other = 1</script>`)).to.include(
      `<script>${CODE}</script><script>var other=1;</script>`,
    )
    await page.set({ optimizationExclusions: [] })
  })

  it('does not change or cache a page requested with ?nospeed', async () => {
    await page.show('<p>a   b</p>')
    const answer = await page.host.get('/?nospeed')
    expect(await answer.text()).to.include('<p>a   b</p>')
    expect(answer.headers.get('cache-control')).to.equal('private, no-store')
  })

  it('leaves pages alone that take more to read than all visitors together have time for', async () => {
    const small: Record<string, string> = { elements: '<i>x</i>'.repeat(20_000), depth: '<i>'.repeat(500) }
    for (const [name, markup] of Object.entries(small))
      expect(await page.show(`<p>a   b</p>${markup}`), name).to.include('<p>a b</p>')
    const attributes = Array.from({ length: 60_000 }, (_, number) => `data-a${number}`).join(' ')
    const large: Record<string, string> = {
      elements: '<i>x</i>'.repeat(60_000),
      attributes: `<i ${attributes}></i>`,
      depth: '<i>'.repeat(150_000),
      'depth with its ends': `${'<i>'.repeat(50_000)}${'<img src=a></x>'.repeat(20_000)}`,
    }
    for (const [name, markup] of Object.entries(large))
      expect(await page.show(`<p>a   b</p>${markup}`), name).to.include('<p>a   b</p>')
  })

  it('asks the site for a limited number of files on behalf of one page', async () => {
    await page.set({ lazyImages: 'on', imageFormats: ['webp'] })
    let renderings = 0
    const count = () => void renderings++
    page.host.host.hooks.addAction('template_redirect', count)
    const images = Array.from({ length: 1000 }, (_, number) => `<img src="/wp-content/${number}.png">`).join('')
    const html = await page.show(`<p>a   b</p>${images}`)
    expect(html).to.include('<p>a b</p>').and.to.include('/wp-content/999.png')
    expect(renderings).to.be.within(2, 250)
    page.host.host.hooks.removeAction('template_redirect', count)
    await page.set({ lazyImages: 'off', imageFormats: [] })
  })

  it('leaves feeds and AMP pages alone', async () => {
    expect((await page.host.get('/feed/')).status).to.equal(200)
    const amp = '<!doctype html><html ⚡><head></head><body><p>a   b</p></body></html>'
    const filter = () => amp
    page.host.host.hooks.addFilter('page_html', filter, 20)
    expect(await get('/')).to.equal(amp)
    page.host.host.hooks.removeFilter('page_html', filter, 20)
  })

  it('leaves nothing behind', async () => {
    await page.host.expectNoLeaks('speed')
  })
})

describe('Optimized files', () => {
  let page: PageUnderTest
  let head: string
  let source: string
  const shown = async (text = head) => page.showFinished((html) => ASSET.test(html), '', text)
  const assetOf = (html: string) => ASSET.exec(html)?.[0] ?? ''
  const folder = () => join(page.host.host.config.siteDir, 'uploads/speed/assets')
  const purgeEverything = async () => {
    const answer = await page.host.request('/wp-json/speed/v1/purge-everything-and-preload', {
      method: 'POST',
      as: 'administrator',
    })
    expect(answer.status, await answer.text()).to.equal(200)
  }

  beforeEach(async () => {
    page = await startPage({ minifyCss: 'on' })
    source = await page.themeFile('main.css', SHEET)
    head = `<link rel="stylesheet" href="${source}">`
  })
  afterEach(() => page.close())

  it('are removed after a purge is recorded, which is recorded once more', async () => {
    const file = join(folder(), basename(assetOf(await shown())))
    const isThere: boolean[] = []
    page.host.host.hooks.addAction('pages_purged', ({ scope }) => {
      if (scope === 'everything') isThere.push(existsSync(file))
    })
    await purgeEverything()
    expect(isThere).to.deep.equal([true, false])
  })

  it('are listed with what they save', async () => {
    const url = assetOf(await shown())
    const [asset] = await page.assets()
    expect(asset).to.deep.equal({ url, type: 'css', originalSize: SHEET.length, size: 12, savings: 98 })
  })

  it('are made once for many pages that want them at the same moment', async () => {
    await Promise.all(Array.from({ length: 30 }, () => page.show('', head)))
    await shown()
    expect(await readdir(folder())).to.have.length(1)
  })

  it('are still known after a restart, also when the last note about them was cut off', async () => {
    const url = assetOf(await shown())
    await appendFile(join(page.host.host.config.siteDir, 'cache/assets.jsonl'), '\n{"key":"css 1 cut o')
    await page.host.reload('speed')
    // At once: nothing has to be made.
    expect(assetOf(await page.show('', head))).to.equal(url)
    const other = `<link rel="stylesheet" href="${await page.themeFile('other.css', `${SHEET}b { color: red }`)}">`
    await shown(other)
    await page.host.reload('speed')
    expect(await page.show('', head + other)).not.to.include('/themes/')
  })

  it('that were removed redirect pages of other caches to the source', async () => {
    const url = assetOf(await shown())
    await purgeEverything()
    expect(await page.assets()).to.deep.equal([])
    expect(await readdir(folder())).to.deep.equal([])
    await page.host.reload('speed')
    const answer = await page.host.get(url)
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([302, source])
    expect(answer.headers.get('cache-control')).to.equal('no-store')
    expect((await page.host.get(url.replace(/-[0-9a-f]{16}/, `-${'0'.repeat(16)}`))).status).to.equal(404)
    expect(assetOf(await shown())).to.equal(url)
    expect((await page.host.get(url)).status).to.equal(200)
  })

  it('that were deleted redirect to the source, and are recreated', async () => {
    const url = assetOf(await shown())
    await rm(join(folder(), url.split('/').at(-1) ?? ''))
    expect((await page.host.get(url)).headers.get('location')).to.equal(source)
    await shown()
    expect((await page.host.get(url)).status).to.equal(200)
  })

  it('are deleted when no page has used them for two months, and unknown files after a day', async () => {
    const url = assetOf(await shown())
    const files = async () => (await readdir(folder())).sort()
    const later = async (days: number) => {
      mock.timers.enable({ apis: ['Date'], now: Date.now() + days * 86_400_000 })
      await page.host.host.jobs.runDue()
      mock.timers.reset()
    }
    await writeFile(join(folder(), 'orphan.css'), 'a')
    await later(2)
    expect(await files()).to.deep.equal([url.split('/').at(-1)])
    await later(61)
    expect(await files()).to.deep.equal([])
    expect((await page.host.get(url)).headers.get('location')).to.equal(source)
  })

  it('are the only files served: the folder serves nothing else that a browser executes', async () => {
    await shown()
    for (const name of ['x.js', 'main.css', 'a-0123456789abcdef.html', 'a-0123456789abcdef.svg', '../assets.jsonl'])
      expect((await page.host.get(`/wp-content/uploads/speed/assets/${name}`)).status, name).to.equal(404)
  })
})

describe('A cached page', () => {
  let site: TestHost

  before(async () => {
    site = await createTestHost({ extensions: [SPEED] })
  })
  after(() => site.close())

  it('is served immediately, and with its optimized files as soon as they exist', async () => {
    const first = await site.get('/hello-world/')
    expect(first.headers.get('x-cache')).to.equal('MISS')
    expect(await first.text()).to.include('/themes/default/style.css')
    const deadline = Date.now() + 15_000
    for (;;) {
      const answer = await site.get('/hello-world/')
      const html = await answer.text()
      if (answer.headers.get('x-cache') === 'HIT' && ASSET.test(html) && html.includes('<style>')) break
      if (Date.now() > deadline) expect.fail(`The page was never refreshed: ${html}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const overview = await site.get('/wp-json/speed/v1/optimized-pages/fetch', { as: 'administrator' })
    expect(await overview.text())
      .to.match(/"inlineCriticalCss"/)
      .and.match(/"minifyCss"/)
  })
})
