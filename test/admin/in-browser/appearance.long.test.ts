import { expect } from 'chai'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { until } from '../../support/until.ts'
import { type AdminSite, expectAccessible, openAdminSite, settled, shoot } from '../admin-site.ts'

describe('the Appearance screen', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite()
    page = await admin.signIn('administrator', '/wp-admin/appearance')
  })
  after(() => admin.close())

  const picture = () =>
    sharp({ create: { width: 400, height: 100, channels: 3, background: 'gold' } })
      .png()
      .toBuffer()
  const previewed = () => page.frameLocator('iframe[title="Preview"]')
  const home = async () => (await fetch(`${admin.site.url}/`)).text()
  async function save(): Promise<void> {
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('You have unsaved changes.').waitFor({ state: 'hidden' })
  }

  it('previews unsaved choices on the real page, which visitors see only after they are saved', async () => {
    await page.getByRole('radio', { name: /Journal/ }).click()
    await previewed().locator('body').filter({ hasText: 'RSS feed' }).waitFor()
    await page.getByRole('button', { name: 'Footer' }).click()
    await page.getByLabel('Footer text').fill('Printed on recycled electrons')
    await previewed().getByText('Printed on recycled electrons').waitFor()
    expect(await previewed().locator('#global-styles-inline-css').textContent()).to.contain('Fraunces')
    expect(await home()).to.not.contain('recycled electrons')
    await shoot(page, 'appearance')
    await expectAccessible(page)
    await save()
    expect(await home())
      .to.contain('recycled electrons')
      .and.to.contain('Fraunces')
  })

  it('previews the page of a desktop as wide as on one, smaller where the screen has no room for it', async () => {
    const frame = page.locator('iframe[title="Preview"]')
    const widthInside = async () => Number(await previewed().locator(':root').evaluate('innerWidth'))
    const shown = async () => (await frame.boundingBox())?.width
    await until(async () => (await widthInside()) === 1280)
    expect(await shown()).to.be.below(900)
    await page.getByText('Mobile', { exact: true }).click()
    await until(async () => (await widthInside()) < 400)
    await page.getByText('Desktop', { exact: true }).click()
    await until(async () => (await widthInside()) === 1280)
  })

  it('shows the color in effect where none is chosen; the dark accent follows the light one', async () => {
    await page.getByRole('button', { name: 'Colors' }).click()
    /** The first is for light pages, the second for dark ones. */
    const fields = (label: string) => page.getByLabel(label, { exact: true })
    const sample = (label: string, at: number) =>
      page
        .locator('.mantine-ColorInput-root')
        .filter({ has: fields(label) })
        .nth(at)
        .locator('.mantine-ColorSwatch-colorOverlay')
        .evaluate((element) => element.style.backgroundColor)
    for (const [label, color] of [
      ['Background', 'rgb(255, 253, 248)'],
      ['Accent', 'rgb(155, 44, 44)'],
    ] as const) {
      expect(await sample(label, 0)).to.equal(color)
    }
    await page.getByLabel('Accent', { exact: true }).first().fill('#ffe066')
    await page.keyboard.press('Escape')
    await until(async () => (await sample('Accent', 1)) === 'rgb(255, 224, 102)')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('button', { name: 'Colors' }).click()
  })

  it('keeps a color that is left right after it was typed, and says which one is incomplete', async () => {
    const colors = page.getByRole('button', { name: 'Colors' })
    await colors.click()
    const accent = page.getByRole('group', { name: 'Light mode' }).getByLabel('Accent', { exact: true })
    await accent.fill('')
    await accent.pressSequentially('#2255')
    await colors.click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Light mode, Accent: Enter a color such as #225588.').waitFor()
    await accent.fill('')
    await accent.pressSequentially('#225588')
    await page.keyboard.press('Tab')
    await colors.click()
    await colors.click()
    expect(await accent.inputValue()).to.equal('#225588')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await colors.click()
  })

  it('warns about colors that are hard to read', async () => {
    await page.getByRole('button', { name: 'Colors' }).click()
    await page.getByLabel('Text', { exact: true }).first().fill('#bbbbbb')
    await page.getByText(/Text is hard to read: its contrast ratio with the background is 1\.\d:1/).waitFor()
    // The picker is for the mouse only, and closes with Escape; the field keeps the focus, and opens it again.
    const field = page.getByLabel('Text', { exact: true }).first()
    const picker = page.locator('.mantine-ColorInput-dropdown')
    await picker.waitFor()
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'hidden' })
    await field.and(page.locator(':focus')).waitFor()
    await field.click()
    await picker.waitFor()
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'hidden' })
    await shoot(page, 'appearance-colors')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByText(/Text is hard to read/).waitFor({ state: 'hidden' })
  })

  it('restores earlier settings', async () => {
    await page.getByRole('button', { name: 'History, reset, and export' }).click()
    await page.getByRole('button', { name: /^Restore the settings in use until/ }).click()
    await previewed().getByText('recycled electrons').waitFor({ state: 'hidden' })
    await settled(page)
    await save()
    expect(await home()).to.not.contain('recycled electrons')
  })

  it('fills the sidebar with blocks in the editor, with settings and a menu', async () => {
    await page.getByRole('button', { name: 'Sidebar' }).click()
    const text = page.getByRole('textbox', { name: 'Sidebar', exact: true })
    const add = async (search: string) => {
      await page.getByRole('button', { name: 'Add block' }).click()
      await page.keyboard.type(search)
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
    }
    await text.click()
    await add('Heading 2')
    await page.keyboard.type('Fresh')
    await page.keyboard.press('Enter')
    await add('Latest posts')
    await text.getByRole('button', { name: 'Settings' }).click()
    await page.getByLabel('Number of posts').fill('1')
    await page.getByLabel('Show date').check()
    await page.keyboard.press('Escape')
    await previewed().locator('.sidebar').getByRole('heading', { name: 'Fresh' }).waitFor()
    await previewed().locator('.sidebar .wp-block-latest-posts time').waitFor()
    await page.keyboard.press('ArrowDown')
    await add('Menu: Primary')
    await previewed().locator('.sidebar .wp-block-navigation').waitFor()
    await shoot(page, 'appearance-sidebar')
    await expectAccessible(page)
    await save()
    expect(admin.site.host.settings.get('appearance')?.get().sidebarBlocks).to.equal(
      [
        '<!-- wp:heading -->\n<h2 class="wp-block-heading">Fresh</h2>\n<!-- /wp:heading -->',
        '<!-- wp:latest-posts {"postsToShow":1,"displayPostDate":true} /-->',
        '<!-- wp:navigation {"__unstableLocation":"primary","overlayMenu":"never","layout":{"type":"flex","orientation":"vertical"}} /-->',
      ].join('\n\n'),
    )
    const [, sidebar = ''] = /<aside class="sidebar"([\s\S]*?)<\/aside>/.exec(await home()) ?? []
    expect(sidebar.match(/wp-block-latest-posts__post-title/g)).to.have.length(1)
  })

  it('has a logo for dark mode', async () => {
    const logo = { name: 'at-night.png', mimeType: 'image/png', buffer: await picture() }
    await page.getByRole('button', { name: 'Logo and site icon' }).click()
    await page.getByRole('button', { name: 'Select image' }).nth(1).click()
    const picker = page.getByRole('dialog')
    await picker.locator('input[type=file]').setInputFiles(logo)
    await picker.getByRole('button', { name: 'Use this file' }).click()
    await page.getByText('at-night', { exact: true }).waitFor()
    await expectAccessible(page)
    await save()
    const id = Number(admin.site.host.settings.get('appearance')?.get().darkLogo)
    expect((await admin.site.host.content.posts.get(id))?.title).to.equal('at-night')
  })
})
