import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../speed/chromium.ts'

const CONTENT = `<!-- wp:html -->
<iframe id="wide" width="560" height="315" src="https://www.youtube.com/embed/a" title="A"></iframe>
<iframe id="high" width="450" height="800" src="https://www.youtube.com/embed/b" title="B"></iframe>
<audio id="sound" style="width:600px" controls src="/a.mp3"></audio>
<!-- /wp:html -->

<!-- wp:video -->
<figure class="wp-block-video"><video id="film" controls src="/a.mp4"></video></figure>
<!-- /wp:video -->`

describe('Players on a phone', () => {
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

  it('keep their proportions, and do not make the page wider than the screen', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await page.route(/youtube/, (route) => route.abort())
    await page.goto(`${site.url}/players/`)
    const ratio = (id: string) =>
      page.evaluate<string>(
        `(() => { const { width, height } = document.getElementById('${id}').getBoundingClientRect(); return (width / height).toFixed(2) })()`,
      )
    expect(await ratio('wide')).to.equal('1.78')
    expect(await ratio('high')).to.equal('0.56')
    expect(await ratio('film')).to.equal('1.78')
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390)
  })
})
