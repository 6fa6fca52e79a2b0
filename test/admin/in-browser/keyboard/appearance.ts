import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { zipOf } from '../../../themes/zip.ts'
import { PASSWORD } from '../../admin-site.ts'
import type { Walk } from './keys.ts'

/** The Appearance screen, and its themes. */
export function appearance(walk: () => Walk): void {
  it('changes colors, fonts, layout, logo, and widgets, with the preview', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    const preview = page.frameLocator('iframe[title="Preview"]')
    const save = async () => {
      await keys.press('Save changes')
      await page.getByText('You have unsaved changes.').waitFor({ state: 'hidden' })
      await keys.arriveAt('Save changes')
    }
    await keys.open('/wp-admin/appearance')
    await keys.choose('Heading font', 'Fraunces')
    await keys.press('Colors')
    await keys.type('Text', '#bbbbbb')
    await page.getByText(/Text is hard to read/).waitFor()
    await keys.look()
    await keys.type('Text', '#112233')
    await page.getByText(/Text is hard to read/).waitFor({ state: 'hidden' })
    await keys.press('Logo and site icon')
    await keys.press(/^(Select|Replace) image: Logo$/)
    await page.getByRole('dialog').getByRole('button', { name: 'bread' }).waitFor()
    await keys.press('bread')
    await keys.press('Use this file')
    await keys.arriveAt('Replace image: Logo')
    await keys.press('Remove: Logo')
    await keys.arriveAt('Select image: Logo')
    await keys.press('Homepage and post lists')
    await keys.choose('Post lists', 'Magazine')
    await keys.press('Footer')
    await keys.type('Footer text', 'Written without a mouse')
    await preview.getByText('Written without a mouse').waitFor()
    await keys.press('Sidebar')
    await page.getByRole('textbox', { name: 'Sidebar', exact: true }).waitFor()
    // The button of the section has the same name.
    await keys.keys('Tab')
    await keys.to('Sidebar')
    await page.keyboard.type('/latest posts')
    await page.getByRole('option', { name: 'Latest posts' }).waitFor()
    await keys.keys('Enter')
    await preview.locator('.sidebar .wp-block-latest-posts').waitFor()
    await save()
    expect(admin.site.host.settings.get('appearance')?.get()).to.include({
      ...{ headingFont: 'fraunces', lightContrast: '#112233', homeLayout: 'magazine' },
      footerText: 'Written without a mouse',
    })
    await keys.choose('Page to preview', 'Page not found')
    await keys.to('Desktop')
    await keys.keys('ArrowRight')
    await page.locator('[data-device="narrow"] iframe').waitFor()
    await preview.getByRole('heading', { level: 1 }).waitFor()
    await keys.look()
  })

  it('uploads, previews, activates, and removes a theme', async () => {
    const { admin, keys } = walk()
    const { page } = keys
    const front = async () => (await fetch(`${admin.site.url}/`)).text()
    const file = (name: string) => join(admin.site.host.config.siteDir, 'themes/card', name)
    const upload = async (text: string) => {
      const choosing = page.waitForEvent('filechooser')
      await keys.press(/^Theme archive/)
      await (await choosing).setFiles({
        ...{ name: 'card.zip', mimeType: 'application/zip' },
        buffer: await zipOf({ 'card/home.eta': `<!doctype html><title>Card</title><p>${text}</p>` }),
      })
      await keys.press('Upload theme')
    }
    await keys.open('/wp-admin/appearance')
    await keys.press('Theme')
    await upload('Printed')
    await page.getByRole('dialog', { name: 'Confirm your password' }).waitFor()
    await keys.look()
    await keys.type('Current password', PASSWORD)
    await keys.keys('Enter')
    await page.getByText('Theme “card” installed.').waitFor()
    await upload('Reprinted')
    await page.getByRole('dialog', { name: 'Replace the theme “card”?' }).waitFor()
    await keys.look()
    await keys.press('Replace')
    await page.getByText('Theme “card” replaced.').waitFor()
    expect(readFileSync(file('home.eta'), 'utf8')).to.include('Reprinted')
    await keys.look()
    await keys.press('Preview the theme “card”')
    await page.frameLocator('iframe[title="Preview"]').getByText('Reprinted').waitFor()
    await keys.press('Activate the theme “card”')
    await page.getByText('Theme “card” activated.').waitFor()
    expect(await front()).to.include('Reprinted')
    await keys.press('Activate the theme “Default”')
    await page.getByText('Theme “Default” activated.').waitFor()
    await keys.press('Remove the theme “card”')
    await page.getByRole('dialog', { name: 'Remove the theme “card”?' }).waitFor()
    await keys.keys('Escape')
    await keys.arriveAt('Remove the theme “card”')
    await keys.keys('Enter')
    await page.getByRole('dialog', { name: 'Remove the theme “card”?' }).waitFor()
    await keys.press('Remove')
    await page.getByText('Theme removed.').waitFor()
    expect(existsSync(file('.'))).to.equal(false)
    await keys.arriveAt(/^Default/)
  })
}
