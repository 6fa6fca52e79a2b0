import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type AdminSite, expectAccessible, openAdminSite, settled, shoot } from '../admin-site.ts'

describe('patterns in the admin', () => {
  let admin: AdminSite
  let page: Page
  before(async () => {
    admin = await openAdminSite()
    page = await admin.signIn('editor', '/wp-admin/')
  })
  after(() => admin.close())

  const stored = async () =>
    (await admin.site.host.content.posts.query({ types: ['wp_block'], statuses: ['publish', 'trash'] })).items
  const open = async (path = '') => {
    await page.goto(`${admin.site.url}/wp-admin/content/wp_block${path}`)
    await settled(page)
  }

  it('are written, with a category and a sync status', async () => {
    await page.getByRole('navigation', { name: 'Admin menu' }).getByRole('link', { name: 'Patterns' }).click()
    await settled(page)
    await shoot(page, 'patterns-empty')
    await page.getByRole('link', { name: 'Add New Pattern' }).first().click()
    await page.getByLabel('Title', { exact: true }).fill('Opening hours')
    await page.getByRole('textbox', { name: 'Content' }).click()
    await page.keyboard.type('Monday to Friday')
    await page.getByRole('combobox', { name: 'Pattern Categories' }).pressSequentially('Shop,')
    await page.getByRole('switch', { name: 'Synced' }).click({ force: true })
    await shoot(page, 'pattern-editor')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Publish' }).first().click()
    await page.getByText('Not synced: posts contain a copy of the pattern.').waitFor()
    const [pattern] = await stored()
    expect(pattern?.content).to.equal('<!-- wp:paragraph -->\n<p>Monday to Friday</p>\n<!-- /wp:paragraph -->')
  })

  it('are listed with their sync status and category, and renamed', async () => {
    await open()
    const row = page.getByRole('row', { name: 'Opening hours' })
    await row.getByText('Not synced').waitFor()
    await row.getByRole('button', { name: 'Shop' }).waitFor()
    await shoot(page, 'patterns')
    await expectAccessible(page)
    await row.getByRole('button', { name: 'Quick edit “Opening hours”' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Hours')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Hours', exact: true }).waitFor()
  })

  it('change wherever they are used if they are synced', async () => {
    await open('/new')
    await page.getByLabel('Title', { exact: true }).fill('Notice')
    await page.getByRole('textbox', { name: 'Content' }).click()
    await page.keyboard.type('Closed today')
    await page.getByRole('button', { name: 'Publish' }).first().click()
    await page.getByText('Synced: changes apply wherever the pattern is used.').waitFor()
    const id = Number(page.url().split('/').at(-1))
    const { posts } = admin.site.host.content
    const post = await posts.insert({ title: 'Shop', status: 'publish', content: `<!-- wp:block {"ref":${id}} /-->` })
    await page.getByRole('textbox', { name: 'Content' }).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' and tomorrow')
    await page.getByRole('button', { name: 'Update' }).first().click()
    await page.getByText('Pattern updated.').waitFor()
    const html = await (await fetch(`${admin.site.url}/${post.path}`)).text()
    expect(html).to.include('Closed today and tomorrow')
    await page.goto(`${admin.site.url}/wp-admin/posts/${post.id}`)
    const reference = page.getByRole('textbox', { name: 'Content' })
    await reference.getByText('Notice', { exact: true }).waitFor()
    await expectAccessible(page)
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      reference.getByRole('link', { name: 'Edit Pattern' }).click(),
    ])
    await tab.waitForURL(`**/wp-admin/content/wp_block/${id}`)
    await tab.close()
  })

  it('are moved to the trash', async () => {
    await open()
    await page.getByRole('button', { name: 'Move “Hours” to the trash' }).click()
    await page.getByText('“Hours” moved to the trash.').waitFor()
    expect((await stored()).find(({ title }) => title === 'Hours')?.status).to.equal('trash')
  })
})
