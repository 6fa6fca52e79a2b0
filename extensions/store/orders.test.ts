import { deepEqual, equal, match } from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { MailMessage } from 'pentad'
import type { TestHost } from 'pentad/testing'
import { z } from 'zod'
import { createOrderRecords } from './orders/order-records.ts'
import { openStoreTables } from './tables.ts'
import { openShop, type Shop } from './testing/shop.ts'
import { ada, createVisitor } from './testing/visitor.ts'

describe('store: orders', () => {
  let host: TestHost
  let create: Shop['create']
  let setStock: Shop['setStock']
  let stockOf: Shop['stockOf']
  const visitor = () => createVisitor(host)

  before(async () => {
    ;({ host, create, setStock, stockOf } = await openShop())
  })
  after(() => host.close())

  describe('an order', () => {
    it('is emailed to the site owner, with the customer in Reply-To', async () => {
      const buyer = visitor()
      const id = await create('products', { title: 'كوب 🫖', meta: { price: 500, sku: 'C-7' } }, 3)
      await buyer.post('/store/v1/cart/add', { id, quantity: 2 })
      const { status, data } = await buyer.post('/store/v1/orders', { ...ada, total: 1000 })
      equal(status, 201)
      const { number } = z.object({ number: z.string() }).parse(data)
      const mail = await mailOf(number)
      deepEqual([mail.to, mail.replyTo, mail.subject], ['admin@example.org', ada.email, `Order ${number}: €10.00`])
      match(mail.text ?? '', /2 × كوب 🫖 \(C-7\): €10\.00\n\nTotal: €10\.00\n\nName: Ada\n[\s\S]*1 Analytical Way$/)
      equal(await stockOf(id), 1)
      equal(buyer.cookie, 'store_cart=')
    })

    it('that is submitted twice is placed once', async () => {
      const buyer = visitor()
      const id = await create('products', { title: 'Once', meta: { price: 500 } }, 3)
      await buyer.post('/store/v1/cart/add', { id })
      const { cookie } = buyer
      const sent = await Promise.all([1, 2].map(() => buyer.post('/store/v1/orders', { ...ada, total: 500 })))
      buyer.cookie = cookie
      sent.push(await buyer.post('/store/v1/orders', { ...ada, total: 500 }))
      deepEqual(sent.map(({ status }) => status).sort(), [201, 409, 409])
      equal(await stockOf(id), 2)
    })

    it('contains the whole cart or is not placed', async () => {
      const buyer = visitor()
      const plenty = await create('products', { title: 'Plenty', meta: { price: 100 } }, 10)
      const scarce = await create('products', { title: 'Scarce', meta: { price: 100 } }, 2)
      for (const id of [plenty, scarce]) await buyer.post('/store/v1/cart/add', { id, quantity: 2 })
      await setStock(scarce, { quantity: 1 })
      const refused = await buyer.post('/store/v1/orders', { ...ada, total: 400 })
      deepEqual([refused.code, refused.message], ['store_out_of_stock', 'There is not enough stock of “Scarce”.'])
      deepEqual([await stockOf(plenty), await stockOf(scarce)], [10, 1])
      equal((await buyer.cart()).itemCount, 4)
    })

    it('is rejected if its total is not the one that the customer saw', async () => {
      const buyer = visitor()
      const id = await create('products', { title: 'Gold', meta: { price: 100 } })
      await buyer.post('/store/v1/cart/add', { id })
      await host.host.content.meta.set('post', id, 'price', 200)
      equal((await buyer.post('/store/v1/orders', { ...ada, total: 100 })).code, 'store_cart_changed')
      const form = await buyer.submit('/orders', { ...ada, total: '100' })
      equal(form.headers.get('Location'), '/cart/?store_notice=store_cart_changed')
    })

    it('uses the language of the site', async () => {
      const undo = host.host.hooks.addFilter('store_texts', (texts) => ({
        ...{ ...texts, empty: 'الآن <0>', ordered: 'شكرا {number} {else}' },
        ...{ remove: JSON.parse('7') },
      }))
      const buyer = visitor()
      match(await (await buyer.send('/cart/')).text(), /<p>الآن &lt;0&gt;<\/p>/)
      match(await (await buyer.send('/cart/?store_notice=ordered-12')).text(), />شكرا 12 \{else\}</)
      await buyer.post('/store/v1/cart/add', { id: await create('products', { title: 'Tin', meta: { price: 200 } }) })
      match(await (await buyer.send('/cart/')).text(), />Remove</)
      undo()
      match(await (await visitor().send('/cart/')).text(), /Your cart is empty/)
    })

    it('shows the customer the order number, and rejects an invalid email address in the browser', async () => {
      const buyer = visitor()
      await buyer.post('/store/v1/cart/add', { id: await create('products', { title: 'Brass', meta: { price: 200 } }) })
      const [, pattern = ''] =
        /type="email"[^>]* pattern="([^"]+)"/.exec(await (await buyer.send('/cart/')).text()) ?? []
      const isAddress = new RegExp(`^(?:${pattern})$`, 'v')
      deepEqual([isAddress.test(ada.email), isAddress.test('ada@localhost')], [true, false])

      const form = await buyer.submit('/orders', { ...ada, total: '200' })
      const [path, number = ''] =
        /^\/cart\/\?store_notice=ordered-(\d+)$/.exec(form.headers.get('Location') ?? '') ?? []
      match(await (await buyer.send(path ?? '')).text(), new RegExp(`Your order ${number} has been received`))
      match((await mailOf(number)).text ?? '', /Brass/)
    })

    it('is found for sending with an index of pending orders only', async () => {
      const plan = sql<{ detail: string }>`explain query plan
        select * from store_orders where unsent is not null order by id`
      const steps = (await plan.execute(host.host.database.db)).rows.map(({ detail }) => detail)
      deepEqual(steps, ['SCAN store_orders USING INDEX store_orders_unsent'])
    })

    it('waits for the mail server, even across a restart', async () => {
      const { hooks, database } = host.host
      const undo = hooks.addFilter('wp_mail', () => {
        throw new Error('The mail server is away.')
      })
      const buyer = visitor()
      const id = await create('products', { title: 'Patience', meta: { price: 100 } })
      await buyer.post('/store/v1/cart/add', { id })
      const { data } = await buyer.post('/store/v1/orders', { ...ada, total: 100 })
      const { number } = z.object({ number: z.string() }).parse(data)
      undo()
      await host.reload('store')
      match((await mailOf(number)).text ?? '', /Patience/)
      const unsent = sql<{ unsent: string | null }>`select unsent from store_orders where id = ${Number(number)}`
      await until(async () => (await unsent.execute(database.db)).rows[0]?.unsent === null)
    })

    it('is listed for the owner, who changes its status, has it sent again, and finds it by its customer', async () => {
      const buyer = visitor()
      const id = await create('products', { title: 'Kept', meta: { price: 1290 } })
      await buyer.post('/store/v1/cart/add', { id, quantity: 2 })
      const customer = { ...ada, name: '100% Grace_', email: 'grace@example.org' }
      const { data } = await buyer.post('/store/v1/orders', { ...customer, total: 2580 })
      const { number } = z.object({ number: z.string() }).parse(data)
      await mailOf(number)
      const ask = async (method: string, path: string, body?: object, as = 'administrator') => {
        const answer = await host.request(`/wp-json/store/v1/orders${path}`, { method, as, body })
        return { status: answer.status, ...JSON.parse(await answer.text()) }
      }
      for (const words of [number, '0% grace_', 'GRACE@example.org']) {
        const { items } = (await ask('GET', `?search=${encodeURIComponent(words)}`)).data
        const found = items.find((one: { number: string }) => one.number === number)
        equal(found?.total, '€25.80', words)
        deepEqual([found.items, found.state, found.email], ['2 × Kept', 'open', 'grace@example.org'])
      }
      equal((await ask('GET', '?search=1000%25')).data.total, 0)
      equal((await ask('GET', '', undefined, 'editor')).status, 403)
      equal((await ask('PUT', `/${number}`, { state: 'refunded' })).data.stateLabel, 'Refunded')
      equal((await ask('PUT', `/${number}`, { state: 'lost' })).status, 400)
      equal((await ask('PUT', '/999999', { state: 'open' })).code, 'store_order_not_found')

      const before = host.mails.filter(({ subject }) => subject.startsWith(`Order ${number}:`)).length
      await ask('POST', `/${number}/resend`)
      await until(
        async () => host.mails.filter(({ subject }) => subject.startsWith(`Order ${number}:`)).length === before + 1,
      )

      const note = 'To her bank\nin full'
      equal((await ask('PUT', `/${number}`, { state: 'refunded', note })).data.state, 'refunded')
      equal((await ask('PUT', `/${number}`, { note: 'x'.repeat(2001) })).status, 400)
      equal((await ask('PUT', `/${number}`, {})).data.state, 'refunded')
      const emailed = ({ label }: { label: string }) => label === 'Order email sent'
      await until(async () => (await ask('GET', `/${number}`)).data.events.filter(emailed).length === 2)
      const { data: shown } = await ask('GET', `/${number}`)
      deepEqual(shown.lines, [{ name: 'Kept', sku: '', quantity: 2, price: '€12.90', total: '€25.80' }])
      const log = shown.events.filter((event: { label: string }) => !emailed(event))
      const { author } = log[0]
      deepEqual(
        log.map((event: Record<string, string>) => [event.label, event.note, event.author]),
        [
          ['Note', note, author],
          ['Refunded', '', author],
          ['Placed', '', ''],
        ],
      )
      equal(author !== '', true)
      equal(shown.emailStatus, 'Sent')
      equal((await ask('GET', '/999999')).code, 'store_order_not_found')
      equal((await ask('PUT', '/999999', { note })).code, 'store_order_not_found')
      equal((await ask('GET', `/${number}`, undefined, 'editor')).status, 403)

      const privacy = (path: string, body?: object) =>
        host.request(`/wp-json/host/v1/privacy/requests${path}`, { method: 'POST', as: 'administrator', body })
      const request = await privacy('', { type: 'erase', email: 'Grace@example.org', isConfirmed: true })
      const { id: requestId } = JSON.parse(await request.text()).data
      await privacy(`/${requestId}/complete`)
      const erased = (await ask('GET', `?search=${number}`)).data.items.find(
        (one: { number: string }) => one.number === number,
      )
      deepEqual([erased.customer, erased.email, erased.message, erased.items], ['', '', '', '2 × Kept'])
      equal((await ask('POST', `/${number}/resend`)).code, 'store_order_erased')
      const { events, emailStatus } = (await ask('GET', `/${number}`)).data
      equal(emailStatus, '')
      deepEqual(
        events.filter((event: { note: string }) => event.note !== ''),
        [],
      )
    })

    it('stores no data of the customer again if the email is requested while it is erased', async () => {
      const { database } = host.host
      const records = createOrderRecords(await openStoreTables(database))
      const buyer = visitor()
      await buyer.post('/store/v1/cart/add', { id: await create('products', { title: 'Gone', meta: { price: 100 } }) })
      const email = 'gone@example.org'
      const { data } = await buyer.post('/store/v1/orders', { ...ada, email, total: 100 })
      const { number } = z.object({ number: z.string() }).parse(data)
      await mailOf(number)
      const [resent] = await Promise.allSettled([records.resend(Number(number)), records.eraseCustomer(email)])
      equal(resent.status === 'rejected' && resent.reason.code, 'store_order_erased')
      const { rows } = await sql<{ unsent: string | null }>`select unsent from store_orders
        where id = ${Number(number)}`.execute(database.db)
      equal(rows[0]?.unsent, null)
    })

    it('adds no line to the email headers, and rejects texts that are too long', async () => {
      const buyer = visitor()
      await buyer.post('/store/v1/cart/add', { id: await create('products', { title: 'Plain', meta: { price: 100 } }) })
      const hostile = [
        { name: 'Ada\r\nBcc: all@example.org' },
        { name: '' },
        { name: 'x'.repeat(10_000) },
        { email: 'ada@example.org\r\nBcc: all@example.org' },
        { email: 'ada@example.org, all@example.org' },
        { message: 'x'.repeat(10_000) },
        { message: 'NUL: \u0000' },
        { total: -1 },
        { total: 'free' },
      ]
      for (const field of hostile)
        equal((await buyer.post('/store/v1/orders', { ...ada, total: 100, ...field })).status, 400)
      const message = '<script>alert(1)</script>\u0007 🫖 مرحبا\r\nsecond line'
      const { data } = await buyer.post('/store/v1/orders', { ...ada, message, total: 100 })
      const { text } = await mailOf(z.object({ number: z.string() }).parse(data).number)
      match(text ?? '', /<script>alert\(1\)<\/script> 🫖 مرحبا\nsecond line$/)
    })
  })

  /** Waits for the email to the owner, which is sent in the background. */
  async function mailOf(number: string): Promise<MailMessage> {
    const find = () => host.mails.find(({ subject }) => subject.startsWith(`Order ${number}:`))
    await until(() => find() !== undefined)
    const mail = find()
    if (!mail) throw new Error(`There is no mail of order ${number}.`)
    return mail
  }

  /** Waits until the test's time limit. */
  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) await setTimeout(5)
  }

  it('leaves nothing behind', async () => {
    await host.expectNoLeaks('store')
  })
})
