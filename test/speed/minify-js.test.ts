import { expect } from 'chai'
import { type PageUnderTest, startPage } from './page-under-test.ts'

const LONG = `/* ${'a long note '.repeat(20)} */\n`
const ASSET = /\/wp-content\/uploads\/speed\/assets\/[a-z0-9-]+-[0-9a-f]{16}\.js/

describe('Minified scripts', () => {
  let page: PageUnderTest
  async function served(code: string, attributes = ''): Promise<string> {
    const html = await page.showFinished(
      (text) => ASSET.test(text),
      `<script${attributes} src="${await page.themeFile('main.js', code)}"></script>`,
    )
    const answer = await page.host.get(ASSET.exec(html)?.[0] ?? '')
    expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8')
    return answer.text()
  }
  async function inline(code: string, attributes = ''): Promise<string> {
    return /<script[^>]*>([\s\S]*)<\/script>/.exec(await page.show(`<script${attributes}>${code}</script>`))?.[1] ?? ''
  }
  async function staysAsItIs(markup: string): Promise<void> {
    expect(await page.show(markup)).to.include(markup)
  }

  before(async () => {
    page = await startPage({ minifyJs: 'on' })
  })
  after(() => page.close())

  it('keep names that other scripts may use, and shorten those that none can', async () => {
    const code = await served(
      `${LONG}var shopSettings = { a: 1 }\nfunction openShop(customer) { return customer + shopSettings.a }\nclass Till {}\nconst sum = 1`,
    )
    expect(code)
      .to.match(/var shopSettings\b/)
      .and.match(/function openShop\(\w\)/)
    expect(code)
      .to.match(/class Till\b/)
      .and.match(/const sum\b/)
  })

  it('keep licenses, lose notes', async () => {
    expect(await served(`/*! (c) Ann */\n${LONG}var a = 1`))
      .to.include('(c) Ann')
      .and.not.include('a long note')
  })

  it('of modules stay modules', async () => {
    expect(
      await served(`${LONG}const inModule = await Promise.resolve(1)\nconsole.log(inModule)`, ' type="module"'),
    ).to.match(/await/)
  })

  it('drop the hash of the original', async () => {
    const url = await page.themeFile('sum.js', `${LONG}var a = 1`)
    const html = await page.showFinished(
      (text) => ASSET.test(text),
      `<script integrity="sha384-x" nonce="n" async src="${url}"></script>`,
    )
    expect(html).to.include('nonce="n" async').and.not.include('integrity')
  })

  it('stay where they are when broken, excluded, protected, foreign, or aware of their address', async () => {
    await page.set({ optimizationExclusions: ['keep-me'] })
    const files = {
      'broken.js': `${LONG}function (`,
      'place.js': `${LONG}load(document.currentScript.src)`,
      'parts.js': `${LONG}import('./part.js')`,
      'keep-me.js': `${LONG}var a = 1`,
      'small.js': 'a=1',
    }
    const written = await Promise.all(
      Object.entries(files).map(async ([name, code]) => `<script src="${await page.themeFile(name, code)}"></script>`),
    )
    const modules = [
      `<script type="module" src="${await page.themeFile('module.js', `${LONG}import './part.js'`)}"></script>`,
      `<script type="module" src="${await page.themeFile('shared.js', `${LONG}export const a = 1`)}"></script>`,
    ]
    const others = [
      `<script data-no-optimize src="${await page.themeFile('protected.js', `${LONG}var a = 1`)}"></script>`,
      '<script src="https://other.example/a.js"></script>',
    ]
    const body = [...written, ...modules, ...others].join('\n')
    const marker = `<script src="${await page.themeFile('marker.js', `${LONG}var marker = 1`)}"></script>`
    const html = await page.showFinished((text) => ASSET.test(text), body + marker)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await page.show(body + marker))
      .to.equal(html)
      .and.include(body)
    await page.set({ optimizationExclusions: [] })
  })

  it('in the page get shorter at once', async () => {
    expect(await inline('\n  var total = 1 // one\n  var link = "https://x.example//y"\n')).to.equal(
      'var total=1,link="https://x.example//y";',
    )
    expect(await inline('\n  const a = 1\n  console.log(a)\n', ' type="module"')).to.match(
      /^const \w=1;console\.log\(\w\);$/,
    )
    expect(await inline('var text = `\n  two     lines`  // note'))
      .to.include('\n  two     lines')
      .and.not.include('note')
  })

  it('in the page never end early', async () => {
    const html = await page.show('<script>var a = "<\\/script><b>" + 1  // note</script>')
    expect(html).to.include('"<\\/script>')
    await staysAsItIs('<script>  var a = "<!-- <script>"  </script>')
  })

  it('that are none for a browser stay as they are', async () => {
    for (const [type, text] of [
      ['application/ld+json', '\n{ "@context":  "https://schema.org", "a": [ 1.0,  2 ] }\n'],
      ['application/json', ' { "a":  1 } '],
      ['importmap', ' { "imports":  {} } '],
      ['speculationrules', ' { "prefetch":  [] } '],
      ['text/html', ' <p>  a </p> '],
      ['text/template', ' {{ a   }} '],
      ['text/plain', ' var  a  =  1 '],
    ])
      await staysAsItIs(`<script type="${type}">${text}</script>`)
  })

  it('in the page stay when broken, or when a policy knows them by their hash', async () => {
    await staysAsItIs('<script>function  (</script>')
    const policy = `<meta http-equiv="Content-Security-Policy" content="script-src 'self' 'sha256-abc='">`
    expect(await page.show('<script>var  a  =  1</script>', policy)).to.include('<script>var  a  =  1</script>')
    const header = () => ({ 'Content-Security-Policy': "script-src 'sha256-abc='" })
    page.host.host.hooks.addFilter('wp_headers', header)
    await staysAsItIs('<script>var  a  =  1</script>')
    page.host.host.hooks.removeFilter('wp_headers', header)
  })
})
