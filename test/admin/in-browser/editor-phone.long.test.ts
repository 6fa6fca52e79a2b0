import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { until } from '../../support/until.ts'
import { type AdminSite, expectAccessible, openAdminSite, settled } from '../admin-site.ts'

/** Of a target for fingers, in pixels. */
const LARGE = 44

describe('The editor on a phone', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite()
    page = await admin.signIn('administrator', '/wp-admin/posts/new', 'phone')
    await text().waitFor()
  })
  after(() => admin?.close())

  const text = () => page.getByRole('textbox', { name: 'Content' })
  const toolbar = () => page.getByRole('toolbar', { name: 'Editor tools' })
  const tool = (name: string) => toolbar().getByRole('button', { name, exact: true })
  const image = () => text().locator('figure img').first()
  const save = () => page.getByRole('button', { name: 'Publish', exact: true })

  async function expectLarge(targets: Locator): Promise<void> {
    const boxes = await Promise.all((await targets.all()).map((target) => target.boundingBox()))
    expect(boxes).to.have.length.above(0)
    for (const box of boxes) {
      expect(box?.width).to.be.at.least(LARGE)
      expect(box?.height).to.be.at.least(LARGE)
    }
  }
  async function expectFits(): Promise<void> {
    await settled(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(390)
  }
  async function add(block: string): Promise<void> {
    await tool('Add block').tap()
    await page.getByPlaceholder('Search blocks').fill(block)
    await page.getByRole('option', { name: block, exact: true }).tap()
  }
  /** Goes on below everything. */
  async function goOn(): Promise<void> {
    await text().focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
  }

  it('has large targets, and tools in one row that scrolls', async () => {
    await page.getByLabel('Title', { exact: true }).fill('On a phone')
    await text().tap()
    await page.keyboard.type('First\n')
    await expectLarge(toolbar().getByRole('button'))
    await expectLarge(page.getByRole('main').getByRole('button'))
    expect((await toolbar().boundingBox())?.height).to.be.below(2 * LARGE)
    await expectFits()
    await expectAccessible(page)
  })

  it('inserts blocks with a slash, and formats and links text', async () => {
    // All at once, before the search has the focus.
    await page.keyboard.type('/head')
    await page.getByRole('option', { name: 'Heading 2' }).waitFor()
    expect(await page.getByPlaceholder('Search blocks').inputValue()).to.equal('head')
    expect(await text().textContent()).not.to.contain('ead')
    await expectLarge(page.getByRole('option'))
    await page.getByRole('option', { name: 'Heading 2' }).tap()
    await page.keyboard.type('Title\nBold')
    await page.keyboard.press('Shift+Home')
    await tool('Bold').tap()
    await tool('Link').tap()
    await page.getByPlaceholder('https://example.com/').fill('https://example.org/')
    await expectFits()
    await page.keyboard.press('Enter')
    await text().locator('a[href="https://example.org/"] strong').waitFor()
    await goOn()
  })

  it('uploads an image, and describes, aligns, and captions it', async () => {
    const buffer = await sharp({ create: { width: 800, height: 500, channels: 3, background: '#36a' } })
      .png()
      .toBuffer()
    await add('Image')
    await page.locator('input[type=file]').first().setInputFiles({ name: 'blue.png', mimeType: 'image/png', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Use this file' }).tap()
    await image().tap()
    await tool('Alternative text').tap()
    await page.getByRole('dialog').getByRole('textbox').fill('A blue area')
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).tap()
    await image().tap()
    await tool('Crop and rotate').tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate left' }).waitFor()
    await expectLarge(page.getByRole('dialog').getByRole('button'))
    await expectFits()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap()
    await image().tap()
    await tool('Alignment').tap()
    await page.getByRole('menuitem', { name: 'Align center' }).waitFor()
    await expectLarge(page.getByRole('menuitem'))
    await page.getByRole('menuitem', { name: 'Align center' }).tap()
    await text().locator('figcaption').first().tap()
    await page.keyboard.type('A caption')
    await expectFits()
    await goOn()
  })

  it('inserts a gallery, columns, and a table, and moves blocks', async () => {
    await add('Gallery')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'blue' }).tap()
    await dialog.getByRole('button', { name: 'bread' }).tap()
    await dialog.getByRole('button', { name: /^Use/ }).tap()
    await goOn()
    await add('Columns')
    await page.keyboard.type('In the first column')
    await text().getByRole('heading', { name: 'Title' }).tap()
    await tool('Move block up').tap()
    await until(async () => (await text().locator('> h2:first-child + p').count()) === 1)
    await goOn()
    await add('Table')
    await page.keyboard.type('Cell')
    await tool('Insert row after').tap()
    await tool('Block settings').tap()
    await expectFits()
    await page.keyboard.press('Escape')
    await expectFits()
  })

  it('previews and publishes, with no message over the buttons', async () => {
    await page.getByRole('button', { name: 'Preview' }).tap()
    await page.frameLocator('iframe').getByRole('heading', { name: 'On a phone' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().tap()
    const message = page.getByText('Saved.', { exact: true })
    await message.waitFor()
    const [below, above] = await Promise.all([save().boundingBox(), message.boundingBox()])
    expect((above?.y ?? 0) + (above?.height ?? 0)).to.be.below(below?.y ?? 0)
    await expectLarge(save())
    await save().tap()
    await page.getByText('Post published.').waitFor()
    const [post] = (await admin.site.host.content.posts.query({ types: ['post'], search: 'On a phone', limit: 1 }))
      .items
    for (const part of ['wp-block-heading', 'A caption', 'aligncenter', 'wp:gallery', 'wp:columns', 'wp:table'])
      expect(post?.content).to.include(part)
    expect(post?.content).to.include('alt="A blue area"')
  })
})
