import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { enter, launchFirefox } from '../../support/firefox.ts'
import { until } from '../../support/until.ts'
import { zipOf } from '../../themes/zip.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD, saveSettings } from '../admin-site.ts'

describe('The look of a site, in Firefox', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite({ launch: () => launchFirefox('light') })
    page = await admin.signIn('administrator', '/wp-admin/appearance')
    page.on('dialog', (dialog) => void dialog.accept())
  })
  after(() => admin?.close())

  const go = (path: string) => page.goto(admin.site.url + path)
  const home = async () => (await fetch(`${admin.site.url}/`)).text()
  const settings = () => admin.site.host.settings.get('appearance')?.get()
  const previewed = () => page.frameLocator('iframe[title="Preview"]')
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  async function choose(field: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: field, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  describe('on the Appearance screen', () => {
    it('gets a logo and a site icon', async () => {
      await button('Logo and site icon').click()
      for (const [label, name] of [
        ['Logo', 'tower'],
        ['Site icon', 'bread'],
      ] as const) {
        await button(`Select image: ${label}`).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name, exact: true }).click()
        await expectAccessible(page)
        await dialog.getByRole('button', { name: 'Use this file' }).click()
        await dialog.waitFor({ state: 'hidden' })
      }
      await previewed().locator('header img[src*="tower"]').waitFor()
      expect(await home()).not.to.include('custom-logo')
      await saveSettings(page)
      expect(await home())
        .to.match(/<header[\s\S]*<img[^>]+tower[\s\S]*<\/header>/)
        .and.match(/<link rel="icon"[^>]+bread/)
    })

    it('gets fonts, colors, a layout, and code, which the preview shows before visitors see them', async () => {
      await button('Style and fonts').click()
      await choose('Heading font', 'Fraunces')
      await button('Colors').click()
      const color = page.getByLabel('Text', { exact: true }).first()
      await enter(color, '#bbbbbb')
      await page.getByText(/Text is hard to read: its contrast ratio with the background is 1\.\d:1/).waitFor()
      await enter(color, '#24104f')
      await page.getByText(/Text is hard to read/).waitFor({ state: 'hidden' })
      await button('Header').click()
      await choose('Header layout', 'Centered')
      await page.getByRole('switch', { name: 'Show tagline' }).press('Space')
      await button('Homepage and post lists').click()
      await choose('Post lists', 'Cards')
      await button('CSS and code').click()
      await enter(page.getByLabel('Additional CSS'), 'main { outline-color: rgb(1, 2, 3) }')
      await enter(page.getByLabel('Code in the head'), '<meta name="verification" content="seven">')
      const colors = `[getComputedStyle(document.body).color, getComputedStyle(document.querySelector('main')).outlineColor].join('; ')`
      // Each change loads the preview again, and it may have no content meanwhile.
      const previewedColors = () =>
        page
          .frames()
          .at(-1)
          ?.evaluate<string>(colors)
          .catch(() => '')
      await until(async () => (await previewedColors()) === 'rgb(36, 16, 79); rgb(1, 2, 3)')
      await expectAccessible(page)
      expect(await home()).not.to.include('#24104f')
      await saveSettings(page)
      expect(settings()).to.include({
        ...{ headingFont: 'fraunces', lightContrast: '#24104f', headerLayout: 'centered', showTagline: false },
        homeLayout: 'cards',
      })
      expect(await home())
        .to.include('#24104f')
        .and.include('<meta name="verification" content="seven">')
    })

    it('gets a sidebar of blocks', async () => {
      await button('Sidebar').click()
      const text = page.getByRole('textbox', { name: 'Sidebar', exact: true })
      await text.click()
      await page.keyboard.type('/heading 2')
      await page.getByRole('option', { name: 'Heading 2' }).waitFor()
      await page.keyboard.press('Enter')
      await page.keyboard.type('Fresh')
      await page.keyboard.press('Enter')
      await page.keyboard.type('/latest posts')
      await page.getByRole('option', { name: 'Latest posts' }).waitFor()
      await page.keyboard.press('Enter')
      await previewed().locator('.sidebar .wp-block-latest-posts').waitFor()
      await expectAccessible(page)
      await saveSettings(page)
      expect(await home()).to.match(/<aside class="sidebar"[\s\S]*Fresh[\s\S]*wp-block-latest-posts/)
    })

    it('is exported, reset, imported, and restored', async () => {
      await button('History, reset, and export').click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Export settings' }).click(),
      ])
      expect(download.suggestedFilename()).to.equal('appearance.json')
      const exported = await readFile(await download.path())
      await button('Reset to defaults').click()
      await previewed().locator('.sidebar').waitFor({ state: 'hidden' })
      await saveSettings(page)
      expect(settings()).to.include({ headingFont: '', sidebarBlocks: '', customCss: '' })
      await page
        .locator('input[type=file][accept*="json"]')
        .setInputFiles({ name: 'appearance.json', mimeType: 'application/json', buffer: exported })
      await previewed().locator('.sidebar').waitFor()
      await saveSettings(page)
      expect(settings()).to.include({ headingFont: 'fraunces', lightContrast: '#24104f' })
      // The first one of the list of a new visit is the one before the import.
      await go('/wp-admin/appearance')
      await button('History, reset, and export').click()
      await button(/^Restore the settings in use until/)
        .first()
        .click()
      await previewed().locator('.sidebar').waitFor({ state: 'hidden' })
      await expectAccessible(page)
      await saveSettings(page)
      expect(await home()).not.to.include('class="sidebar"')
    })
  })

  describe('with themes', () => {
    const folder = (name: string) => join(admin.site.host.config.siteDir, 'themes', name)
    const row = (name: string) => page.locator(`[data-theme="${name}"]`)
    async function upload(name: string, files: Readonly<Record<string, string>>): Promise<void> {
      await page.locator('input[type=file][accept^=".zip"]').setInputFiles({
        ...{ name: `${name}.zip`, mimeType: 'application/zip' },
        buffer: await zipOf(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text]))),
      })
      await button('Upload theme').click()
    }
    const card = (text: string) => ({ 'home.eta': `<!doctype html><title>Card</title><p>${text}</p>` })
    before(async () => {
      mkdirSync(folder('paper'), { recursive: true })
      writeFileSync(join(folder('paper'), 'home.eta'), '<!doctype html><title>Paper</title><p>Folded by hand</p>')
      await go('/wp-admin/appearance')
      await button('Theme').click()
    })

    it('previews one while visitors see the active one, and activates it', async () => {
      await button('Preview the theme “paper”').click()
      await previewed().getByText('Folded by hand').waitFor()
      expect(await home()).not.to.include('Folded by hand')
      await expectAccessible(page)
      await button('Activate the theme “paper”').click()
      await row('paper').getByText('Active').waitFor()
      expect(await home()).to.include('Folded by hand')
      await button('Activate the theme “Default”').click()
      await row('default').getByText('Active').waitFor()
      expect(await home()).not.to.include('Folded by hand')
    })

    it('removes one, after a confirmation and the password', async () => {
      await button('Remove the theme “paper”').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
      await enter(dialog.getByLabel('Current password'), PASSWORD)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await row('paper').waitFor({ state: 'detached' })
      expect(existsSync(folder('paper'))).to.equal(false)
    })

    it('uploads one, and replaces it after a confirmation', async () => {
      await upload('card', card('Printed'))
      await page.getByText('Theme “card” installed.').waitFor()
      await row('card').waitFor()
      await expectAccessible(page)
      await upload('card', card('Reprinted'))
      const dialog = page.getByRole('dialog', { name: 'Replace the theme “card”?' })
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Replace' }).click()
      await page.getByText('Theme “card” replaced.').waitFor()
      expect(readFileSync(join(folder('card'), 'home.eta'), 'utf8')).to.include('Reprinted')
    })

    it('uploads a child theme, whose parent has the other files and cannot be removed while it is active', async () => {
      await upload('gilded', {
        'style.css': '/*\nTheme Name: Gilded\nTemplate: card\n*/\n',
        '404.eta': '<!doctype html><title>Gone</title><p>Nothing but gold</p>',
      })
      await page.getByText('Theme “gilded” installed.').waitFor()
      await button('Activate the theme “gilded”').click()
      await row('gilded').getByText('Active').waitFor()
      expect(await home()).to.include('Reprinted')
      expect(await (await fetch(`${admin.site.url}/not-there/`)).text()).to.include('Nothing but gold')
      await button('Remove the theme “card”').waitFor({ state: 'detached' })
      await expectAccessible(page)
      await button('Activate the theme “Default”').click()
      await button('Remove the theme “card”').waitFor()
    })
  })

  describe('on its pages', () => {
    it('has a page as its homepage, and another one for its posts', async () => {
      const { posts } = admin.site.host.content
      const blog = await posts.insert({ type: 'page', title: 'Journal', status: 'publish' })
      await go('/wp-admin/settings/reading')
      await page.getByRole('radio', { name: 'A static page' }).click()
      await choose('Homepage', 'Sample Page')
      await choose('Posts page', 'Journal')
      await expectAccessible(page)
      await saveSettings(page)
      expect(admin.site.host.content.siteSettings()).to.include({ showOnFront: 'page', pageForPosts: blog.id })
      await go('/')
      await page.getByRole('heading', { level: 1, name: 'Sample Page' }).waitFor()
      await go('/journal/')
      await page
        .getByRole('link', { name: /^Dispatch 48/ })
        .first()
        .waitFor()
    })

    it('has a toolbar that purges a page and says how it was made', async () => {
      await go('/hello-world/')
      const bar = page.getByRole('navigation', { name: 'Toolbar' })
      await bar.getByText('New', { exact: true }).click()
      await bar.getByRole('link', { name: 'Page', exact: true }).waitFor()
      await expectAccessible(page)
      await bar.getByText('New', { exact: true }).click()
      const purged: string[] = []
      admin.site.host.hooks.addAction('pages_purged', ({ urls }) => void purged.push(...urls))
      await bar.getByRole('button', { name: 'Purge this page' }).click()
      await bar.getByText('Page purged').waitFor()
      await until(() => purged.includes(`${admin.site.url}/hello-world/`))
      await bar.getByText('Insights').click()
      expect(await bar.locator('dl').textContent()).to.match(/Cache tags.*post-\d+/)
      await expectAccessible(page)
    })

    it('takes a comment of a visitor, and has archives and an error page that everybody can read', async () => {
      await page.context().clearCookies()
      for (const [path, title] of [
        ['/category/travel/', /Travel/],
        ['/author/admin/', /admin/],
        ['/not-there/', /not found/i],
      ] as const) {
        await go(path)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await expectAccessible(page)
      }
      await go('/hello-world/')
      await enter(page.getByRole('textbox', { name: 'Comment' }), 'Written by a visitor in Firefox')
      await enter(page.getByRole('textbox', { name: 'Name' }), 'Eve')
      await enter(page.getByRole('textbox', { name: 'Email' }), 'eve@example.net')
      await button('Post comment').click()
      await page.getByText(/awaiting moderation/).waitFor()
      await expectAccessible(page)
      const { items } = await admin.site.host.content.comments.query({ search: 'Written by a visitor' })
      expect(items[0]).to.include({ authorName: 'Eve', status: 'hold' })
    })

    it('says that it is being maintained', async () => {
      admin.allow(/^503 /)
      const undo = admin.site.host.maintenance.enter(10)
      await go('/').finally(undo)
      await page.getByText(/scheduled maintenance/).waitFor()
      await expectAccessible(page)
    })
  })
})
