import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../speed/chromium.ts'
import { launchFirefox } from '../support/firefox.ts'

const CONTENT = `<!-- wp:html -->
<iframe id="wide" width="560" height="315" src="https://www.youtube.com/embed/a" title="A"></iframe>
<iframe id="high" width="450" height="800" src="https://www.youtube.com/embed/b" title="B"></iframe>
<iframe id="full" width="100%" height="480" src="https://www.youtube.com/embed/c" title="C"></iframe>
<iframe id="unit" width="560px" height="300" src="https://www.youtube.com/embed/d" title="D"></iframe>
<iframe id="no-width" height="480" src="https://www.youtube.com/embed/e" title="E"></iframe>
<figure class="wp-block-embed is-type-video"><iframe id="other" width="480" height="360" src="https://videos.youtube.test/f" title="F"></iframe></figure>
<audio id="sound" style="width:600px" controls src="/a.mp3"></audio>
<!-- /wp:html -->

<!-- wp:video -->
<figure class="wp-block-video"><video id="film" controls src="/a.mp4"></video></figure>
<!-- /wp:video -->`

describe('Players', () => {
  let site: TestHost
  let browser: Browser
  before(async () => {
    // With all services: the optimizer must not change the styles.
    site = await createTestHost({ services: true })
    await site.host.content.posts.insert({ title: 'Players', slug: 'players', content: CONTENT, status: 'publish' })
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  /** The post on a screen of that width, and the sizes of its players. */
  async function open(width: number, inBrowser = browser) {
    const page = await inBrowser.newPage({ viewport: { width, height: 844 } })
    await page.route(/youtube/, (route) => route.abort())
    await page.goto(`${site.url}/players/`)
    const size = (id: string) =>
      page.evaluate<{ width: number; height: number }>(
        `(() => { const { width, height } = document.getElementById('${id}').getBoundingClientRect(); return { width, height } })()`,
      )
    return { page, size }
  }

  it('keep their proportions on a phone, and do not make the page wider than the screen', async () => {
    const { page, size } = await open(390)
    const ratio = async (id: string) => {
      const { width, height } = await size(id)
      return (width / height).toFixed(2)
    }
    expect(await ratio('wide')).to.equal('1.78')
    expect(await ratio('high')).to.equal('0.56')
    expect(await ratio('other')).to.equal('1.33')
    expect(await ratio('film')).to.equal('1.78')
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390)
  })

  it('have the height of their HTML if its width is not in pixels', async () => {
    const { size } = await open(1280)
    expect(await size('wide')).to.deep.equal({ width: 560, height: 315 })
    expect((await size('full')).height).to.equal(480)
    expect(await size('unit')).to.deep.equal({ width: 560, height: 300 })
    expect(await size('no-width')).to.deep.equal({ width: 300, height: 480 })
  })

  it('have the size of their HTML in Firefox, which does not calculate with attributes', async () => {
    const firefox = await launchFirefox('light')
    try {
      const { size } = await open(1280, firefox)
      expect(await size('high')).to.deep.equal({ width: 450, height: 800 })
    } finally {
      await firefox.close()
    }
  })
})
