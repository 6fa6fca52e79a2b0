import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../speed/chromium.ts'
import { freePort } from '../support/free-port.ts'

const image = (name: string) =>
  `<!-- wp:image -->\n<figure class="wp-block-image"><img src="/${name}.png" alt="${name}" width="400" height="300"/>${name === 'one' ? '<figcaption class="wp-element-caption">A caption</figcaption>' : ''}</figure>\n<!-- /wp:image -->`
const gallery = (columns: string, names: readonly string[]) =>
  `<!-- wp:gallery {"linkTo":"none"} -->\n<figure class="wp-block-gallery has-nested-images columns-${columns}">${names.map(image).join('\n\n')}</figure>\n<!-- /wp:gallery -->`
const column = (text: string) =>
  `<!-- wp:column -->\n<div class="wp-block-column"><!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph --></div>\n<!-- /wp:column -->`
const columns = (name: string, attributes: string, classes: string) =>
  `<!-- wp:columns${attributes} -->\n<div class="wp-block-columns${classes}">${column(`${name} left`)}\n\n${column(`${name} right`)}</div>\n<!-- /wp:columns -->`
const FILE =
  '<!-- wp:file {"href":"/a.pdf"} -->\n<div class="wp-block-file"><a href="/a.pdf">A report</a><a href="/a.pdf" class="wp-block-file__button wp-element-button" download>Download</a></div>\n<!-- /wp:file -->'

describe('Blocks in the default theme, in a browser', () => {
  let site: TestHost
  let browser: Browser
  let page: Page

  before(async () => {
    const port = await freePort()
    site = await createTestHost({ config: { port, url: `http://127.0.0.1:${port}` } })
    const content = [
      gallery('default is-cropped', ['one', 'two']),
      gallery('2', ['three', 'four', 'five']),
      columns('Stacked', '', ''),
      columns('Kept', ' {"isStackedOnMobile":false}', ' is-not-stacked-on-mobile'),
      FILE,
    ].join('\n\n')
    await site.host.content.posts.insert({ title: 'Blocks', slug: 'blocks', content, status: 'publish' })
    browser = await launchChromium()
    page = await browser.newPage()
    await page.route('**/*.png', (route) =>
      route.fulfill({
        contentType: 'image/svg+xml',
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>',
      }),
    )
    await page.goto(`${site.url}/blocks/`)
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  /** Where an element is, in a window of that width. */
  async function boxes(width: number, one: string, other: string) {
    await page.setViewportSize({ width, height: 900 })
    const box = async (selector: string) => {
      const found = await page.locator(selector).first().boundingBox()
      if (!found) throw new Error(`${selector} is not shown.`)
      return { ...found, right: found.x + found.width, bottom: found.y + found.height }
    }
    return [await box(one), await box(other)] as const
  }

  it('galleries show their images next to each other, in the width of the text', async () => {
    const [one, two] = await boxes(1280, 'img[alt="one"]', 'img[alt="two"]')
    expect(two.y).to.equal(one.y)
    expect(two.x).to.be.above(one.right)
    expect(two.width).to.be.closeTo(one.width, 1)
    const [whole] = await boxes(1280, '.wp-block-gallery', '.wp-block-gallery')
    expect(two.right).to.be.closeTo(whole.right, 1)
    const [three, five] = await boxes(1280, 'img[alt="three"]', 'img[alt="five"]')
    expect([five.x, five.y > three.bottom]).to.deep.equal([three.x, true])
    const [, four] = await boxes(1280, 'img[alt="three"]', 'img[alt="four"]')
    expect(four.y).to.equal(three.y)
  })

  it('galleries show squares only if their images are cropped', async () => {
    const [one, three] = await boxes(1280, 'img[alt="one"]', 'img[alt="three"]')
    expect(one.height).to.be.closeTo(one.width, 1)
    expect(three.height).to.be.closeTo((three.width * 3) / 4, 1)
  })

  it('columns are stacked on phones, unless they should not be', async () => {
    const [wideLeft, wideRight] = await boxes(1280, 'text=Stacked left', 'text=Stacked right')
    expect(wideRight.y).to.equal(wideLeft.y)
    const [left, right] = await boxes(390, 'text=Stacked left', 'text=Stacked right')
    expect(right.y).to.be.above(left.bottom)
    const [keptLeft, keptRight] = await boxes(390, 'text=Kept left', 'text=Kept right')
    expect(keptRight.y).to.equal(keptLeft.y)
  })

  it('the button of a file stands beside its name', async () => {
    const [name, button] = await boxes(1280, '.wp-block-file a:not([download])', '.wp-block-file a[download]')
    expect(button.x).to.be.above(name.right + 4)
  })
})
