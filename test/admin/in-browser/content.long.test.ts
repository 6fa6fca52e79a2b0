import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { COMPATIBLE_URL, openProviderServer, type ProviderServer } from '../../ai/provider-server/index.ts'
import { LICENSED } from '../../seo/license.ts'
import { until } from '../../support/until.ts'
import { type AdminSite, expectAccessible, openAdminSite, settled, shoot } from '../admin-site.ts'
import { clickAtEndOfLine } from '../editor-cursor.ts'

describe('Posts and pages in the admin', () => {
  let admin: AdminSite
  let models: ProviderServer
  let page: Page
  let postId = 0

  before(async () => {
    models = await openProviderServer()
    admin = await openAdminSite({ config: LICENSED })
    admin.site.respond(models.responder)
    const settings = { compatibleApiKey: 'key', compatibleBaseUrl: COMPATIBLE_URL }
    await admin.site.request('/wp-json/ai/v1/settings', { method: 'PUT', as: 'administrator', body: { settings } })
    page = await admin.signIn('administrator', '/wp-admin/posts')
    // Leaving with something unsaved asks first; here it is always meant.
    page.on('dialog', (dialog) => void dialog.accept())
  })
  after(async () => {
    await admin.close()
    await models.close()
  })

  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const title = () => page.getByLabel('Title', { exact: true })
  const text = () => page.getByRole('textbox', { name: 'Content', exact: true })
  /** Waits until that is told, and takes it out of the way of what is told next. */
  async function told(words: string): Promise<void> {
    const note = page.getByRole('alert').filter({ hasText: words }).first()
    await note.waitFor()
    await note.getByRole('button').first().click()
    await note.waitFor({ state: 'detached' })
  }
  const stored = () => admin.site.host.content.posts.get(postId)
  async function save(name: string, words: string): Promise<void> {
    await button(name).click()
    await told(words)
    await page.getByText(/^Saved /).waitFor()
  }

  describe('the list', () => {
    it('has a tab for each status with its number, and the address says what is shown', async () => {
      await page.getByRole('link', { name: /^Dispatch 48/ }).waitFor()
      await expectAccessible(page)
      await shoot(page, 'content-list')
      await page.getByRole('button', { name: /^Draft/ }).click()
      await page.getByText('1 item', { exact: true }).waitFor()
      expect(new URL(page.url()).search).to.equal('?status=draft')
      await page.goBack()
      await page.getByText('51 items').waitFor()
    })

    it('finds posts by words, and narrows them down', async () => {
      await page.getByRole('searchbox', { name: 'Search Posts' }).fill('khachapuri')
      await page.waitForURL(/search=khachapuri/)
      await page
        .getByRole('link', { name: /khachapuri/ })
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByText('51 items').waitFor()
    })

    it('finds one of many authors', async () => {
      const { auth, content } = admin.site.host
      const create = (login: string, displayName: string) =>
        auth.users.create({ login, displayName, email: `${login}@example.org`, roles: ['author'] })
      for (let number = 1; number <= 60; number++) await create(`ann-${number}`, `Ann ${number}`)
      const zoe = await create('zoe', 'Zoe Zimmer')
      const { id } = await content.posts.insert({ title: 'Hers', status: 'publish', authorId: zoe.id })
      await page.reload()
      const author = page.getByRole('combobox', { name: 'Author', exact: true })
      await author.fill('zoe')
      await page.getByRole('option', { name: 'Zoe Zimmer' }).click()
      await page.getByRole('link', { name: 'Hers', exact: true }).waitFor()
      await page.getByText('1 item', { exact: true }).waitFor()
      await page.reload()
      await page.getByText('1 item', { exact: true }).waitFor()
      expect(await author.inputValue()).to.equal('Zoe Zimmer')
      await content.posts.delete(id)
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await page.getByText('51 items').waitFor()
    })
  })

  describe('quick edit', () => {
    it('changes title and address without leaving the list', async () => {
      await button(/^Quick edit “Dispatch 48/).click()
      const form = page.getByRole('dialog', { name: /^Quick edit/ })
      await form.getByLabel('Title').fill('A dusty map')
      await form.getByLabel('Slug').fill('dusty-map')
      await form.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: 'A dusty map', exact: true }).waitFor()
      expect((await admin.site.get('/dusty-map/')).status).to.equal(200)
    })
  })

  describe('the editor', () => {
    it('takes the slug of a new post before it is saved', async () => {
      await page.goto(`${admin.site.url}/wp-admin/posts/new`)
      await title().fill('The history of salt, in all its detail')
      await page.getByText('The URL is created from the title when you save.').waitFor()
      await button('Edit URL').click()
      await page.getByLabel('Slug', { exact: true }).fill('salt')
      await button('Apply').click()
      await page.getByText('Slug: salt', { exact: true }).waitFor()
      await expectAccessible(page)
      await button('Save draft').click()
      await page.waitForURL(/posts\/\d+$/)
      await page.getByText(`${admin.site.url}/salt/`).waitFor()
      const id = Number(/posts\/(\d+)$/.exec(page.url())?.[1])
      const { posts } = admin.site.host.content
      expect(await posts.get(id)).to.include({ slug: 'salt', status: 'draft' })
      await posts.delete(id)
      await page.goto(`${admin.site.url}/wp-admin/posts`)
    })

    it('writes and publishes a post with an uploaded image, as the site shows it then', async () => {
      await page.getByRole('link', { name: 'Add New Post' }).click()
      await title().fill('Salt of the earth')
      await page.keyboard.press('Enter')
      await page.keyboard.type('Salt is mined in the mountains.')
      await page.keyboard.press('Enter')
      await button('Insert images').click()
      const file = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      await page
        .getByLabel('Files to upload')
        .setInputFiles({ name: 'salt-mine.png', mimeType: 'image/png', buffer: file })
      await button('Use 1 file').click()
      await text().locator('img[src*="salt-mine"]').click()
      await button('Alternative text').click()
      const described = page.getByRole('dialog', { name: 'Image' })
      await described.getByLabel('Alternative text').fill('A mine of "salt"')
      await expectAccessible(page)
      await described.getByRole('button', { name: 'Apply' }).click()
      await described.waitFor({ state: 'detached' })
      // A copied image, as browsers paste it.
      await text().focus()
      await page.evaluate(`(async () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 30 })
        canvas.getContext('2d').fillRect(0, 0, 40, 30)
        const clipboardData = new DataTransfer()
        const blob = await new Promise((done) => canvas.toBlob(done))
        clipboardData.items.add(new File([blob], 'pasted.png', { type: 'image/png' }))
        const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        document.activeElement.dispatchEvent(paste)
      })()`)
      await text().locator('img[src*="pasted"]').waitFor()
      await page.getByLabel('Travel').check()
      // Typed on while the terms are created.
      await page.getByRole('combobox', { name: 'Tags' }).pressSequentially('minerals,white gold,')
      await page.keyboard.press('Tab')
      await page.getByRole('button', { name: 'Set featured image' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /salt-mine/ })
        .click()
      await button('Use this file').click()
      const featured = page.getByRole('region', { name: 'Featured image' }).getByLabel('Alternative text')
      await featured.fill('A mine of “salt”, from above')
      // Saves the new post, too, and its editor gets another address.
      await page.keyboard.press('Control+s')
      await told('Alternative text saved.')
      await page.waitForURL(/posts\/\d+$/)
      await save('Publish', 'Post published.')
      postId = Number(/posts\/(\d+)$/.exec(page.url())?.[1])
      const post = await stored()
      expect(post).to.include({ status: 'publish', title: 'Salt of the earth', slug: 'salt-of-the-earth' })
      const html = await (await admin.site.get('/salt-of-the-earth/')).text()
      expect(html)
        .to.include('Salt is mined in the mountains.')
        .and.to.match(/<img[^>]+salt-mine/)
        .and.to.include('alt="A mine of &quot;salt&quot;"')
      const { meta, terms } = admin.site.host.content
      const tags = (await terms.ofPosts([postId])).get(postId)?.post_tag ?? []
      const names = await Promise.all(tags.map(async (id) => (await terms.get(id))?.name))
      expect(names.sort()).to.deep.equal(['minerals', 'white gold'])
      const thumbnail = Number(await meta.get('post', postId, '_thumbnail_id'))
      expect(await meta.get('post', thumbnail, '_wp_attachment_image_alt')).to.equal('A mine of “salt”, from above')
    })

    it('asks before an alternative text is left, and overwrites none that was not typed', async () => {
      const asks = () =>
        page.evaluate<boolean>("!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))")
      const { meta } = admin.site.host.content
      const thumbnail = Number(await meta.get('post', postId, '_thumbnail_id'))
      const path = `/wp-json/wp/v2/media/${thumbnail}`
      const field = page.getByRole('region', { name: 'Featured image' }).getByLabel('Alternative text')
      expect(await asks()).to.equal(false)
      await field.fill('Typed')
      expect(await asks()).to.equal(true)
      await page.keyboard.press('Tab')
      await told('Alternative text saved.')
      expect(await asks()).to.equal(false)
      expect(await meta.get('post', thumbnail, '_wp_attachment_image_alt')).to.equal('Typed')
      await admin.site.request(path, { method: 'POST', as: 'administrator', body: { alt_text: 'Newer' } })
      // After an upload, the editor fetches its images again.
      await button('Replace image').click()
      const dialog = page.getByRole('dialog')
      const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'navy' } })
        .png()
        .toBuffer()
      await dialog.locator('input[type=file]').setInputFiles({ name: 'navy.png', mimeType: 'image/png', buffer })
      await dialog.getByRole('button', { name: 'navy', exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await until(async () => (await field.inputValue()) === 'Newer', { seconds: 60 })
    })

    it('gives back as it was what it can’t show, and HTML can be written by hand', async () => {
      await page.getByText('HTML', { exact: true }).click()
      const html = page.getByRole('textbox', { name: 'Content (HTML)' })
      const frame = '<iframe src="https://video.example/7" title="Salt"></iframe>'
      const figure = '<!-- wp:html {"a":1} --><div class="odd"><span>Odd</span></div><!-- /wp:html -->'
      await html.fill(`<p>Salt.</p>\n\n[gallery ids="4,5"]\n\n${frame}\n\n${figure}`)
      await page.getByText('Visual', { exact: true }).click()
      await page.getByText('HTML block').first().waitFor()
      await clickAtEndOfLine(page, text().getByText('Salt.'))
      await page.keyboard.type(' And pepper.')
      await save('Update', 'Post updated.')
      const { content = '' } = (await stored()) ?? {}
      for (const part of ['<p>Salt. And pepper.</p>', '[gallery ids="4,5"]', frame, figure])
        expect(content).to.include(part)
    })

    it('keeps the comments of the block editor around what is changed', async () => {
      const { posts } = admin.site.host.content
      const { items } = await posts.query({ limit: 100 })
      const figure = '<figure class="wp-block-image"><img src="/a.png" alt="A map" class="wp-image-4"></figure>'
      const [block] = items.filter(({ content }) => content.includes('<!-- wp:image'))
      const content = `<!-- wp:paragraph {"align":"center"} -->\n<p class="has-text-align-center">Old</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:image {"id":4} -->\n${figure}\n<!-- /wp:image -->\n\n<!-- wp:list -->\n<ul class="wp-block-list"><!-- wp:list-item --><li>One</li><!-- /wp:list-item --></ul>\n<!-- /wp:list -->`
      const id = block?.id ?? 0
      await posts.update(id, { content })
      const tab = await admin.openTab(page, `/wp-admin/posts/${id}`)
      await clickAtEndOfLine(tab, tab.getByRole('textbox', { name: 'Content', exact: true }).getByText('Old'))
      await tab.keyboard.type(' and new')
      await tab.keyboard.press('Control+s')
      await tab.getByText('Post updated.').waitFor()
      await tab.close()
      expect((await posts.get(id))?.content).to.equal(content.replace('Old', 'Old and new'))
    })

    it('inserts blocks from the list that opens with /, with the keyboard alone', async () => {
      const tab = await admin.openTab(page, '/wp-admin/posts/new')
      const { keyboard } = tab
      const search = tab.getByRole('combobox', { name: 'Search blocks' })
      const insert = async (words: string) => {
        // The cursor has arrived on the empty line.
        await tab.locator('.ProseMirror > p[data-placeholder^="Type /"]').waitFor()
        await keyboard.type('/')
        await search.fill(words)
        await tab.getByRole('option').first().waitFor()
        await keyboard.press('Enter')
        await search.waitFor({ state: 'detached' })
      }
      await tab.getByLabel('Title', { exact: true }).fill('Made of blocks')
      await tab.getByRole('textbox', { name: 'Content', exact: true }).focus()
      await keyboard.type('/')
      await search.waitFor()
      expect(await tab.getByRole('option').count()).to.be.above(20)
      await expectAccessible(tab)
      await shoot(tab, 'content-inserter')
      await search.fill('no such block')
      await tab.getByText('No blocks found.').waitFor()
      await keyboard.press('Escape')
      await keyboard.type(' is typed')
      await keyboard.press('Enter')
      await insert('pull')
      await keyboard.type('Strong words')
      await keyboard.press('ArrowRight')
      await keyboard.type('Someone')
      await keyboard.press('ArrowRight')
      await insert('columns')
      await keyboard.type('Left')
      await keyboard.press('ArrowRight')
      await keyboard.type('Right')
      await keyboard.press('ArrowRight')
      await insert('buttons')
      await keyboard.type('Buy')
      await tab.getByRole('button', { name: 'Button link' }).click()
      await tab.getByRole('textbox', { name: 'URL', exact: true }).fill('/shop')
      await keyboard.press('Enter')
      await keyboard.press('ArrowRight')
      await insert('accordion')
      await keyboard.type('More')
      await keyboard.press('Enter')
      await keyboard.type('Hidden')
      await keyboard.press('ArrowRight')
      await insert('table')
      await keyboard.type('Year')
      await expectAccessible(tab)
      await shoot(tab, 'content-blocks')
      await tab.getByRole('button', { name: 'Save draft' }).click()
      await tab.getByText(/^Saved /).waitFor()
      const id = Number(/posts\/(\d+)$/.exec(tab.url())?.[1])
      await tab.close()
      const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`
      const inColumn = (text: string) =>
        `<!-- wp:column -->\n<div class="wp-block-column">${paragraph(text)}</div>\n<!-- /wp:column -->`
      const row = '<tr><td></td><td></td></tr>'
      expect((await admin.site.host.content.posts.get(id))?.content).to.equal(
        [
          paragraph('/ is typed'),
          '<!-- wp:pullquote -->\n<figure class="wp-block-pullquote"><blockquote><p>Strong words</p><cite>Someone</cite></blockquote></figure>\n<!-- /wp:pullquote -->',
          `<!-- wp:columns -->\n<div class="wp-block-columns">${inColumn('Left')}\n\n${inColumn('Right')}</div>\n<!-- /wp:columns -->`,
          '<!-- wp:buttons -->\n<div class="wp-block-buttons"><!-- wp:button -->\n<div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="/shop">Buy</a></div>\n<!-- /wp:button --></div>\n<!-- /wp:buttons -->',
          `<!-- wp:details -->\n<details class="wp-block-details"><summary>More</summary>${paragraph('Hidden')}</details>\n<!-- /wp:details -->`,
          `<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th>Year</th><th></th></tr></thead><tbody>${row}${row}</tbody></table></figure>\n<!-- /wp:table -->`,
        ].join('\n\n'),
      )
    })

    it('keeps a file deselected that was uploaded, while others arrive', async () => {
      const { posts } = admin.site.host.content
      const { id } = await posts.insert({ title: 'Uploads', status: 'draft', authorId: 1 })
      const tab = await admin.openTab(page, `/wp-admin/posts/${id}`)
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      let uploads = 0
      await tab.route(/\/wp\/v2\/media/, async (route) => {
        if (route.request().method() === 'POST' && ++uploads > 1) await released
        await route.continue()
      })
      await tab.getByRole('textbox', { name: 'Content', exact: true }).focus()
      await tab.keyboard.type('/')
      await tab.getByRole('combobox', { name: 'Search blocks' }).fill('Gallery')
      await tab.getByRole('option', { name: 'Gallery' }).click()
      const dialog = tab.getByRole('dialog').filter({ hasText: 'Select' })
      const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      const files = ['uploaded-first.png', 'uploaded-second.png']
      await dialog
        .locator('input[type=file]')
        .setInputFiles(files.map((name) => ({ name, mimeType: 'image/png', buffer })))
      // The last one is sent first.
      await dialog.getByRole('button', { name: 'Use 1 file' }).waitFor()
      await dialog.getByRole('button', { name: 'uploaded-second', exact: true }).click()
      await dialog
        .getByRole('button', { name: 'Use this file' })
        .or(dialog.getByRole('button', { name: 'Use these files' }))
        .waitFor()
      release()
      await dialog.getByRole('button', { name: 'uploaded-first', exact: true }).waitFor()
      await dialog.getByRole('button', { name: 'Use 1 file' }).waitFor()
      await tab.close()
    })

    it('pastes from Word without loading or applying anything, and without an error of the browser', async () => {
      const { posts } = admin.site.host.content
      const { id } = await posts.insert({ title: 'From Word', status: 'draft', authorId: 1 })
      const tab = await admin.openTab(page, `/wp-admin/posts/${id}`)
      const problems: string[] = []
      tab.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
      tab.on('request', (request) => void (request.url().includes('pasted') && problems.push(request.url())))
      const content = tab.getByRole('textbox', { name: 'Content', exact: true })
      await content.focus()
      const style = '<style><!-- p.MsoNormal {color: red; background: url(/pasted.png)} --></style>'
      const line = '<p class=MsoNormal style="color: red">A <span style="font-weight: bold">bold</span> word</p>'
      const word = `<html><head><link rel=stylesheet href=/pasted.css>${style}</head><body>${line}</body></html>`
      await tab.evaluate(`(() => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/html', ${JSON.stringify(word)})
        // The picture of the text that Office programs add.
        clipboardData.items.add(new File(['no image'], 'pasted.png', { type: 'image/png' }))
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })()`)
      await content.locator('p strong', { hasText: 'bold' }).waitFor()
      expect(await content.locator('p').first().innerHTML()).to.equal('A <strong>bold</strong> word')
      expect(problems).to.deep.equal([])
      await tab.getByRole('button', { name: 'Save draft' }).click()
      await tab.getByText(/^Saved /).waitFor()
      await tab.close()
    })

    it('inserts files as blocks, aligns them, and embeds a pasted URL', async () => {
      const { posts } = admin.site.host.content
      const { id } = await posts.insert({ title: 'Files and embeds', status: 'draft', authorId: 1 })
      const tab = await admin.openTab(page, `/wp-admin/posts/${id}`)
      const content = tab.getByRole('textbox', { name: 'Content', exact: true })
      const toEnd = async () => {
        await content.focus()
        await tab.keyboard.press('Control+End')
        await tab.locator('.ProseMirror > p[data-placeholder^="Type /"]').waitFor()
      }
      const fill = async (block: string, files: readonly string[]) => {
        await toEnd()
        await tab.keyboard.type('/')
        await tab.getByRole('combobox', { name: 'Search blocks' }).fill(block)
        await tab.getByRole('option', { name: block }).click()
        const dialog = tab.getByRole('dialog').filter({ hasText: 'Select' })
        for (const file of files) await dialog.getByRole('button', { name: file }).click()
        await dialog.getByRole('button', { name: /^Use / }).click()
        await dialog.waitFor({ state: 'detached' })
      }
      await fill('Gallery', ['tower', 'bread'])
      await fill('Cover', ['wide'])
      await tab.keyboard.type('On the cover')
      await tab.getByRole('button', { name: 'Alignment' }).click()
      await tab.getByRole('menuitem', { name: 'Full width' }).click()
      await toEnd()
      const link = `${admin.site.url}/dusty-map/`
      await tab.evaluate(`(() => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', ${JSON.stringify(link)})
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      })()`)
      await content.locator('.wp-block-embed').waitFor()
      await expectAccessible(tab)
      await shoot(tab, 'content-files')
      await tab.getByRole('button', { name: 'Save draft' }).click()
      await tab.getByText(/^Saved /).waitFor()
      await tab.close()
      const { content: stored = '' } = (await posts.get(id)) ?? {}
      expect(stored.match(/<!-- wp:[a-z-]+/g)).to.deep.equal(
        ['gallery', 'image', 'image', 'cover', 'paragraph', 'embed'].map((name) => `<!-- wp:${name}`),
      )
      expect(stored).to.match(
        /<!-- wp:cover \{"url":"[^"]+","id":\d+,"dimRatio":50,"align":"full"\} -->\n<div class="wp-block-cover alignfull">/,
      )
      expect(stored).to.include(`<div class="wp-block-embed__wrapper">\n${link}\n</div>`)
    })

    it('shows on its page what is not saved yet', async () => {
      await title().fill('Salt, not saved yet')
      await button('Preview').click()
      const dialog = page.getByRole('dialog', { name: 'Preview' })
      await page.frameLocator('iframe[title="Preview"]').getByRole('heading', { name: 'Salt, not saved yet' }).waitFor()
      await dialog.getByRole('button', { name: 'Close' }).click()
      expect(await (await admin.site.get('/salt-of-the-earth/')).text()).not.to.include('not saved yet')
      await title().fill('Salt of the earth')
    })

    it('offers what was typed and not saved, after the page was lost', async () => {
      await title().fill('Salt of the sea')
      const isKept = `Object.values(localStorage).some((kept) => kept.includes('Salt of the sea'))`
      while (!(await page.evaluate(isKept))) await page.waitForTimeout(50)
      await page.reload()
      await page.getByText('Unsaved changes found').waitFor()
      expect(await title().inputValue()).to.equal('Salt of the earth')
      await button('Restore').click()
      expect(await title().inputValue()).to.equal('Salt of the sea')
      await save('Update', 'Post updated.')
    })

    it('shows what earlier versions said, and goes back to one', async () => {
      await button('Revisions').click()
      const versions = page.getByRole('dialog', { name: 'Revisions' })
      await versions.locator('del, ins').first().waitFor()
      await versions.getByText('Robin Administrator · current version').waitFor()
      await shoot(page, 'content-versions')
      await button('Restore this revision').click()
      expect(await title().inputValue()).to.equal('Salt of the earth')
      await save('Update', 'Post updated.')
      expect(await stored()).to.include({ title: 'Salt of the earth' })
    })

    it('does not save over what another tab has saved before it was asked to', async () => {
      const other = await admin.openTab(page, `/wp-admin/posts/${postId}`)
      await other.getByLabel('Title', { exact: true }).fill('From the other tab')
      await other.getByRole('button', { name: 'Update' }).click()
      await other.getByText('Post updated.').waitFor()
      await other.close()

      await title().fill('From this tab')
      await button('Update').click()
      const dialog = page.getByRole('dialog', { name: 'A newer version has been saved' })
      await dialog.locator('del').filter({ hasText: 'other' }).first().waitFor()
      await expectAccessible(page, '[role=dialog]')
      expect(await stored()).to.include({ title: 'From the other tab' })
      await dialog.getByRole('button', { name: 'Overwrite with my version' }).click()
      await told('Post updated.')
      expect(await stored()).to.include({ title: 'From this tab' })
    })

    it('keeps each letter where it was typed, although the screen is rendered later', async () => {
      const { posts } = admin.site.host.content
      const stored = ['', 'Last']
        .map((line) => `<!-- wp:paragraph -->\n<p>${line}</p>\n<!-- /wp:paragraph -->`)
        .join('\n\n')
      const { id } = await posts.insert({ title: 'Fast', content: stored, status: 'draft', authorId: 1 })
      const tab = await admin.openTab(page, `/wp-admin/posts/${id}`)
      await tab.getByRole('textbox', { name: 'Content', exact: true }).focus()
      const typed = 'Written faster than the screen is rendered. '.repeat(3).trim()
      // Each in a task of its own, as embeds and uploads do it: some come between a render of React and its effects.
      await tab.evaluate(`(async () => {
        const { view } = document.activeElement.editor
        for (const letter of ${JSON.stringify(typed)}) {
          view.dispatch(view.state.tr.insertText(letter))
          await new Promise((resolve) => setTimeout(resolve))
        }
      })()`)
      await tab.getByRole('button', { name: 'Save draft' }).click()
      await tab.getByText(/^Saved /).waitFor()
      await tab.close()
      expect((await posts.get(id))?.content).to.equal(stored.replace('<p></p>', `<p>${typed}</p>`))
    })

    it('loses no input if the session has expired', async () => {
      await page.context().clearCookies()
      await title().fill('Typed before the session ended')
      await button('Update').click()
      const form = page.getByRole('dialog', { name: 'Your session has ended' })
      await admin.site.host.auth.users.update(
        (await admin.site.host.auth.users.getByLogin('the-administrator'))?.id ?? 0,
        {
          password: 'a-good-password',
        },
      )
      await form.getByLabel('Username or email address').fill('the-administrator')
      await form.locator('[name=password]').fill('a-good-password')
      await form.getByRole('button', { name: 'Log in' }).click()
      await told('Post updated.')
      expect(await stored()).to.include({ title: 'Typed before the session ended' })
    })

    it('asks before what is not saved is left', async () => {
      await title().fill('Left behind')
      await page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name: 'Pages' }).click()
      await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Cancel' }).click()
      expect(await title().inputValue()).to.equal('Left behind')
      await title().fill('Typed before the session ended')
    })

    it('previews the search result with the unsaved values of the SEO box', async () => {
      await page.getByLabel('SEO title').fill('Salt, and where it comes from')
      await page.locator('[data-device]').getByText('Salt, and where it comes from').waitFor()
      await page.getByText('31 characters left').waitFor()
      await page.getByLabel('Hide from search engines and sitemaps (noindex)').check()
      await page.getByText('Search engines are asked not to index this page.').waitFor()
      await page.getByLabel('Hide from search engines and sitemaps (noindex)').uncheck()
      await page.getByRole('tab', { name: 'AI' }).click()
      await page.getByText('Questions as headings').first().waitFor()
      await page.getByRole('tab', { name: 'Social' }).click()
      await page.getByText('Facebook and other networks (Open Graph)').waitFor()
      await page.getByRole('tab', { name: 'Search', exact: true }).click()
      await save('Update', 'Post updated.')
      const html = await (await admin.site.get('/salt-of-the-earth/')).text()
      expect(html).to.include('<title>Salt, and where it comes from</title>')
      await expectAccessible(page)
      await shoot(page, 'content-editor')
    })

    it('takes titles of a model, which reads the posts that the brief mentions', async () => {
      await button('Write with AI').click()
      await page
        .getByText('None of the connected providers')
        .or(page.getByText(/image model/))
        .first()
        .waitFor()
      const brief = page.getByLabel('What’s it about?')
      await brief.fill('Salt, as in ')
      await brief.pressSequentially('@khacha')
      await page.getByRole('option').first().click()
      models.script({ object: { titles: ['White gold', 'A pinch of salt'] } })
      await button('Title').click()
      await button('White gold').waitFor()
      expect(models.asked[0]?.prompt).to.include('which I mention')
      await expectAccessible(page)
      await shoot(page, 'content-assistant')
      await button('White gold').click()
      expect(await title().inputValue()).to.equal('White gold')
      await save('Update', 'Post updated.')
    })
  })

  describe('types that extensions register', () => {
    it('have a list and an editor with fields made from what is said of them', async () => {
      const { content } = admin.site.host
      content.registerPostType({ name: 'book', label: 'Books', singularLabel: 'Book' })
      const shown = { single: true, showInRest: true, objectSubtype: 'book' }
      content.registerMeta('post', 'pages', { ...shown, type: 'integer', description: 'How long it is.' })
      await page.goto(`${admin.site.url}/wp-admin/edit.php?post_type=book`)
      await page.getByText('No books found.').waitFor()
      await page.getByRole('link', { name: 'Add New Book' }).first().click()
      await title().fill('A book')
      await page.getByLabel('Pages', { exact: true }).fill('320')
      await save('Publish', 'Book published.')
      const { items } = await content.posts.query({ types: ['book'] })
      expect(await content.meta.get('post', items[0]?.id ?? 0, 'pages')).to.equal(320)
    })
  })

  describe('many at once', () => {
    it('are moved to the trash, and permanently deleted after a confirmation', async () => {
      await page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name: 'Posts' }).click()
      await page.getByRole('link', { name: 'White gold', exact: true }).waitFor()
      await page.getByLabel('Select “White gold”').check()
      await page.getByLabel(/^Select “Dispatch 49/).check()
      await button('Move to trash').click()
      await page.getByText('2 items moved to the trash.').waitFor()
      await page.getByRole('button', { name: /^Trash/ }).click()
      await page.getByLabel('Select “White gold”').check()
      await button('Delete permanently').first().click()
      const dialog = page.getByRole('dialog', { name: 'Delete 1 item permanently?' })
      await dialog.getByText('“White gold” will be permanently deleted. This can’t be undone.').waitFor()
      await dialog.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByText('1 item deleted permanently.').waitFor()
      expect(await stored()).to.equal(undefined)
    })

    it('are deleted from the trash, those of other pages too', async () => {
      const { posts } = admin.site.host.content
      const trashed = async () => (await posts.query({ statuses: ['trash'], limit: 1 })).total
      for (let n = 0; n < 101; n++) await posts.insert({ title: `Old ${n}`, status: 'trash', authorId: 1 })
      const count = await trashed()
      await page.goto(`${admin.site.url}/wp-admin/posts?status=trash`)
      await button('Empty trash').click()
      const dialog = page.getByRole('dialog', { name: 'Empty trash' })
      await dialog.getByText(`${count} items will be permanently deleted. This can’t be undone.`).waitFor()
      expect(await trashed()).to.equal(count)
      await dialog.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByText(`${count} items deleted permanently.`).waitFor()
      await button('Empty trash').waitFor({ state: 'detached' })
      expect(await trashed()).to.equal(0)
    })
  })

  describe('who may do less', () => {
    it('authors see their own posts only, and publish them', async () => {
      const author = await admin.signIn('author', '/wp-admin/posts')
      await author.getByText('No posts found.').waitFor()
      const screens = author.getByRole('navigation', { name: 'Admin menu' })
      expect(await screens.getByRole('link', { name: 'Pages' }).count()).to.equal(0)
      await author.getByRole('link', { name: 'Add New Post' }).first().click()
      await author.getByLabel('Title', { exact: true }).fill('By an author')
      await author.getByRole('button', { name: 'Publish' }).waitFor()
      expect(await author.getByLabel('Author', { exact: true }).count()).to.equal(0)
      expect(await author.getByRole('button', { name: 'Add New Category' }).count()).to.equal(0)
      await author.context().close()
    })

    it('contributors hand theirs in for review', async () => {
      const contributor = await admin.signIn('contributor', '/wp-admin/posts/new')
      await contributor.getByLabel('Title', { exact: true }).fill('By a contributor')
      // Pictures that others have uploaded are there to be shown; there is nothing to upload with.
      await contributor.getByRole('button', { name: 'Insert images' }).click()
      await contributor.getByRole('dialog').getByRole('button', { name: 'tower' }).click()
      expect(await contributor.getByLabel('Files to upload').count()).to.equal(0)
      await contributor.getByRole('button', { name: 'Use 1 file' }).waitFor()
      await contributor.getByRole('button', { name: 'Cancel' }).click()
      await contributor.getByRole('dialog').waitFor({ state: 'detached' })
      await contributor.getByRole('button', { name: 'Submit for review' }).click()
      await contributor.getByText(/^Saved /).waitFor()
      const { items } = await admin.site.host.content.posts.query({ statuses: ['pending'] })
      expect(items.map((post) => post.title)).to.deep.equal(['By a contributor'])
      await settled(contributor)
      await contributor.context().close()
    })
  })
})
