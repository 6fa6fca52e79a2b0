import { chmodSync, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { enter, launchFirefox } from '../../support/firefox.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { until } from '../../support/until.ts'
import { type AdminSite, expectAccessible, openAdminSite, PASSWORD } from '../admin-site.ts'

/** Of the clipboard. */
const PASTE = 'Control+v'

describe('The upkeep of a site, in Firefox', () => {
  let admin: AdminSite
  let page: Page
  const downloads = temporaryFolder()
  before(async () => {
    admin = await openAdminSite({
      launch: () => launchFirefox('light', { downloadsPath: downloads }),
      extensions: [join(import.meta.dirname, '../../../extensions/store')],
    })
    // While a site is replaced, it answers 503.
    admin.allow(/^503 \/wp-json\//)
    page = await admin.signIn()
    page.on('dialog', (dialog) => void dialog.accept())
  })
  after(() => admin?.close())

  const go = (path: string) => page.goto(`${admin.site.url}/wp-admin${path}`)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const row = (name: string | RegExp) => page.getByRole('row', { name })
  async function confirmPassword(): Promise<void> {
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
    await enter(dialog.getByLabel('Current password'), PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'hidden' })
  }

  it('fixes a problem on Site Health with one click, and copies information for support', async () => {
    chmodSync(join(admin.site.host.config.siteDir, 'options.json'), 0o644)
    await go('/tools/site-health')
    const issues = page.getByRole('region', { name: /^1 critical issue$/ })
    await issues.getByText(/Other users may read .*options\.json, which contains secrets/).waitFor()
    await expectAccessible(page)
    await issues.getByRole('button', { name: /^Restrict permissions/ }).click()
    await issues.waitFor({ state: 'detached' })
    await button('Copy information').click()
    await button('Copied').waitFor()
    await go('/posts/new')
    const text = page.getByRole('textbox', { name: 'Content', exact: true })
    await text.focus()
    await text.press(PASTE)
    await text.getByText(/Pentad version: /).waitFor()
  })

  it('approves comments together, answers one, and marks one as spam', async () => {
    const { comments } = admin.site.host.content
    const waiting = async () => (await comments.query({ statuses: ['hold'], types: ['comment'], limit: 100 })).items
    const before = await waiting()
    expect(before).to.have.length.above(2)
    await go('/comments?status=hold')
    const table = page.getByRole('table', { name: 'Comments' })
    const actions = table.getByRole('button', { name: /^Actions for the comment by/ })
    await actions.first().click()
    await page.getByRole('menuitem', { name: 'Mark as spam' }).click()
    await page.getByText('1 comment marked as spam.').waitFor()
    await actions.first().click()
    await page.getByRole('menuitem', { name: 'Reply' }).click()
    await enter(page.getByRole('textbox', { name: 'Reply' }), 'Thank you for asking.')
    await expectAccessible(page)
    await button('Approve and reply').click()
    await page.getByText('Reply published.').waitFor()
    await button(`Pending ${before.length - 2}`).waitFor()
    await table.getByRole('checkbox').first().check()
    await expectAccessible(page)
    await button('Approve').click()
    await page.getByText(/^\d+ comments? approved\.$/).waitFor()
    expect(await waiting()).to.deep.equal([])
    const { items } = await comments.query({ search: 'Thank you for asking.' })
    expect(items[0]).to.include({ status: 'approved' })
  })

  it('restores a post from the trash, and deletes one permanently', async () => {
    const { posts } = admin.site.host.content
    const [kept, gone] = await Promise.all(
      ['Kept after all', 'Never wanted'].map((title) => posts.insert({ title, status: 'trash', authorId: 1 })),
    )
    await go('/posts?status=trash')
    await button('Restore “Kept after all”').click()
    await page.getByText('“Kept after all” restored as a draft.').waitFor()
    await page.getByLabel('Select “Never wanted”').check()
    await expectAccessible(page)
    await button('Delete permanently').click()
    const dialog = page.getByRole('dialog', { name: 'Delete 1 item permanently?' })
    await dialog.getByText('“Never wanted” will be permanently deleted. This can’t be undone.').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('1 item deleted permanently.').waitFor()
    expect(await posts.get(kept?.id ?? 0)).to.include({ status: 'draft' })
    expect(await posts.get(gone?.id ?? 0)).to.equal(undefined)
  })

  it('erases and exports the data of a person, and writes the privacy policy', async () => {
    const { comments, posts } = admin.site.host.content
    const { items } = await posts.query({ types: ['post'], limit: 1 })
    const { id } = await comments.insert({
      ...{ postId: items[0]?.id ?? 0, parentId: 0, userId: 0, authorName: 'Eve', authorEmail: 'eve@example.net' },
      ...{ authorUrl: '', authorAddress: '10.0.0.7', userAgent: '', status: 'approved', type: 'comment' },
      ...{ content: 'It was me', date: '2026-01-07T08:00:00', dateGmt: '2026-01-07T08:00:00' },
    })
    async function request(screen: string): Promise<void> {
      await go(`/tools/privacy/${screen}`)
      await enter(page.getByLabel('Email address'), 'eve@example.net')
      await page.getByLabel('Send confirmation email').uncheck()
      await button('Add request').click()
      await row(/eve@example\.net/)
        .getByText('Confirmed')
        .waitFor()
      await expectAccessible(page)
    }
    await request('export')
    await button('Download personal data').click()
    const exported = join(downloads, 'personal-data.json')
    // Firefox creates an empty file first.
    await until(async () => existsSync(exported) && (await readFile(exported, 'utf8')).includes('It was me'))
    await request('erase')
    await row(/eve@example\.net/)
      .getByRole('button', { name: 'Erase personal data' })
      .click()
    const dialog = page.getByRole('dialog')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Erase personal data' }).click()
    await row(/eve@example\.net/)
      .getByText('Completed')
      .waitFor()
    expect((await comments.get(id))?.authorEmail).to.equal('')
    await button('Delete request: eve@example.net').click()
    await page.getByText('No requests').waitFor()

    await go('/settings/privacy')
    await button('Create privacy policy page').click()
    await page.waitForURL(/wp-admin\/pages\/\d+$/)
    const policy = Number(page.url().split('/').at(-1))
    expect(admin.site.host.settings.get('privacy')?.get()).to.include({ policyPage: policy })
    expect(await posts.get(policy)).to.include({ status: 'draft', title: 'Privacy Policy' })
  })

  it('types a price, cancels an order, and marks it as refunded', async () => {
    const { content, database } = admin.site.host
    const product = await content.posts.insert({ type: 'product', status: 'publish', title: 'Mug' })
    await go(`/content/product/${product.id}`)
    await enter(page.getByLabel('Price', { exact: true }), '12.9')
    await button('Update').click()
    await page.getByText('Product updated.').waitFor()
    expect(await content.meta.get('post', product.id, 'price')).to.equal(1290)
    const lines = [{ itemId: product.id, name: 'Mug', sku: '', quantity: 2, price: 1290 }]
    const details = JSON.stringify({ lines, total: 2580, currency: 'EUR' })
    await sql`insert into store_orders (placed_gmt, details, name, email, message)
      values ('2026-01-05 08:00:00', ${details}, 'Ada', 'ada@example.org', '1 Analytical Way')`.execute(database.db)
    await go('/extension/store/orders')
    await row(/Open Ada \(ada@example\.org\) 1 Analytical Way 2 × Mug €25\.80/).waitFor()
    await expectAccessible(page)
    await button('Cancel order').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()
    await row(/Canceled Ada/).waitFor()
    await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
    const note = page.getByRole('region', { name: 'Add note' }).getByRole('textbox')
    await enter(note, 'Called.')
    await button('Add note').click()
    const log = page.getByRole('table', { name: 'Log' })
    await log.getByRole('row', { name: /Note .* Called\./ }).waitFor()
    await enter(page.getByLabel('Refund note'), 'By bank transfer')
    await button('Mark as refunded').click()
    await log.getByRole('row', { name: /Refunded .* By bank transfer/ }).waitFor()
    await expectAccessible(page)
    const { rows } = await sql<{ state: string }>`select state from store_orders`.execute(database.db)
    expect(rows).to.deep.equal([{ state: 'refunded' }])
  })

  it('creates a backup, restores it, and undoes the restore', async () => {
    await go('/backup')
    await button('Create backup').click()
    const form = page.getByRole('dialog', { name: 'Create backup' })
    await enter(form.getByLabel('Title'), 'Before the move')
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Start backup' }).click()
    await page.getByText('Backup complete.').waitFor()
    await row('Before the move').getByText('Manual').waitFor()
    const { id } = await admin.site.host.content.posts.insert({ title: 'Written since', status: 'publish' })
    const isThere = async () => (await admin.site.host.content.posts.get(id))?.title === 'Written since'

    async function restore(title: string): Promise<void> {
      await button('Restore backup…').click()
      await expectAccessible(page)
      const dialog = page.getByRole('dialog', { name: `Restore “${title}”?` })
      await dialog.getByRole('button', { name: 'Restore backup' }).click()
      await confirmPassword()
      await page.getByRole('region', { name: 'Restore in progress' }).waitFor()
      await page.getByText('The site has been restored from the backup, and you are logged in again.').waitFor()
      await expectAccessible(page)
    }
    await row('Before the move').getByRole('link', { name: 'Restore' }).click()
    await page.getByText('This backup was signed by this site').waitFor()
    expect(await page.getByLabel('Back up the current site first').isChecked()).to.equal(true)
    await restore('Before the move')
    expect(await isThere()).to.equal(false)
    await page.getByRole('link', { name: 'Undo restore' }).click()
    await page.getByText('“Before a restore” was created on').waitFor()
    await page.getByLabel('Back up the current site first').uncheck()
    await restore('Before a restore')
    expect(await isThere()).to.equal(true)
  })
})
