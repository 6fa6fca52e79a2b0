import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AdminSite, expectAccessible, openAdminSite, shoot } from './admin-site.ts'

const SALT = '<!-- wp:paragraph -->\n<p>Salt, <em>salt</em>, and more Salt.</p>\n<!-- /wp:paragraph -->'
/** As no editor would write it: only blocks that are left alone keep their form. */
const ODD =
  '<!-- wp:paragraph   {"align":"center"} -->\n<p   class="has-text-align-center">Pepper</p>\n<!-- /wp:paragraph -->'
const HEADING = '<!-- wp:heading -->\n<h2 class="wp-block-heading">Salt mines</h2>\n<!-- /wp:heading -->'
const DEEP = '<!-- wp:heading {"level":4} -->\n<h4 class="wp-block-heading">Galleries</h4>\n<!-- /wp:heading -->'
const CONTENT = [SALT, ODD, HEADING, DEEP].join('\n\n')

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
    expect(await page.evaluate('getComputedStyle(document.querySelector("main")).paddingInlineStart')).to.equal('16px')
    await expectAccessible(page)
    await shoot(page, 'editor-distraction-free')
    await button('Distraction free').click()
    await navigation.waitFor()
    await page.getByRole('combobox', { name: 'Tags' }).waitFor()
  })
})
