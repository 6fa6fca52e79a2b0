import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { WXR_END, WXR_HEAD, wxrItem } from '../../content/import/wxr-file.ts'
import { enter, launchFirefox } from '../../support/firefox.ts'
import { until } from '../../support/until.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD } from '../admin-site.ts'

/** What this browser records of a canvas in half a second: WebM. */
async function recordVideo(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate<string>(`(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 90 })
    const context = canvas.getContext('2d')
    const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: 'video/webm' })
    const chunks = []
    recorder.ondataavailable = ({ data }) => chunks.push(data)
    const stopped = new Promise((resolve) => (recorder.onstop = resolve))
    recorder.start()
    for (let at = 0; at < 10; at++) {
      context.fillStyle = ['teal', 'gold'][at % 2]
      context.fillRect(0, 0, 160, 90)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    recorder.stop()
    await stopped
    return new Uint8Array(await new Blob(chunks).arrayBuffer()).toBase64()
  })()`)
  return Buffer.from(base64, 'base64')
}

describe('Content that is imported, uploaded, and edited by two, in Firefox, in dark colors', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite({ isNew: true, launch: () => launchFirefox('dark') })
    page = await admin.signIn()
    page.on('dialog', (dialog) => void dialog.accept())
  })
  after(() => admin?.close())

  const title = (of = page) => of.getByLabel('Title', { exact: true })
  const text = (of = page) => of.getByRole('textbox', { name: 'Content', exact: true })
  const button = (name: string, of = page) => of.getByRole('button', { name, exact: true })
  const go = (path: string) => page.goto(admin.site.url + path)
  const published = async (path: string) => (await admin.site.get(path)).text()

  it('imports a WordPress site during setup, which then continues', async () => {
    const step = (name: string) => page.getByRole('region', { name, exact: true }).waitFor()
    for (const name of ['Your site', 'Appearance']) {
      await step(name)
      await button('Skip').click()
    }
    await step('Content')
    await page.getByRole('radio', { name: 'Import a WordPress site' }).check()
    await expectAccessible(page)
    await button('Save and continue').click()
    await page.waitForURL('**/wp-admin/tools/import')
    const item = wxrItem({ id: 7000, title: 'Moved in', slug: 'moved-in', content: '<p>All furniture arrived.</p>' })
    await page.getByLabel('Export files', { exact: true }).setInputFiles({
      ...{ name: 'old-site.xml', mimeType: 'text/xml' },
      buffer: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${WXR_HEAD}${item}${WXR_END}`),
    })
    await expectAccessible(page)
    await button('Import').click()
    const report = page.getByRole('region', { name: 'Last import report' })
    await report.getByRole('row', { name: /^Posts 1 / }).waitFor()
    await expectAccessible(page)
    expect(await published('/moved-in/')).to.include('All furniture arrived.')
    await go('/wp-admin/')
    await step('Email')
    await button('Exit setup').click()
    await page.getByRole('heading', { name: 'Your site is ready' }).waitFor()
  })

  it('uploads a video, which visitors play', async () => {
    await go('/wp-admin/posts/new')
    await enter(title(), 'Film')
    await text().focus()
    await page.keyboard.type('/Video')
    await page.getByRole('option', { name: 'Video', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Select a file' })
    const file = { name: 'film.webm', mimeType: 'video/webm', buffer: await recordVideo(page) }
    await dialog.locator('input[type=file]').setInputFiles(file)
    await dialog.getByRole('button', { name: 'film', exact: true }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Use this file' }).click()
    await text().locator('video[src*="film"]').waitFor()
    await page.keyboard.type('Ten frames')
    await expectAccessible(page)
    await button('Publish').click()
    await page.getByText('Post published.').waitFor()

    await go('/film/')
    const video = page.locator('figure', { hasText: 'Ten frames' }).locator('video')
    await video.focus()
    await video.press('Space')
    await until(() =>
      page.evaluate<boolean>(`(() => {
        const { currentTime, videoWidth } = document.querySelector('.wp-block-video video')
        return currentTime > 0 && videoWidth === 160
      })()`),
    )
    await expectAccessible(page)
  })

  it('keeps two editors from overwriting each other', async () => {
    const { posts } = admin.site.host.content
    const { id } = await posts.insert({ title: 'Recipe', slug: 'recipe', status: 'publish', authorId: 1 })
    await go(`/wp-admin/posts/${id}`)
    await text().waitFor()
    const theirs = await admin.signIn('editor', `/wp-admin/posts/${id}`)
    await enter(title(theirs), 'Recipe for bread')
    await button('Update', theirs).click()
    await theirs.getByText('Post updated.').waitFor()
    await theirs.context().close()

    await text().focus()
    await page.keyboard.type('Salt the dough.')
    await button('Update').click()
    const dialog = page.getByRole('dialog', { name: 'A newer version has been saved' })
    await dialog.locator('ins').filter({ hasText: 'Salt the dough.' }).waitFor()
    await dialog.locator('del').filter({ hasText: 'for bread' }).waitFor()
    await expectAccessible(page)
    expect(await posts.get(id)).to.include({ title: 'Recipe for bread', content: '' })
    await dialog.getByRole('button', { name: 'Copy my version' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    await dialog.getByRole('button', { name: 'Use saved version' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await title().inputValue()).to.equal('Recipe for bread')
    await text().focus()
    await page.keyboard.press('Control+v')
    await text().getByText('Salt the dough.').waitFor()
    await button('Update').click()
    await page.getByText('Post updated.').waitFor()
    expect(await published('/recipe/'))
      .to.include('Recipe for bread')
      .and.include('Salt the dough.')
  })

  it('saves what was written in a session that has ended in another tab, after a login', async () => {
    await text().focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Let it rest.')
    const other = await admin.openTab(page, '/wp-admin/')
    await other.getByRole('button', { name: 'Your account' }).click()
    await other.getByRole('menuitem', { name: 'Log out' }).click()
    await other.waitForURL('**/wp-login.php*')
    await other.close()

    await button('Update').click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await enter(dialog.locator('[name=password]'), 'a wrong password')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').waitFor()
    await expectAccessible(page)
    await enter(dialog.locator('[name=password]'), PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Post updated.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await published('/recipe/')).to.include('Let it rest.')
  })
})
