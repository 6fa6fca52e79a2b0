import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { expectAccessible } from '../admin/admin-site.ts'
import { launchChromium } from '../speed/chromium.ts'
import { until } from '../support/until.ts'

describe('The default theme, in a browser,', () => {
  let site: TestHost
  let browser: Browser
  const upload = async (name: string, background: string) => {
    const source = await sharp({ create: { width: 640, height: 160, channels: 3, background } })
      .png()
      .toBuffer()
    return (await site.host.content.media.upload({ name, source })).id
  }

  before(async () => {
    site = await createTestHost({ services: true })
    const { content, settings } = site.host
    const siteLogo = await upload('light.png', 'teal')
    await content.updateSiteSettings({ title: 'Crumb and Coast', siteLogo })
    await settings.get('appearance')?.update({ darkLogo: await upload('dark.png', 'gold') })
    for (const title of ['About us', 'Recipes', 'Walks along the coast', 'Workshops', 'Gallery', 'Press', 'Contact'])
      for (const more of ['', ' for members'])
        await content.posts.insert({ type: 'page', title: title + more, status: 'publish', content: 'Text' })
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await site?.close()
  })

  async function open(width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme })
    await page.goto(site.url)
    expect(await page.evaluate('document.documentElement.scrollWidth'), String(width)).to.equal(width)
    return page
  }
  const box = (page: Page, selector: string) =>
    page.evaluate<{ left: number; right: number; top: number; bottom: number }>(
      `document.querySelector('${selector}').getBoundingClientRect().toJSON()`,
    )

  it('has a menu that does not fit below the title, over the full width, with the search at the top', async () => {
    const page = await open(1280)
    const [title, menu, search] = await Promise.all(
      ['.site-title', '.site-nav', '.site-tools'].map((one) => box(page, one)),
    )
    expect(menu?.top).to.be.at.least(title?.bottom ?? Number.NaN)
    expect(menu?.left).to.equal((await box(page, '.site-branding')).left)
    expect(search?.top).to.be.below(menu?.top ?? Number.NaN)
  })

  it('has the title below a wide logo on a phone, not under its buttons', async () => {
    const page = await open(390)
    const [logo, title, buttons] = await Promise.all(
      ['.custom-logo', '.site-title', '.site-tools'].map((one) => box(page, one)),
    )
    expect(title?.top).to.be.at.least(logo?.bottom ?? Number.NaN)
    expect(logo?.right).to.be.at.most(buttons?.left ?? Number.NaN)
  })

  it('breaks a long word in the title on a phone, in both text directions', async () => {
    const { content } = site.host
    await content.updateSiteSettings({ title: 'Crumb'.repeat(20) })
    for (const direction of ['ltr', 'rtl']) {
      const page = await open(390)
      await page.evaluate(`document.documentElement.dir = '${direction}'`)
      expect(await page.evaluate('document.documentElement.scrollWidth'), direction).to.equal(390)
      const [title, buttons] = await Promise.all(['.site-title', '.site-tools'].map((one) => box(page, one)))
      if (direction === 'ltr') expect(title?.right).to.be.at.most(buttons?.left ?? Number.NaN)
      else expect(title?.left).to.be.at.least(buttons?.right ?? Number.NaN)
      await page.close()
    }
    await content.updateSiteSettings({ title: 'Crumb and Coast' })
  })

  it('has space between the blocks of the sidebar, also above those with a margin of their own', async () => {
    const appearance = site.host.settings.get('appearance')
    const { id } = await site.host.content.posts.insert({ title: 'Coast', status: 'publish', content: 'Text' })
    await appearance?.update({
      sidebarBlocks: '<!-- wp:search /-->\n\n<!-- wp:latest-posts /-->\n\n<!-- wp:categories /-->',
    })
    const page = await open(1280)
    const boxes = ['.wp-block-search', '.wp-block-latest-posts', '.wp-block-categories']
    const [search, posts, categories] = await Promise.all(boxes.map((one) => box(page, `.sidebar > ${one}`)))
    expect(posts?.top).to.be.above((search?.bottom ?? Number.NaN) + 20)
    expect(categories?.top).to.be.above((posts?.bottom ?? Number.NaN) + 20)
    await appearance?.update({ sidebarBlocks: '' })
    await site.host.content.posts.delete(id)
  })

  it('does not move the page when the logo has loaded', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(/\/light/, async (route) => {
      await promise
      await route.continue()
    })
    await page.goto(site.url, { waitUntil: 'commit' })
    await page.locator('.site-footer').waitFor()
    const before = await box(page, 'main')
    resolve()
    await page.waitForLoadState('load')
    expect(await box(page, 'main')).to.deep.equal(before)
  })

  it('has the logo for dark mode on dark pages only', async () => {
    const shown = (page: Page) => page.evaluate<string>("document.querySelector('.custom-logo').currentSrc")
    expect(await shown(await open(1280))).to.match(/\/light[^/]*$/)
    expect(await shown(await open(1280, 'dark'))).to.match(/\/dark[^/]*$/)
    await site.host.settings.get('appearance')?.update({ colorScheme: 'light' })
    expect(await shown(await open(1280, 'dark'))).to.match(/\/light[^/]*$/)
    await site.host.settings.get('appearance')?.update({ colorScheme: 'dark' })
    expect(await shown(await open(1280))).to.match(/\/dark[^/]*$/)
  })

  it('passes its color scheme and logos on to the login form', async () => {
    const lightPage = 'rgb(248, 249, 250)'
    const darkPage = 'rgb(31, 31, 31)'
    const looks = [
      { chosen: 'auto', preferred: 'light', logo: 'light', background: lightPage },
      { chosen: 'auto', preferred: 'dark', logo: 'dark', background: darkPage },
      { chosen: 'light', preferred: 'dark', logo: 'light', background: lightPage },
      { chosen: 'dark', preferred: 'light', logo: 'dark', background: darkPage },
    ] as const
    for (const { chosen, preferred, logo, background } of looks) {
      await site.host.settings.get('appearance')?.update({ colorScheme: chosen })
      const page = await browser.newPage({ colorScheme: preferred })
      await page.goto(`${site.url}/wp-login.php`)
      const seen = await page.evaluate<Record<'logo' | 'background', string>>(`({
        logo: document.querySelector('.brand img').currentSrc,
        background: getComputedStyle(document.body).backgroundColor,
      })`)
      expect(seen.logo).to.match(new RegExp(`/${logo}[^/]*$`))
      expect(seen.background, `${chosen} for ${preferred}`).to.equal(background)
      const label = await page.getByText('Remember me for two weeks').boundingBox()
      expect(label?.height).to.be.at.least(44)
      await page.close()
    }
    await site.host.settings.get('appearance')?.update({ colorScheme: 'auto' })
  })

  it('copies the link of a post, and reports whether that worked', async () => {
    const { content } = site.host
    await content.posts.insert({ title: 'Bread', status: 'publish' })
    const address = `${site.url}/bread/`
    const context = await browser.newContext()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await context.newPage()
    await page.goto(address)
    const status = page.getByRole('status')
    const open = async () => {
      await page.getByRole('button', { name: 'Share' }).click()
      const focused = page.locator(':focus')
      await until(async () => (await focused.getAttribute('aria-label')) === 'Close')
      // There before its text, as otherwise screen readers do not read that.
      expect(await status.textContent()).to.equal('')
    }
    await open()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(address)
    await expectAccessible(page, '#share')
    await page.keyboard.press('Escape')
    await open()
    site.host.hooks.addFilter('wp_headers', (sent) => ({ ...sent, 'Permissions-Policy': 'clipboard-write=()' }))
    await page.goto(`${address}?forbidden`)
    await open()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('The link could not be copied.').waitFor()
    await context.close()
  })
})
