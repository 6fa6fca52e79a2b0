import { expect } from 'chai'
import { fetchRemoteFile } from '../../plugins/speed/optimize/files/remote-file.ts'
import { type FontServer, startFontServer } from './font-server.ts'
import { type PageUnderTest, startPage } from './page-under-test.ts'

describe('Fonts', () => {
  let page: PageUnderTest
  let fonts: FontServer
  const link = (path: string) => `<link rel="stylesheet" href="${fonts.url}${path}">`

  before(async () => {
    fonts = await startFontServer()
    page = await startPage({})
    page.host.host.hooks.addFilter('speed_font_hosts', (hosts) => [...hosts, fonts.host])
  })
  after(async () => {
    await page.close()
    await fonts.close()
  })
  afterEach(() => page.set({ fontDisplaySwap: 'off', selfHostFonts: 'off' }))

  describe('shown at once (fontDisplaySwap)', () => {
    beforeEach(() => page.set({ fontDisplaySwap: 'on' }))

    it('says so in a style element, and nowhere where the author says something else', async () => {
      const css = `/* @font-face {} */ .a{content:"@font-face{"} @font-face{font-family:A;src:url(a.woff2)} @media screen{@font-face {font-family:B;font-display:block;src:url(b.woff2)}}`
      expect(await page.show('', `<style>${css}</style>`)).to.include(
        `<style>${css.replace('{font-family:A', '{font-display:swap;font-family:A')}</style>`,
      )
    })

    it('does not for icons, whose names would show', async () => {
      const head = `<style>@font-face{font-family:"Material Icons";src:url(a.woff2)}</style><link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Material+Symbols+Outlined">`
      expect(await page.show('', head)).to.include(head)
    })

    it('asks font services for it', async () => {
      const head = `<link rel="preload" as="style" href="https://fonts.googleapis.com/css?family=A|B:400,700"><link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Inter:wght@400;700&amp;display=block"><link rel="preconnect" href="https://fonts.googleapis.com">`
      expect(await page.show('', head)).to.include(head.replace('400,700"', '400,700&amp;display=swap"'))
    })

    it('writes a copy of a sheet of the site, with its addresses where they led', async () => {
      page.host.host.hooks.addFilter('upload_headers', (headers, path) =>
        path === 'own/site.css' ? { 'Content-Type': 'text/css' } : headers,
      )
      const url = await page.upload(
        'own/site.css',
        '@font-face{font-family:A;src:url("../f/a.woff2") format("woff2")}.b{background:url(b.png)}',
      )
      const html = await page.showFinished(
        (text) => text.includes('/speed/assets/'),
        '',
        `<link rel="stylesheet" href="${url}">`,
      )
      const css = await (await page.host.get(/href="([^"]+site-[^"]+\.css)"/.exec(html)?.[1] ?? '')).text()
      expect(css).to.equal(
        '@font-face{font-display:swap;font-family:A;src:url("/wp-content/uploads/f/a.woff2") format("woff2")}.b{background:url("/wp-content/uploads/own/b.png")}',
      )
    })
  })

  describe('preloaded (fontDisplaySwap)', () => {
    beforeEach(() => page.set({ fontDisplaySwap: 'on' }))

    const face = (family: string, file: string, more = '') =>
      `@font-face{font-family:${family};font-display:swap;src:url(/wp-content/f/${file}.woff2) format("woff2")${more}}`
    const preloads = (html: string) =>
      [...html.matchAll(/<link rel="preload" as="font"[^>]*\/f\/(\w+)\.woff2" crossorigin>/g)].map(([, file]) => file)

    it('are those of the text and of headings, upright, Latin, in the weight that is used', async () => {
      const css = [
        face('Text', 'bold', ';font-weight:700') +
          face('Text', 'italic', ';font-style:italic') +
          face('Text', 'greek', ';unicode-range:U+370-3ff'),
        `${face('Text', 'regular', ';font-weight:400')}${face('Head', 'head', ';font-weight:100 900')}${face('Icons', 'icons')}`,
        'body{font:1rem/1.5 "Text",serif}h1,h2{font-family:Head}.icon{font-family:Icons}',
      ]
      expect(preloads(await page.show('', `<style>${css.join('')}</style>`)).sort()).to.deep.equal(['head', 'regular'])
    })

    it('are omitted if they cannot be determined', async () => {
      const none = [
        `${face('A', 'a')}:root{--f:A}body{font-family:var(--f)}`,
        `${face('A', 'a').replace('src:', 'src:local("A"),')}body{font-family:A}`,
        `${face('A', 'a').replaceAll('/wp-content', 'https://other.example')}body{font-family:A}`,
        `${face('A', 'a')}body{font-family:Arial,A}`,
      ]
      for (const css of none) expect(await page.show('', `<style>${css}</style>`), css).not.to.include('preload')
    })
  })

  describe('of this site itself (selfHostFonts)', () => {
    beforeEach(() => page.set({ selfHostFonts: 'on' }))

    it('takes the sheet of a font service and all its fonts over, once they are here', async () => {
      const head = `<link rel="preconnect" href="${fonts.url}" crossorigin>${link('/css2?family=Inter&amp;display=swap')}`
      expect(await page.show('', head)).to.include(head)
      const html = await page.showFinished((text) => text.includes('<style>'), '', head)
      expect(html).not.to.include(fonts.host)
      expect(html).to.match(
        /font-family: 'Inter'[^}]+font-display: swap;[^}]+src: url\("[^"]+\/greek-[0-9a-f]+\.woff2"\) format\('woff2'\);\s+unicode-range: U\+0370-0377, U\+037A-037F;/,
      )
      const [, latin = ''] = /url\("([^"]+latin-[^"]+)"\)/.exec(html) ?? []
      const answer = await page.host.get(latin)
      expect(answer.headers.get('content-type')).to.equal('font/woff2')
      expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 4)).to.equal('wOF2')
      expect((await page.assets()).filter(({ type }) => type === 'font')).to.have.length(2)
      expect(fonts.asked.filter(({ path }) => path.startsWith('/css2?family=Inter'))).to.have.length(1)
    })

    it('keeps the media of a sheet, and does without what switched it on late', async () => {
      const late = `<link rel="preload" as="style" href="${fonts.url}/css2?family=Late" onload="this.rel='stylesheet'"><noscript>${link('/css2?family=Late')}</noscript>`
      const print = `<link rel="stylesheet" media="print" href="${fonts.url}/css2?family=Print">`
      const html = await page.showFinished((text) => text.split('<style').length === 3, '', late + print)
      expect(html).to.include('<noscript></noscript>').and.include('<style media="print">')
      expect(html).not.to.include('onload')
    })

    it('takes over what a style element of the page names', async () => {
      const css = `@font-face{font-family:A;src:local("A"),url('${fonts.url}/s/own.woff2') format('woff2'),url(${fonts.url}/s/own.ttf) format('truetype')}`
      const html = await page.showFinished((text) => text.includes('/speed/assets/own-'), '', `<style>${css}</style>`)
      expect(html).to.match(
        /src:local\("A"\),url\("\/wp-content\/uploads\/speed\/assets\/own-[0-9a-f]+\.woff2"\) format\('woff2'\)/,
      )
    })

    it('takes over what a style sheet of this site names, in a copy of the sheet', async () => {
      page.host.host.hooks.addFilter('upload_headers', (headers, path) =>
        path === 'own/foreign.css' ? { 'Content-Type': 'text/css' } : headers,
      )
      const css = `@font-face{font-family:B;src:url(${fonts.url}/s/sheet.woff2)}.c{background:url(c.png)}`
      const url = await page.upload('own/foreign.css', css)
      const html = await page.showFinished(
        (text) => text.includes('/speed/assets/foreign-'),
        '',
        `<link rel="stylesheet" href="${url}">`,
      )
      const copy = await page.host.get(/href="([^"]+foreign-[^"]+)"/.exec(html)?.[1] ?? '')
      expect(await copy.text()).to.match(
        /src:url\("\/wp-content\/uploads\/speed\/assets\/sheet-[0-9a-f]+\.woff2"\)\}\.c\{background:url\("\/wp-content\/uploads\/own\/c\.png"\)\}$/,
      )
    })

    it('does not change the page if a font is unavailable, and does not retry for a while', async () => {
      fonts.answer('/s/latin-broken.woff2', (_request, response) => response.writeHead(500).end())
      fonts.answer('/broken', (_request, response) =>
        response.setHeader('Content-Type', 'text/css').end(`@font-face{font-family:X;src:url(/s/latin-broken.woff2)}`),
      )
      const asks = () => fonts.asked.filter(({ path }) => path === '/s/latin-broken.woff2').length
      await page.showFinished(() => asks() === 1, '', link('/broken'))
      for (let round = 0; round < 5; round++) expect(await page.show('', link('/broken'))).to.include(link('/broken'))
      expect(asks()).to.equal(1)
    })

    const refused: Record<string, (url: string) => string> = {
      'is no font': (url) => `@font-face{font-family:X;src:url(${url}/s/page.woff2)}`,
      'is too large': (url) => `@font-face{font-family:X;src:url(${url}/s/huge.woff2)}`,
      'redirects into the network around': (url) => `@font-face{font-family:X;src:url(${url}/s/away.woff2)}`,
    }
    for (const [reason, css] of Object.entries(refused)) {
      it(`uses nothing that ${reason}`, async () => {
        fonts.answer('/s/page.woff2', (_request, response) =>
          response.setHeader('Content-Type', 'font/woff2').end('<html>'),
        )
        fonts.answer('/s/huge.woff2', (_request, response) =>
          response.setHeader('Content-Type', 'font/woff2').end(Buffer.alloc(6 * 1024 * 1024, 'wOF2')),
        )
        fonts.answer('/s/away.woff2', (_request, response) =>
          response.writeHead(302, { Location: 'http://169.254.169.254/latest' }).end(),
        )
        const [path = ''] = /\/s\/\w+\.woff2/.exec(css(fonts.url)) ?? []
        const style = `<style>${css(fonts.url)}</style>`
        await page.showFinished(() => fonts.asked.some((request) => request.path === path), '', style)
        expect(await page.show('', style)).to.include(style)
      })
    }
  })

  describe('fetched from other hosts', () => {
    const ask = (url: string) => fetchRemoteFile(url, { types: /./, signal: AbortSignal.timeout(5000) })
    const fails = async (url: string, reason: RegExp) => {
      const error = await ask(url).then(
        () => undefined,
        (refusal) => refusal,
      )
      expect(error, url).to.be.instanceOf(Error)
      expect(error.message).to.match(reason)
    }

    it('never asks this machine or its network, however the address is written', async () => {
      const { port } = new URL(fonts.url)
      const before = fonts.asked.length
      for (const host of [
        '127.0.0.1',
        '2130706433',
        '0x7f.1',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '10.0.0.1',
        '169.254.169.254',
        '[fd00::1]',
      ])
        await fails(`https://${host}:${port}/s/a.woff2`, /not public/)
      await fails('https://localhost/s/a.woff2', /not public/)
      await fails(`https://localhost:${port}/s/a.woff2`, /port \d+ is not allowed/)
      expect(fonts.asked.length).to.equal(before)
    })

    it('asks over TLS only, and sends no credentials', async () => {
      await fails('http://fonts.example/a.woff2', /does not use HTTPS/)
      await fails('https://user:word@fonts.example/a.woff2', /username or password/)
      await fails('file:///etc/passwd', /does not use HTTPS/)
    })
  })
})
