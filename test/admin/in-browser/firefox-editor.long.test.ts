import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { enter, launchFirefox } from '../../support/firefox.ts'
import { until } from '../../support/until.ts'
import { type AdminSite, expectAccessible, openAdminSite } from '../admin-site.ts'

const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`
const SALT = paragraph('Salt, <em>salt</em>, and more Salt.')
/** As no editor would write it: only blocks that are left alone keep their form. */
const ODD =
  '<!-- wp:paragraph   {"align":"center"} -->\n<p   class="has-text-align-center">Pepper</p>\n<!-- /wp:paragraph -->'
const HEADING = '<!-- wp:heading -->\n<h2 class="wp-block-heading">Salt mines</h2>\n<!-- /wp:heading -->'
/** Of 800 samples, a tenth of a second. */
const WAV_HEADER = 'UklGRkQDAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YSADAAA='
const CONTENT = [SALT, ODD, HEADING].join('\n\n')

describe('The editor in Firefox', () => {
  let admin: AdminSite
  let page: Page
  let postId = 0
  before(async () => {
    admin = await openAdminSite({ launch: () => launchFirefox('light') })
    page = await admin.signIn()
    page.on('dialog', (dialog) => void dialog.accept())
  })
  after(() => admin?.close())

  const text = () => page.getByRole('textbox', { name: 'Content', exact: true })
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const stored = () => admin.site.host.content.posts.get(postId)
  /** Opens a new post. */
  async function open(content = CONTENT): Promise<void> {
    const { id } = await admin.site.host.content.posts.insert({ title: 'Salt', content, status: 'draft', authorId: 1 })
    postId = id
    await page.goto(`${admin.site.url}/wp-admin/posts/${id}`)
    await text().waitFor()
  }
  async function saved(): Promise<string> {
    await page.keyboard.press('Control+s')
    await page.getByText(/^Saved /).waitFor()
    return (await stored())?.content ?? ''
  }
  /** Goes on in the empty line at the end. */
  async function goToEnd(): Promise<void> {
    await text().focus()
    await page.keyboard.press('Control+End')
    await page.locator('.ProseMirror > p[data-placeholder^="Type /"]').waitFor()
  }
  async function insert(block: string): Promise<void> {
    await page.locator('.ProseMirror > p[data-placeholder^="Type /"]').waitFor()
    await typeBlock(block)
  }
  async function typeBlock(block: string): Promise<void> {
    await page.keyboard.type(`/${block}`)
    await page.getByRole('option', { name: block, exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Search blocks' }).waitFor({ state: 'detached' })
  }
  /** What another program copied. */
  async function paste(type: string, data: string): Promise<void> {
    await page.evaluate(`navigator.clipboard.write([new ClipboardItem({ '${type}': ${JSON.stringify(data)} })])`)
    await page.keyboard.press('Control+v')
  }

  it('makes a pull quote, columns, buttons, details, a table, and a separator of what is typed', async () => {
    const { keyboard } = page
    await open('')
    await text().focus()
    await insert('Pull quote')
    await keyboard.type('Strong words')
    await keyboard.press('ArrowRight')
    await keyboard.type('Someone')
    await keyboard.press('ArrowRight')
    await insert('Columns')
    await keyboard.type('Left')
    await keyboard.press('ArrowRight')
    await keyboard.type('Right')
    await keyboard.press('ArrowRight')
    await insert('Buttons')
    await keyboard.type('Buy')
    await button('Button link').click()
    await enter(page.getByRole('textbox', { name: 'URL', exact: true }), '/shop')
    await keyboard.press('Enter')
    await keyboard.press('ArrowRight')
    await insert('Details')
    await keyboard.type('More')
    await keyboard.press('Enter')
    await keyboard.type('Hidden')
    await keyboard.press('ArrowRight')
    await insert('Separator')
    // The separator is selected, and stays.
    await page.locator('hr.ProseMirror-selectednode').waitFor()
    await typeBlock('Table')
    await keyboard.type('Year')
    await expectAccessible(page)
    const inColumn = (words: string) =>
      `<!-- wp:column -->\n<div class="wp-block-column">${paragraph(words)}</div>\n<!-- /wp:column -->`
    const row = '<tr><td></td><td></td></tr>'
    expect(await saved()).to.equal(
      [
        '<!-- wp:pullquote -->\n<figure class="wp-block-pullquote"><blockquote><p>Strong words</p><cite>Someone</cite></blockquote></figure>\n<!-- /wp:pullquote -->',
        `<!-- wp:columns -->\n<div class="wp-block-columns">${inColumn('Left')}\n\n${inColumn('Right')}</div>\n<!-- /wp:columns -->`,
        '<!-- wp:buttons -->\n<div class="wp-block-buttons"><!-- wp:button -->\n<div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="/shop">Buy</a></div>\n<!-- /wp:button --></div>\n<!-- /wp:buttons -->',
        `<!-- wp:details -->\n<details class="wp-block-details"><summary>More</summary>${paragraph('Hidden')}</details>\n<!-- /wp:details -->`,
        '<!-- wp:separator -->\n<hr class="wp-block-separator has-alpha-channel-opacity"/>\n<!-- /wp:separator -->',
        `<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th>Year</th><th></th></tr></thead><tbody>${row}${row}</tbody></table></figure>\n<!-- /wp:table -->`,
      ].join('\n\n'),
    )
  })

  it('inserts a cover, a file, and audio, and aligns and captions an image', async () => {
    await open('')
    const sound = Buffer.concat([Buffer.from(WAV_HEADER, 'base64'), Buffer.alloc(800, 128)])
    const dialog = page.getByRole('dialog').filter({ hasText: 'Select' })
    async function choose(block: string, file: string | { name: string; mimeType: string; buffer: Buffer }) {
      await insert(block)
      if (typeof file === 'string') await dialog.getByRole('button', { name: file, exact: true }).click()
      else await dialog.locator('input[type=file]').setInputFiles(file)
      await dialog.getByRole('button', { name: 'Use this file' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await text().focus()
    await choose('Cover', 'wide-ünïcode')
    await page.keyboard.type('On the cover')
    await goToEnd()
    await choose('Audio', { name: 'sound.wav', mimeType: 'audio/wav', buffer: sound })
    await page.keyboard.press('Enter')
    await choose('File', 'bread')
    await page.keyboard.press('Enter')
    await choose('Image', 'tower')
    await text().locator('figure img[src*="tower"]').click()
    await button('Alignment').click()
    await page.getByRole('menuitem', { name: 'Wide width' }).click()
    await text().locator('figcaption').last().click()
    await page.keyboard.type('A tower')
    await expectAccessible(page)
    const content = await saved()
    expect(content.match(/<!-- wp:[a-z-]+/g)).to.deep.equal(
      ['cover', 'paragraph', 'audio', 'file', 'image'].map((name) => `<!-- wp:${name}`),
    )
    expect(content).to.match(/<audio [^>]*sound[^>]*>/)
    expect(content).to.match(
      /<figure class="wp-block-image alignwide[^>]*>.*<figcaption class="wp-element-caption">A tower<\/figcaption>/,
    )
  })

  it('takes what is pasted, text of Google Docs and a URL to embed, and an image that is dropped', async () => {
    await open('')
    await text().focus()
    const span = (style: string, words: string) =>
      `<span style="font-size:11pt;color:#000000;white-space:pre-wrap;${style}">${words}</span>`
    const line = (style: string, words: string) =>
      `<p dir="ltr" style="line-height:1.38;margin-top:0pt;">${span(style, words)}</p>`
    const html = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1">${line('font-weight:400', 'Plain')}${line('font-weight:700', 'Bold')}</b>`
    await paste('text/html', html)
    await text().locator('strong').getByText('Bold').waitFor()
    await page.keyboard.press('Enter')
    // WebDriver can neither copy images nor drag files in Firefox without a window: this is the event of a drop.
    await page.evaluate(`(async () => {
      const blob = await new Promise((done) => Object.assign(document.createElement('canvas'), { width: 40, height: 30 }).toBlob(done))
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([blob], 'dropped.png', { type: 'image/png' }))
      const line = document.querySelector('.ProseMirror > p:last-child')
      const { left: clientX, top: clientY } = line.getBoundingClientRect()
      line.dispatchEvent(new DragEvent('drop', { dataTransfer, clientX, clientY, bubbles: true, cancelable: true }))
    })()`)
    await text().locator('img[src*="dropped"]').waitFor()
    await goToEnd()
    const link = `${admin.site.url}/hello-world/`
    await paste('text/plain', link)
    await text().locator('.wp-block-embed').waitFor()
    await expectAccessible(page)
    const content = await saved()
    expect(content).to.include(paragraph('Plain')).and.include('<strong>Bold</strong>')
    expect(content).to.match(/<img[^>]+dropped/)
    expect(content).to.include(`<div class="wp-block-embed__wrapper">\n${link}\n</div>`)
  })

  it('finds and replaces words, shows the outline, and changes a block only where it is edited', async () => {
    await open()
    await text().focus()
    await page.keyboard.press('Control+Shift+H')
    const panel = page.getByRole('dialog', { name: 'Find and replace' })
    await page.keyboard.type('salt')
    await panel.getByText('4 matches').waitFor()
    await expectAccessible(page)
    await panel.getByLabel('Match case').check()
    await panel.getByText('1 match').waitFor()
    await enter(panel.getByLabel('Replace with'), 'sugar')
    await panel.getByRole('button', { name: 'Replace all' }).click()
    await page.keyboard.press('Escape')
    expect(await saved()).to.equal(CONTENT.replace('salt', 'sugar'))
    await page.getByText('8 words', { exact: true }).waitFor()
    await button('Document overview').click()
    const overview = page.getByRole('dialog', { name: 'Document overview' })
    await expectAccessible(page)
    await overview.getByRole('button', { name: 'Salt mines' }).click()
    await button('Block settings').click()
    const settings = page.getByRole('dialog', { name: 'Block settings' })
    await enter(settings.getByLabel('HTML anchor'), 'mines')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await settings.waitFor({ state: 'detached' })
    expect(await saved()).to.equal(
      CONTENT.replace('salt', 'sugar').replace('"wp-block-heading"', '"wp-block-heading" id="mines"'),
    )
  })

  it('stores a pattern and inserts it, and hides everything but the text', async () => {
    await open()
    await text().getByText('Salt mines').click()
    await button('Create pattern').click()
    const dialog = page.getByRole('dialog', { name: 'Create pattern' })
    await enter(dialog.getByLabel('Name'), 'Mines')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await text().getByText('Pepper').click()
    await button('Add block').click()
    await page.keyboard.type('mines')
    await page.getByRole('option', { name: 'Mines' }).waitFor()
    await page.keyboard.press('Enter')
    await until(async () => (await text().locator('h2').count()) === 2)
    expect(await saved()).to.equal([SALT, ODD, HEADING, HEADING].join('\n\n'))
    await page.keyboard.press('Alt+F10')
    await page.locator('[aria-label="Add block"]:focus').waitFor()
    await page.keyboard.press('End')
    await page.locator('[aria-label="Document overview"]:focus').waitFor()
    await button('Distraction free').click()
    await page.getByRole('navigation', { name: 'Admin menu' }).waitFor({ state: 'hidden' })
    await expectAccessible(page)
    await button('Distraction free').click()
    await page.getByRole('navigation', { name: 'Admin menu' }).waitFor()
  })

  it('asks for alternative texts, and crops and rotates a copy of an image with the mouse', async () => {
    const source = await sharp({ create: { width: 400, height: 200, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const { content } = admin.site.host
    const image = await content.media.upload({ name: 'teal.png', source })
    const url = (await content.media.details([image])).get(image.id)?.url
    await open(
      `<!-- wp:image {"id":${image.id}} -->\n<figure class="wp-block-image"><img src="${url}" alt="" class="wp-image-${image.id}"/></figure>\n<!-- /wp:image -->`,
    )
    await button('1 image has no alternative text').click()
    await page.getByRole('dialog', { name: 'Image' }).getByLabel('Alternative text').waitFor()
    await expectAccessible(page)
    await page.keyboard.type('All teal')
    await page.keyboard.press('Enter')
    await page.getByText(/no alternative text/).waitFor({ state: 'detached' })
    await text().locator('img').click()
    await button('Crop and rotate').click()
    const dialog = page.getByRole('dialog', { name: 'Edit image' })
    await dialog.getByRole('button', { name: 'Rotate right' }).click()
    await expectAccessible(page)
    const box = await dialog.locator('canvas').boundingBox()
    if (!box) throw new Error('The image is not shown.')
    await page.mouse.move(box.x, box.y)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    await dialog.getByRole('button', { name: 'Save as copy' }).click()
    await dialog.waitFor({ state: 'detached' })
    const html = await saved()
    expect(html).to.include('alt="All teal"')
    const copy = await content.posts.get(Number(/wp-image-(\d+)/.exec(html)?.[1]))
    const details = copy && (await content.media.details([copy])).get(copy.id)
    expect(details).to.include({ width: 200 })
    expect(details?.height).to.be.closeTo(200, 2)
  })

  it('previews everything that is not saved, and restores it after the page was lost', async () => {
    await open()
    await enter(page.getByLabel('Title', { exact: true }), 'Unsaved title')
    await page.getByLabel('Travel').check()
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: 'Wide' }).click()
    await button('Preview').click()
    const preview = page.frameLocator('iframe[title="Preview"]')
    await preview.locator('article.wide').getByRole('heading', { name: 'Unsaved title' }).waitFor()
    await preview.locator('article').getByRole('link', { name: 'Travel' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog', { name: 'Preview' }).getByRole('button', { name: 'Close' }).click()
    expect(await stored()).to.include({ title: 'Salt', template: '' })
    const isKept = `Object.values(localStorage).some((kept) => kept.includes('Unsaved title'))`
    await until(() => page.evaluate<boolean>(isKept))
    await page.reload()
    await page.getByText('Unsaved changes found').waitFor()
    await expectAccessible(page)
    await button('Restore').click()
    await saved()
    expect((await stored())?.title).to.equal('Unsaved title')
    await button('Revisions').click()
    const revisions = page.getByRole('dialog', { name: 'Revisions' })
    await revisions.locator('del, ins').first().waitFor()
    await expectAccessible(page)
    await revisions.getByRole('button', { name: 'Restore this revision' }).click()
    await saved()
    expect((await stored())?.title).to.equal('Salt')
  })
})
