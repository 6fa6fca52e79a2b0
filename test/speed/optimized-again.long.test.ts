import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { z } from 'zod'
import { until } from '../support/until.ts'
import { openImportedSite } from './imported-site.ts'
import { OPTIMIZER_OFF } from './optimizer-off.ts'
import { type PageUnderTest, startPage } from './page-under-test.ts'
import { jpeg } from './pictures.ts'

const overview = z.object({ data: z.object({ optimizer: z.object({ waiting: z.int() }) }) })
const ALL_ON = {
  ...{ minifyHtml: 'on', minifyCss: 'on', minifyJs: 'on', deferJs: 'on', inlineCriticalCss: 'on', lazyImages: 'on' },
  ...{ imageFormats: ['webp'], fontDisplaySwap: 'on', selfHostFonts: 'on', preloadLinks: 'on', speculationRules: 'on' },
}

describe('A page that was optimized before', () => {
  let page: PageUnderTest

  before(async () => {
    page = await startPage({ minifyHtml: 'on', lazyImages: 'on', fontDisplaySwap: 'on', speculationRules: 'on' })
  })
  after(() => page.close())

  it('is not optimized again while nothing that it depends on changed', async () => {
    const { hooks } = page.host.host
    let calls = 0
    const count = (hosts: readonly string[]) => {
      calls++
      return hosts
    }
    hooks.addFilter('speed_font_hosts', count)
    const links = ['a', 'b', 'c'].map((name) => `<link rel="icon" href="https://elsewhere.test/${name}">`).join('')
    const first = await page.show('<p>a   b</p>', links)
    expect(calls).to.equal(3)
    expect(await page.show('<p>a   b</p>', links)).to.equal(first)
    expect(calls).to.equal(4)
    expect(await page.show('<p>a   c</p>', links)).to.include('<p>a c</p>')
    expect(calls).to.equal(7)
    hooks.removeFilter('speed_font_hosts', count)
  })

  it('follows filters', async () => {
    const { hooks } = page.host.host
    const images = '<img src="/a.png" width="900" height="900">'.repeat(5)
    const lazyOnes = async () => (await page.show(images)).split('loading="lazy"').length - 1
    expect(await lazyOnes()).to.equal(2)
    const one = () => 1
    hooks.addFilter('wp_omit_loading_attr_threshold', one)
    expect(await lazyOnes()).to.equal(4)
    hooks.removeFilter('wp_omit_loading_attr_threshold', one)
    expect(await lazyOnes()).to.equal(2)

    const closed = () => null
    expect(await page.show(images)).to.include('speculationrules')
    hooks.addFilter('wp_speculation_rules_configuration', closed)
    expect(await page.show(images)).to.not.include('speculationrules')
    hooks.removeFilter('wp_speculation_rules_configuration', closed)
  })

  it('follows the files in it, even if one appears only later', async () => {
    const markup = '<img src="/wp-content/uploads/later.jpg">'
    expect(await page.show(markup)).to.not.include('width=')
    await page.upload('later.jpg', await jpeg(40, 30))
    await page.showFinished((html) => html.includes('width="40" height="30"'), markup)
    await page.upload('later.jpg', await jpeg(50, 30))
    await page.showFinished((html) => html.includes('width="50" height="30"'), markup)
  })

  describe('for a missing URL', () => {
    let markup = ''
    const add = (html: string, { status }: { readonly status: number }) =>
      status === 404 ? `<!doctype html><html><head><title>Missing</title>${markup}</head><body></body></html>` : html
    const get = async (path: string) => {
      const answer = await page.host.get(path)
      expect(answer.status).to.equal(404)
      return answer.text()
    }

    before(() => page.host.host.hooks.addFilter('page_html', add))
    after(() => page.host.host.hooks.removeFilter('page_html', add))

    it('is not optimized again for another one', async () => {
      const { hooks } = page.host.host
      let calls = 0
      const count = (hosts: readonly string[]) => {
        calls++
        return hosts
      }
      hooks.addFilter('speed_font_hosts', count)
      markup = ['a', 'b', 'c'].map((name) => `<link rel="icon" href="https://elsewhere.test/${name}">`).join('')
      const first = await get('/missing/')
      expect(calls).to.be.above(2)
      calls = 0
      expect(await get('/deep/missing/?page=2')).to.equal(first)
      expect(calls).to.equal(1)
      hooks.removeFilter('speed_font_hosts', count)
    })

    it('is optimized for its own URL if an address is relative', async () => {
      const font = '@font-face{font-family:own;src:url(../own.woff2) format("woff2")}body{font-family:own}'
      markup = `<style>${font}</style>`
      const preloaded = async (path: string) => /<link [^>]*as="?font[^>]*>/.exec(await get(path))?.[0]
      expect(await preloaded('/missing/')).to.match(/href="?\/own\.woff2/)
      expect(await preloaded('/deep/missing/')).to.match(/href="?\/deep\/own\.woff2/)
    })
  })

  it('marks its scripts each time, and sends no mark', async () => {
    const { hooks } = page.host.host
    const marks: boolean[] = []
    const read = (html: string, { scriptNonce }: { readonly scriptNonce: string }) => {
      marks.push(new RegExp(`<script type="speculationrules" nonce="?${scriptNonce}`).test(html))
      return html
    }
    hooks.addFilter('page_html', read, 2000)
    const sent = [await page.show('<p>nonce</p>'), await page.show('<p>nonce</p>')]
    hooks.removeFilter('page_html', read, 2000)
    expect(marks).to.deep.equal([true, true])
    for (const html of sent) expect(html).to.include('speculationrules').and.not.include('nonce=')
  })
})

describe('Pages of an imported site that were optimized before', () => {
  let site: TestHost

  before(async () => {
    site = await openImportedSite({ ...OPTIMIZER_OFF, ...ALL_ON })
  })
  after(() => site.close())

  it('are the same as if they were optimized again', async () => {
    const { hooks, content } = site.host
    const { items } = await content.posts.query({ types: ['post', 'page'], limit: 100 })
    const paths = ['/', '/?s=the', '/missing/', ...items.map((post) => new URL(content.link(post)).pathname)]
    const get = async (path: string) => (await site.get(path)).text()
    const waiting = async () => {
      const answer = await site.get('/wp-json/speed/v1/cache-overview/fetch', { as: 'administrator' })
      return overview.parse(await answer.json()).data.optimizer.waiting
    }
    // Files that are missing are generated in the background; a finished one may need another.
    do {
      await until(async () => (await waiting()) === 0)
      for (const path of paths) await get(path)
    } while ((await waiting()) > 0)
    let number = 0
    // Another value, which no page depends on.
    hooks.addFilter('speed_font_hosts', (hosts) => [...hosts, `font${number}.test`])
    for (const path of paths) {
      const before = await get(path)
      expect(await get(path), path).to.equal(before)
      number++
      expect(await get(path), path).to.equal(before)
    }
  })
})
