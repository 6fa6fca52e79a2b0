import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Browser, Page } from 'playwright-core'
import { expectAccessible } from '../admin/admin-site.ts'
import { launchFirefox } from '../support/firefox.ts'
import { temporaryFolder } from '../support/site-folder.ts'
import { until } from '../support/until.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

describe('The default theme, in Firefox,', () => {
  let site: TestHost
  let browser: Browser
  let page: Page

  before(async () => {
    site = await createTestHost({ services: true })
    const { content } = site.host
    await content.updateSiteSettings({ title: 'Crumb and Coast' })
    for (const title of ['Recipes', 'Workshops']) await content.posts.insert({ type: 'page', title, status: 'publish' })
    for (const title of ['Rye', 'Bread', 'Salt']) {
      await content.posts.insert({
        ...{ title, slug: title.toLowerCase(), status: 'publish', authorId: 1 },
        content: `<p>${title}, as <a href="https://example.org/book">the book</a> says.</p>`,
        date: `2026-01-0${title.length}T08:00:00`,
      })
    }
    const { items } = await content.posts.query({ types: ['post'], search: 'Bread', limit: 1 })
    await content.comments.insert({
      ...{ postId: items[0]?.id ?? 0, parentId: 0, userId: 0, authorName: 'Eve', authorEmail: 'eve@example.net' },
      ...{ authorUrl: '', authorAddress: '10.0.0.7', userAgent: '', status: 'approved', type: 'comment' },
      ...{ content: 'It rose well', date: '2026-01-07T08:00:00', dateGmt: '2026-01-07T08:00:00' },
    })
    browser = await launchFirefox('dark')
    page = await browser.newPage({ viewport: PHONE })
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  const isFocused = (label: string) =>
    page.evaluate<boolean>(`document.activeElement.getAttribute('aria-label') === '${label}'`)

  it('copies the link of a post with the keyboard alone', async () => {
    await page.goto(`${site.url}/bread/`)
    const share = page.getByRole('button', { name: 'Share', exact: true })
    await share.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Share this post' })
    await until(() => isFocused('Close'))
    await expectAccessible(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.getByText('Link copied').waitFor()
    await expectAccessible(page)
    expect(await dialog.getByRole('link', { name: 'Send by email' }).getAttribute('href')).to.equal(
      `mailto:?subject=Bread&body=${encodeURIComponent(`${site.url}/bread/`)}`,
    )
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await until(() => share.evaluate((it) => it.matches(':focus')))
    await page.getByRole('textbox', { name: 'Comment' }).focus()
    await page.keyboard.press('Control+v')
    expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).to.equal(`${site.url}/bread/`)
  })

  it('prints what was written, with the addresses of its links', async () => {
    // In a PDF, Firefox draws the weights of variable fonts, instead of writing their text.
    const systemFonts = { headingFont: 'system-serif', textFont: 'system-sans' }
    await site.host.settings.get('appearance')?.update(systemFonts)
    await page.goto(`${site.url}/bread/`)
    const file = join(temporaryFolder(), 'bread.pdf')
    writeFileSync(file, await page.pdf({ format: 'a4' }))
    const reader = await browser.newPage()
    await reader.goto(pathToFileURL(file).href)
    const text = async () => (await reader.locator('.textLayer').allTextContents()).join(' ')
    await until(async () => (await text()).includes('It rose well'))
    expect(await text())
      .to.match(/Crumb and Coast.*Bread.*admin.*Eve/)
      .and.include('the book (https://example.org/book)')
    expect(await text()).not.to.match(/Share|Search|Recipes|Reply|reply|Rye|Salt|RSS/)
    await reader.close()
  })

  it('is laid out from right to left', async () => {
    await site.host.content.updateSiteSettings({ language: 'ar' })
    for (const viewport of [PHONE, DESK]) {
      await page.setViewportSize(viewport)
      await page.goto(`${site.url}/bread/`)
      const center = async (selector: string) => {
        const box = await page.locator(selector).first().boundingBox()
        return ((box?.x ?? 0) + (box?.width ?? 0) / 2) / viewport.width
      }
      expect(await center('.site-title')).to.be.above(0.5)
      expect(await center('.site-tools')).to.be.below(0.5)
      expect(await center('.share-button')).to.be.below(0.5)
      // The character would point to the text.
      const scale = await page.evaluate("getComputedStyle(document.querySelector('.nav-previous .arrow')).scale")
      expect(scale).to.equal('-1 1')
      expect(
        await page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth'),
      ).to.equal(true)
      await expectAccessible(page)
    }
  })
})
