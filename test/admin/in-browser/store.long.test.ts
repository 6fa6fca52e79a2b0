import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { until } from '../../support/until.ts'
import { type AdminSite, looksGood, openAdminSite, settled } from '../admin-site.ts'

describe('The store in the admin', () => {
  let admin: AdminSite
  before(async () => {
    admin = await openAdminSite({ extensions: [join(import.meta.dirname, '../../../extensions/store')] })
  })
  after(() => admin?.close())

  const priceOf = async (id: number) => (await admin.site.host.content.meta.of('post', [id])).get(id)?.price?.[0]

  it('takes prices as money of the currency', async () => {
    const { host } = admin.site
    const product = await host.content.posts.insert({ type: 'product', status: 'publish', title: 'Mug' })
    const page = await admin.signIn('administrator', `/wp-admin/content/product/${product.id}`)
    const price = page.getByLabel('Price', { exact: true })
    expect(await price.inputValue()).to.equal('')
    await price.pressSequentially('12.9')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await until(async () => (await priceOf(product.id)) === 1290)
    await page.reload()
    await settled(page)
    expect(await price.inputValue()).to.equal('12.90')
    await looksGood(page, 'store-price')
    await price.fill('')
    await price.pressSequentially('1,290.00')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await until(async () => (await priceOf(product.id)) === 129_000)
    // Neither 12.90 nor 1290.
    await price.fill('12,90')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await page.getByText('Enter an amount such as 1,290.00.').waitFor()
    await page.getByRole('alert').first().waitFor()
    expect(await priceOf(product.id)).to.equal(129_000)
    await price.fill('12.9')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await until(async () => (await priceOf(product.id)) === 1290)
    // Yen have no smaller unit.
    await host.settings.get('store')?.update({ currency: 'JPY' })
    await page.reload()
    await settled(page)
    expect(await price.inputValue()).to.equal('1290')
    await price.fill('')
    await page.getByRole('button', { name: 'Update', exact: true }).click()
    await until(async () => ((await priceOf(product.id)) ?? null) === null)
    await host.settings.get('store')?.update({ currency: 'EUR' })
  })

  it('lists orders and changes their status', async () => {
    const { database } = admin.site.host
    const details = {
      lines: [{ itemId: 1, name: 'Mug', sku: '', quantity: 2, price: 1290 }],
      total: 2580,
      currency: 'EUR',
    }
    const customer = { name: 'Ada', email: 'ada@example.org', message: '1 Analytical Way' }
    await sql`insert into store_orders (placed_gmt, details, name, email, message)
      values ('2026-01-05 08:00:00', ${JSON.stringify(details)}, ${customer.name}, ${customer.email}, ${customer.message})`.execute(
      database.db,
    )
    const page = await admin.signIn('administrator', '/wp-admin/extension/store/orders')
    const table = page.getByRole('table', { name: 'Orders' })
    await table.getByRole('row', { name: /Open Ada \(ada@example\.org\) 1 Analytical Way 2 × Mug €25\.80/ }).waitFor()
    await looksGood(page, 'store-orders')
    const offered = () => table.getByRole('row', { name: /Ada/ }).getByRole('button').allInnerTexts()
    expect(await offered()).to.deep.equal(['Complete', 'Cancel order', 'Send email again'])
    await table.getByRole('button', { name: 'Cancel order' }).click()
    await page
      .getByRole('dialog')
      .getByText(/Cancel order \d+\?/)
      .waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).press('Enter')
    await table.getByRole('row', { name: /Canceled Ada/ }).waitFor()
    expect(await offered()).to.deep.equal(['Reopen', 'Send email again'])
  })

  it('shows an order with its log, takes notes, and marks it as refunded', async () => {
    const page = await admin.signIn('administrator', '/wp-admin/extension/store/orders?search=ada')
    const table = page.getByRole('table', { name: 'Orders' })
    await table.getByRole('link').first().press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Order \d+$/ }).waitFor()
    await page
      .getByRole('table', { name: 'Items' })
      .getByRole('row', { name: /Mug – 2 €12\.90 €25\.80/ })
      .waitFor()
    const log = page.getByRole('table', { name: 'Log' })
    const note = page.getByRole('region', { name: 'Add note' }).getByRole('textbox')
    await log.getByRole('row', { name: /Canceled .* Robin Administrator/ }).waitFor()
    const arrived = Promise.withResolvers<void>()
    const sent: unknown[] = []
    await page.route(/store\/v1\/orders\/\d/, async (route) => {
      if (route.request().method() !== 'GET') {
        sent.push(route.request().postDataJSON())
        await arrived.promise
      }
      await route.continue()
    })
    await note.fill(' \n ')
    await page.getByRole('button', { name: 'Add note' }).click()
    await until(async () => (await note.inputValue()) === '')
    expect(sent).to.deep.equal([])
    await note.fill(' Called.\nWill send <it> back.\n')
    await page.getByRole('button', { name: 'Add note' }).click()
    await until(async () => !(await note.isEditable()))
    expect(sent).to.deep.equal([{ note: 'Called.\nWill send <it> back.' }])
    arrived.resolve()
    await log.getByRole('row', { name: /Note .* Called\. Will send <it> back\./ }).waitFor()
    expect(await note.inputValue()).to.equal('')
    await page.getByLabel('Refund note').fill('By bank transfer')
    await page.getByRole('button', { name: 'Mark as refunded' }).press('Enter')
    await log.getByRole('row', { name: /Refunded .* By bank transfer/ }).waitFor()
    await page.getByRole('region', { name: 'Refund', exact: true }).waitFor({ state: 'detached' })
    await looksGood(page, 'store-order')
    // A reload shows the same order; the list is as it was.
    await page.reload()
    await log.getByRole('row', { name: /Refunded/ }).waitFor()
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await table.getByRole('row', { name: /Refunded Ada/ }).waitFor()
    expect(await page.getByRole('searchbox').inputValue()).to.equal('ada')
  })

  it('links to the details with the ID if the first column of a row is empty', async () => {
    const page = await admin.signIn('administrator', '/wp-admin/')
    await page.route('**/wp-json/store/v1/orders?*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const items = body.data.items.map((item: object) => ({ ...item, number: '' }))
      await route.fulfill({ response, json: { ...body, data: { ...body.data, items } } })
    })
    await page.goto(`${admin.site.url}/wp-admin/extension/store/orders`)
    await page.getByRole('table', { name: 'Orders' }).getByRole('link', { name: /^\d+$/ }).click()
    await page.getByRole('heading', { level: 1, name: /^Order \d+$/ }).waitFor()
  })
})
