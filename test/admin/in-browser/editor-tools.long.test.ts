import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AdminSite, expectAccessible, openAdminSite, shoot } from '../admin-site.ts'

const SALT = '<!-- wp:paragraph -->\n<p>Salt, <em>salt</em>, and more Salt.</p>\n<!-- /wp:paragraph -->'
/** As no editor would write it: only blocks that are left alone keep their form. */
const ODD =
  '<!-- wp:paragraph   {"align":"center"} -->\n<p   class="has-text-align-center">Pepper</p>\n<!-- /wp:paragraph -->'
const HEADING = '<!-- wp:heading -->\n<h2 class="wp-block-heading">Salt mines</h2>\n<!-- /wp:heading -->'
const DEEP = '<!-- wp:heading {"level":4} -->\n<h4 class="wp-block-heading">Galleries</h4>\n<!-- /wp:heading -->'
const BEAR = join(import.meta.dirname, '../../fixtures/real-pages/mdn/media/wild-bear.jpg')
const CONTENT = [SALT, ODD, HEADING, DEEP].join('\n\n')

describe('A new page', () => {
  let admin: AdminSite
  before(async () => {
    admin = await openAdminSite()
  })
  after(() => admin.close())

  it('has the defaults of the settings if it is a post', async () => {
    const { content } = admin.site.host
    await content.updateSiteSettings({ defaultCommentStatus: 'closed' })
    const page = await admin.signIn('administrator', '/wp-admin/posts/new')
    await page.getByLabel('Allow comments').waitFor()
    expect(await page.getByLabel('Allow comments').isChecked()).to.equal(false)
    expect(await page.getByLabel('Allow pingbacks').isChecked()).to.equal(true)
    await content.updateSiteSettings({ defaultCommentStatus: 'open', defaultPingStatus: 'closed' })
    await page.reload()
    await page.getByLabel('Allow comments').waitFor()
    expect(await page.getByLabel('Allow comments').isChecked()).to.equal(true)
    expect(await page.getByLabel('Allow pingbacks').isChecked()).to.equal(false)
  })

  it('has no comments by default, and says where a contact form sends messages and what AI needs', async () => {
    const page = await admin.signIn('administrator', '/wp-admin/pages/new')
    await page.getByRole('combobox', { name: 'Parent Page', exact: true }).waitFor()
    expect(await page.getByLabel('Allow comments').isChecked()).to.equal(false)
    await page.getByRole('button', { name: 'Write with AI' }).click()
    await page.getByRole('link', { name: 'Connect a provider' }).waitFor()
    await page.getByRole('textbox', { name: 'Content' }).click()
    await page.keyboard.type('/contact')
    await page.getByRole('option', { name: 'Contact form' }).click()
    await page.getByText(/^Messages are sent to/).waitFor()
  })
})

describe('The tools of the editor', () => {
  let admin: AdminSite
  let page: Page
  let postId = 0

  before(async () => {
    admin = await openAdminSite()
    page = await admin.signIn()
    page.on('dialog', (dialog) => void dialog.accept())
  })
  after(() => admin.close())

  beforeEach(async () => {
    const { posts } = admin.site.host.content
    const { id } = await posts.insert({ title: 'Salt', content: CONTENT, status: 'draft', authorId: 1 })
    postId = id
    await page.goto(`${admin.site.url}/wp-admin/posts/${id}`)
    await text().getByText('Pepper').waitFor()
  })

  const text = () => page.getByRole('textbox', { name: 'Content', exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const toolbar = () => page.getByRole('toolbar', { name: 'Editor tools' })
  async function saved(): Promise<string> {
    await page.keyboard.press('Control+s')
    await page.getByText(/^Saved /).waitFor()
    return (await admin.site.host.content.posts.get(postId))?.content ?? ''
  }
  const focused = () => page.evaluate<string>('document.activeElement.getAttribute("aria-label")')

  it('finds and replaces words with the keyboard alone, and undoes it in one step', async () => {
    await text().focus()
    await page.keyboard.press('Control+Shift+H')
    const panel = page.getByRole('dialog', { name: 'Find and replace' })
    await page.keyboard.type('Salt')
    await panel.getByText('4 matches').waitFor()
    await expectAccessible(page)
    await shoot(page, 'editor-find')
    await page.keyboard.press('Enter')
    await panel.getByText('1 of 4').waitFor()
    await page.keyboard.press('Shift+Enter')
    await panel.getByText('4 of 4').waitFor()
    await panel.getByLabel('Match case').check()
    await panel.getByText('3 of 3').waitFor()
    await panel.getByLabel('Replace with').fill('Sugar')
    await panel.getByRole('button', { name: 'Replace all' }).click()
    await panel.getByText('No matches').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    const replaced = await saved()
    expect(replaced).to.equal(CONTENT.replaceAll('Salt', 'Sugar'))
    await page.keyboard.press('Control+z')
    expect(await saved()).to.equal(CONTENT)
  })

  it('replaces one match after the other', async () => {
    await button('Find and replace').click()
    const panel = page.getByRole('dialog', { name: 'Find and replace' })
    await panel.getByLabel('Find').fill('.* (')
    await panel.getByText('No matches').waitFor()
    await panel.getByLabel('Find').fill('salt')
    await page.keyboard.press('Enter')
    await panel.getByLabel('Replace with').fill('sugar')
    await page.keyboard.press('Enter')
    await panel.getByText('1 of 3').waitFor()
    await page.keyboard.press('Enter')
    await panel.getByText('1 of 2').waitFor()
    expect(await saved()).to.equal(CONTENT.replace('Salt, <em>salt', 'sugar, <em>sugar'))
  })

  it('links selected words with the keyboard alone', async () => {
    await text().getByText('Pepper').click()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+End')
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'URL', exact: true }).waitFor()
    await page.keyboard.type('/pepper')
    await page.keyboard.press('Enter')
    await text().getByRole('link', { name: 'Pepper' }).waitFor()
    expect(await saved()).to.include('<a href="/pepper">Pepper</a>')
  })

  it('shows the outline and the length, and moves the cursor to a heading', async () => {
    await page.getByText('9 words', { exact: true }).waitFor()
    await button('Document overview').click()
    const overview = page.getByRole('dialog', { name: 'Document overview' })
    await overview.getByText('1 minute').waitFor()
    await expectAccessible(page)
    await shoot(page, 'editor-overview')
    expect(await overview.getByRole('button').allTextContents()).to.deep.equal([
      'H2Salt mines',
      'H4GalleriesIncorrect heading level',
    ])
    await overview.getByRole('button', { name: 'Salt mines' }).click()
    await page.keyboard.type('Old ')
    expect(await saved()).to.equal(CONTENT.replace('Salt mines', 'Old Salt mines'))
    await page.getByText('10 words', { exact: true }).waitFor()
  })

  it('has one tab stop in the toolbar, and arrow keys between its buttons', async () => {
    await text().focus()
    await page.keyboard.press('Alt+F10')
    expect(await focused()).to.equal('Add block')
    expect(await toolbar().locator('button:enabled:not([tabindex="-1"])').count()).to.equal(1)
    await page.keyboard.press('ArrowRight')
    expect(await focused()).to.equal('Bold')
    await page.keyboard.press('End')
    expect(await focused()).to.equal('Document overview')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).to.equal('Add block')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Tab')
    expect(await focused()).to.equal('Content')
    await page.keyboard.press('Shift+Tab')
    expect(await focused()).to.equal('Document overview')
    await page.keyboard.press('Escape')
    expect(await focused()).to.equal('Content')
  })

  it('moves blocks with shortcuts and by dragging, and keeps their stored form', async () => {
    await text().getByText('Pepper').click()
    await page.keyboard.press('Control+Shift+Alt+T')
    expect(await saved()).to.equal([ODD, SALT, HEADING, DEEP].join('\n\n'))
    await page.keyboard.press('Control+Shift+Alt+Y')
    expect(await saved()).to.equal(CONTENT)
    await text().getByText('Pepper').hover()
    const end = await text().getByText('Galleries').boundingBox()
    await page.locator('.drag-handle').hover()
    await page.mouse.down()
    await page.mouse.move((end?.x ?? 0) + (end?.width ?? 0) - 4, (end?.y ?? 0) + (end?.height ?? 0) - 2, { steps: 5 })
    await page.mouse.up()
    expect(await saved()).to.equal([SALT, HEADING, DEEP, ODD].join('\n\n'))
  })

  it('moves a gallery by dragging, and leaves no copy of it', async () => {
    await page.route('**/bear.jpg', (route) => route.fulfill({ path: BEAR }))
    const image = (id: number) =>
      `<!-- wp:image {"id":${id}} -->\n<figure class="wp-block-image"><img src="/bear.jpg" alt="" class="wp-image-${id}"/></figure>\n<!-- /wp:image -->`
    const gallery = `<!-- wp:gallery {"linkTo":"none"} -->\n<figure class="wp-block-gallery has-nested-images columns-default is-cropped">${image(4)}\n\n${image(5)}</figure>\n<!-- /wp:gallery -->`
    const content = [SALT, HEADING, gallery, DEEP].join('\n\n')
    const { id } = await admin.site.host.content.posts.insert({
      title: 'Gallery',
      content,
      status: 'draft',
      authorId: 1,
    })
    postId = id
    await page.goto(`${admin.site.url}/wp-admin/posts/${id}`)
    await text().locator('img').nth(1).click()
    await page.locator('.drag-handle').hover()
    const salt = await text().getByText('Salt, salt').boundingBox()
    await page.mouse.down()
    await page.mouse.move((salt?.x ?? 0) + 20, (salt?.y ?? 0) + 2, { steps: 5 })
    // As Chromium sometimes does while a block is dragged.
    await page.evaluate("getSelection().collapse(document.querySelector('.ProseMirror h2').firstChild, 0)")
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 50))')
    await page.mouse.up()
    expect(await saved()).to.equal([gallery, SALT, HEADING, DEEP].join('\n\n'))
  })

  it('say when an autosave saved the draft', async () => {
    const authorId = Number(
      await page.evaluate("JSON.parse(document.getElementById('pentad-data').textContent).user.id"),
    )
    const { id } = await admin.site.host.content.posts.insert({
      ...{ title: 'Old', content: SALT, status: 'draft', authorId, modifiedGmt: '2020-01-01T00:00:00' },
    })
    await page.goto(`${admin.site.url}/wp-admin/posts/${id}`)
    await page.getByText(/^Saved .*years ago\.$/).waitFor()
    await text().getByText('Salt, salt').click()
    await page.keyboard.type('Pepper')
    await page.getByText('Saved just now.').waitFor()
    expect((await admin.site.host.content.posts.get(id))?.content).to.include('Pepper')
  })

  it('stay above a cover that is scrolled below them', async () => {
    const cover =
      '<!-- wp:cover {"minHeight":2000} -->\n<div class="wp-block-cover" style="min-height:2000px"><span aria-hidden="true" class="wp-block-cover__background has-background-dim-100 has-background-dim"></span><div class="wp-block-cover__inner-container"><!-- wp:paragraph -->\n<p>Mine</p>\n<!-- /wp:paragraph --></div></div>\n<!-- /wp:cover -->'
    const { id } = await admin.site.host.content.posts.insert({
      ...{ title: 'Cover', content: cover, status: 'draft', authorId: 1 },
    })
    await page.goto(`${admin.site.url}/wp-admin/posts/${id}`)
    await text().getByText('Mine').scrollIntoViewIfNeeded()
    const [tools, block] = await Promise.all([toolbar().boundingBox(), text().locator('.wp-block-cover').boundingBox()])
    if (!tools || !block) throw new Error('Toolbar or cover is missing.')
    expect(block.y, 'the cover is below the toolbar').to.be.below(tools.y)
    // Also between the buttons.
    const at = [tools.x + tools.width / 2, tools.y + tools.height - 2].join(',')
    expect(await page.evaluate<boolean>(`!!document.elementFromPoint(${at}).closest('[role=toolbar]')`)).to.equal(true)
  })

  it('changes settings of the block at the cursor, in the markup of WordPress', async () => {
    await text().getByText('Galleries').click()
    await button('Block settings').click()
    const settings = page.getByRole('dialog', { name: 'Block settings' })
    await settings.getByLabel('HTML anchor').fill('the galleries')
    await settings.getByLabel('Additional CSS classes').fill('wide  loud')
    await page.keyboard.press('Enter')
    await settings.getByRole('combobox', { name: 'Heading level' }).click()
    await settings.getByRole('option', { name: '3' }).click()
    await expectAccessible(page)
    await shoot(page, 'editor-settings')
    await page.keyboard.press('Escape')
    await settings.waitFor({ state: 'detached' })
    const heading =
      '<!-- wp:heading {"level":3,"className":"wide loud"} -->\n<h3 class="wp-block-heading wide loud" id="the-galleries">Galleries</h3>\n<!-- /wp:heading -->'
    expect(await saved()).to.equal([SALT, ODD, HEADING, heading].join('\n\n'))
  })

  it('hides everything but the text, and shows it again', async () => {
    await text().focus()
    await page.keyboard.press('Control+Shift+Backslash')
    const navigation = page.getByRole('navigation', { name: 'Admin menu' })
    await navigation.waitFor({ state: 'hidden' })
    await page.getByRole('combobox', { name: 'Tags' }).waitFor({ state: 'hidden' })
    const padding = () => page.evaluate('getComputedStyle(document.querySelector("main")).paddingInlineStart')
    // It shrinks in a transition.
    while ((await padding()) !== '16px') await page.waitForTimeout(50)
    await expectAccessible(page)
    await shoot(page, 'editor-distraction-free')
    await button('Distraction free').click()
    await navigation.waitFor()
    await page.getByRole('combobox', { name: 'Tags' }).waitFor()
  })

  it('stores selected blocks as a pattern, and inserts copies of it', async () => {
    await text().getByText('Salt mines').click()
    await page.keyboard.press('Shift+ArrowDown')
    await button('Create pattern').click()
    const dialog = page.getByRole('dialog', { name: 'Create pattern' })
    await dialog.getByLabel('Name').fill('Two titles')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const { items } = await admin.site.host.content.posts.query({ types: ['wp_block'] })
    expect(items.map(({ title, content }) => [title, content])).to.deep.equal([
      ['Two titles', [HEADING, DEEP].join('\n\n')],
    ])
    await text().getByText('Pepper').click()
    await button('Add block').click()
    await page.getByRole('combobox', { name: 'Search blocks' }).fill('two tit')
    await page.getByRole('option', { name: 'Two titles' }).waitFor()
    await shoot(page, 'editor-patterns')
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Search blocks' }).waitFor({ state: 'detached' })
    expect(await saved()).to.equal([SALT, ODD, HEADING, DEEP, HEADING, DEEP].join('\n\n'))

    await button('Create pattern').press('Enter')
    await dialog.getByLabel('Name').fill('With the keyboard')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.ProseMirror:focus').waitFor()
  })

  it('previews unsaved changes of all kinds without storing them', async () => {
    await page.getByLabel('Title', { exact: true }).fill('Unsaved title')
    await page.getByLabel('Date', { exact: true }).fill('2020-02-03T10:00')
    await page.getByLabel('Travel').check()
    await page.getByRole('textbox', { name: 'SEO title' }).fill('Unsaved SEO title')
    await button('Preview').click()
    const preview = page.frameLocator('iframe[title="Preview"]')
    const close = () => page.getByRole('dialog', { name: 'Preview' }).getByRole('button', { name: 'Close' }).click()
    await preview.getByRole('heading', { name: 'Unsaved title' }).waitFor()
    await preview.locator('article').getByText('February 3, 2020').waitFor()
    await preview.locator('article').getByRole('link', { name: 'Travel' }).waitFor()
    expect(await preview.locator('title').textContent()).to.equal('Unsaved SEO title')
    await close()
    await page.getByRole('combobox', { name: 'Template' }).click()
    await page.getByRole('option', { name: 'Wide' }).click()
    await button('Preview').click()
    await preview.locator('article.wide').getByRole('heading', { name: 'Unsaved title' }).waitFor()
    await close()
    const { meta, posts } = admin.site.host.content
    const stored = await posts.get(postId)
    expect([stored?.template, stored?.date.startsWith('2020')]).to.deep.equal(['', false])
    expect([stored?.title, await meta.get('post', postId, '_seo_title')]).to.deep.equal(['Salt', undefined])
  })

  describe('with images', () => {
    async function media(id: number) {
      const { posts, media: files } = admin.site.host.content
      const post = await posts.get(id)
      const details = post && (await files.details([post])).get(id)
      if (!details) throw new Error(`There is no file ${id}.`)
      return details
    }
    async function openWith(content: string): Promise<void> {
      await admin.site.host.content.posts.update(postId, { content })
      await page.reload()
      await text().locator('img').first().waitFor({ state: 'attached' })
    }

    it('counts those without alternative text, and asks for it one by one', async () => {
      const image = (alt: string, name: string) =>
        `<!-- wp:image -->\n<figure class="wp-block-image"><img src="/${name}.png" alt="${alt}"/></figure>\n<!-- /wp:image -->`
      await openWith([SALT, image('', 'one'), image('Two', 'two'), image('', 'three')].join('\n\n'))
      await button('2 images have no alternative text').click()
      const dialog = page.getByRole('dialog', { name: 'Image' })
      await expectAccessible(page)
      await shoot(page, 'editor-alternative-text')
      await page.keyboard.type('One')
      await page.keyboard.press('Enter')
      await dialog.locator('img[src="/three.png"]').waitFor({ state: 'attached' })
      await dialog.getByLabel('Alternative text').fill('Three')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText(/no alternative text/).waitFor({ state: 'detached' })
      // What is typed next does not replace the image.
      await page.locator('[role=textbox][aria-label=Content]:focus').waitFor()
      expect(await saved()).to.equal(
        [SALT, image('One', 'one'), image('Two', 'two'), image('Three', 'three')].join('\n\n'),
      )
    })

    it('crops and rotates a copy of one, and shows it instead', async () => {
      const { items } = await admin.site.host.content.posts.query({
        types: ['attachment'],
        statuses: ['inherit'],
        limit: 100,
      })
      const id = items.find(({ title }) => title === 'tower')?.id ?? 0
      const original = await media(id)
      const { url } = original
      await openWith(
        `${SALT}\n\n<!-- wp:image {"id":${id},"width":"90px","sizeSlug":"large","linkDestination":"none","align":"left"} -->\n<figure class="wp-block-image alignleft size-large is-resized"><img src="${url}" alt="A tower" class="wp-image-${id}" style="width:90px"/><figcaption class="wp-element-caption">Old</figcaption></figure>\n<!-- /wp:image -->`,
      )
      await text().locator('img').click()
      await button('Crop and rotate').click()
      const dialog = page.getByRole('dialog', { name: 'Edit image' })
      await dialog.getByRole('button', { name: 'Rotate right' }).click()
      await dialog.getByLabel('Width (%)').fill('50')
      await expectAccessible(page)
      await shoot(page, 'editor-crop')
      // The image is found again where it is no longer selected.
      await page.evaluate("document.querySelector('.ProseMirror').editor.commands.setTextSelection(0)")
      await dialog.getByRole('button', { name: 'Save as copy' }).click()
      await dialog.waitFor({ state: 'detached' })
      const content = await saved()
      const copy = Number(/wp-image-(\d+)/.exec(content)?.[1])
      expect(copy).to.be.above(id)
      const edited = await media(copy)
      expect(edited.width).to.be.closeTo((original.height ?? 0) / 2, 1)
      expect(edited.height).to.equal(original.width)
      const size = edited.sizes.large ? 'large' : 'full'
      const src = edited.sizes.large?.url ?? edited.url
      expect(content).to.equal(
        `${SALT}\n\n<!-- wp:image {"id":${copy},"sizeSlug":"${size}","linkDestination":"none","align":"left"} -->\n<figure class="wp-block-image alignleft size-${size}"><img src="${src}" alt="A tower" class="wp-image-${copy}"/><figcaption class="wp-element-caption">Old</figcaption></figure>\n<!-- /wp:image -->`,
      )
      expect(await media(id)).to.deep.equal(original)
    })

    it('says why a dropped file is not an image', async () => {
      await text().focus()
      await page.evaluate(`(() => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(new File(['no image'], 'broken.png', { type: 'image/png' }))
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })()`)
      await page
        .getByRole('alert')
        .filter({ hasText: /broken\.png: ./ })
        .waitFor()
      await page.getByText(/^Uploading/).waitFor({ state: 'detached' })
      expect(await saved()).to.equal(CONTENT)
    })
  })
})
