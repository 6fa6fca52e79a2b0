import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { MailMessage } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { ada, createVisitor } from './testing/visitor.ts'

const idSchema = z.object({ id: z.int() })

describe('store', () => {
  let host: TestHost
  const visitor = () => createVisitor(host)

  /** Makes a product as the owner does. */
  async function create(type: 'products' | 'product-variations', body: object, quantity?: number): Promise<number> {
    const answer = await host.request(`/wp-json/wp/v2/${type}`, {
      ...{ method: 'POST', as: 'administrator', body: { status: 'publish', ...body } },
    })
    equal(answer.status, 201, await answer.clone().text())
    const { id } = idSchema.parse(await answer.json())
    if (quantity !== undefined) await setStock(id, { quantity })
    return id
  }
  const setStock = (id: number, body: object, as = 'administrator') =>
    host.request(`/wp-json/store/v1/stock/${id}`, { method: 'PUT', as, body })
  const stockOf = async (id: number) => {
    const answer = await host.get(`/wp-json/store/v1/stock/${id}`, { as: 'administrator' })
    return z.object({ data: z.object({ quantity: z.int().nullable() }) }).parse(await answer.json()).data.quantity
  }

  before(async () => {
    host = await createTestHost({ extensions: [import.meta.dirname], config: { trustedProxies: ['127.0.0.1'] } })
  })
  after(() => host.close())

  describe('products', () => {
    it('are made over wp/v2 by an editor, not by an author, and have a page, a price and a form', async () => {
      const id = await create('products', {
        title: 'Mug & co',
        content: 'Holds tea.',
        meta: { price: 1290, sku: 'M-1' },
      })
      const page = await (await host.get('/product/mug-co/')).text()
      match(page, /Holds tea\.[\s\S]*<p class="store-price">€12\.90<\/p>/)
      match(page, new RegExp(`action="/wp-json/store/v1/cart/add"><input type="hidden" name="id" value="${id}">`))
      const list = await (await host.get('/product/')).text()
      match(list, /<p class="store-price">€12\.90<\/p>/)
      doesNotMatch(list, /Add to cart/)
      const refused = await host.request('/wp-json/wp/v2/products', {
        method: 'POST',
        as: 'author',
        body: { title: 'x' },
      })
      equal(refused.status, 403)
    })

    it('of several variations show the lowest price and let visitors choose', async () => {
      const parent = await create('products', { title: 'T-shirt', meta: { product_type: 'variable' } })
      const large = await create('product-variations', {
        parent,
        title: '<b>Large</b>',
        menu_order: 2,
        meta: { price: 2500 },
      })
      const small = await create(
        'product-variations',
        { parent, title: 'Small', menu_order: 1, meta: { price: 2000 } },
        0,
      )
      const page = await (await host.get('/product/t-shirt/')).text()
      match(page, /<p class="store-price">From €20\.00<\/p>/)
      match(
        page,
        new RegExp(`value="${small}" disabled>Small, €20\\.00, sold out</option><option value="${large}">Large, €25`),
      )
      equal((await visitor().post('/store/v1/cart/add', { id: parent })).code, 'store_not_purchasable')
      equal((await visitor().post('/store/v1/cart/add', { id: small })).code, 'store_out_of_stock')
      const buyer = visitor()
      await buyer.post('/store/v1/cart/add', { id: large })
      equal((await buyer.cart()).items[0]?.name, 'T-shirt – Large')
    })

    for (const price of [-1, 12.5, 1e12, '12,90', []]) {
      it(`refuse the price ${JSON.stringify(price)}`, async () => {
        const body = { title: 'Odd', meta: { price } }
        const answer = await host.request('/wp-json/wp/v2/products', { method: 'POST', as: 'editor', body })
        equal(answer.status, 400)
      })
    }

    it('are not sold while they are a draft, behind a password or without a price', async () => {
      const hidden = [
        await create('products', { title: 'Draft', status: 'draft', meta: { price: 1 } }),
        await create('products', { title: 'Locked', password: 'x', meta: { price: 1 } }),
        await create('products', { title: 'Priceless' }),
      ]
      const codes = await Promise.all(
        hidden.map(async (id) => (await visitor().post('/store/v1/cart/add', { id })).code),
      )
      deepEqual(codes, ['product_not_found', 'product_not_found', 'store_not_purchasable'])
      equal((await visitor().post('/store/v1/cart/add', { id: 1 })).code, 'product_not_found', 'a post is no product')
    })
  })

  describe('stock', () => {
    it('is counted where the owner says so, and told to extensions', async () => {
      const told: unknown[] = []
      const undo = host.host.hooks.addAction('store_stock_changed', (change) => {
        told.push(change)
      })
      const id = await create('products', { title: 'Counted', meta: { price: 100 } })
      equal((await setStock(id, { change: 1 })).status, 409)
      await setStock(id, { quantity: 5 })
      await setStock(id, { change: -2 })
      equal((await setStock(id, { change: -4 })).status, 409)
      equal(await stockOf(id), 3)
      await setStock(id, { quantity: null })
      equal(await stockOf(id), null)
      undo()
      const of = { itemId: id, productId: id }
      deepEqual(told, [
        { ...of, before: null, after: 5 },
        { ...of, before: 5, after: 3 },
        { ...of, before: 3, after: null },
      ])
    })

    it('is changed by whoever may edit the product only', async () => {
      const id = await create('products', { title: 'Guarded', meta: { price: 100 } }, 1)
      equal((await setStock(id, { quantity: 2 }, 'author')).status, 403)
      equal((await host.request(`/wp-json/store/v1/stock/${id}`, { method: 'PUT', body: { quantity: 2 } })).status, 401)
      for (const body of [{}, { quantity: 1, change: 1 }, { quantity: -1 }, { quantity: 1.5 }, { change: 1e9 }])
        equal((await setStock(id, body)).status, 400)
      equal((await setStock(1, { quantity: 1 })).status, 404)
      equal(await stockOf(id), 1)
    })
  })

  describe('a change of price', () => {
    let told: unknown[]
    let undo: () => void
    before(() => {
      undo = host.host.hooks.addAction('store_price_changed', (change) => {
        told.push(change)
      })
    })
    beforeEach(() => {
      told = []
    })
    after(() => undo())

    const change = (path: string, body: object) =>
      host.request(`/wp-json/wp/v2/${path}`, { method: 'POST', as: 'administrator', body })

    it('is told once it was published, with what visitors saw before', async () => {
      const id = await create('products', { title: 'Lamp', status: 'draft', meta: { price: 300 } })
      await change(`products/${id}`, { meta: { price: 250 } })
      await change(`products/${id}`, { status: 'publish' })
      await change(`products/${id}`, { meta: { price: 200 } })
      await change(`products/${id}`, { meta: { price: 200 }, title: 'Old lamp' })
      deepEqual(told, [{ itemId: id, productId: id, before: 250, after: 200 }])
    })

    it('may be a discount of an extension, which then counts everywhere', async () => {
      const id = await create('products', { title: 'Chair', meta: { price: 999, sku: 'OLD-1' } })
      const other = await create('products', { title: 'Stool', meta: { price: 500, sku: 'OLD-2' } })
      const undo = host.host.hooks.addFilter('store_price', (price, { sku }) => {
        if (sku === 'OLD-2') return -1
        return sku === 'OLD-1' ? Math.round(price / 2) : price
      })
      const visitor = createVisitor(host)
      match(await (await host.get('/product/chair/')).text(), /€5\.00/)
      match(await (await host.get('/product/stool/')).text(), /€5\.00/)
      await visitor.post('/store/v1/cart/add', { id })
      await visitor.post('/store/v1/cart/add', { id: other })
      equal((await visitor.cart()).total, 1000)
      undo()
      const { code } = await visitor.post('/store/v1/orders', { ...ada, total: 1000 })
      equal(code, 'store_cart_changed')
      equal((await visitor.cart()).total, 1499)
    })

    it('is told of a variation, also where it or its product was published later', async () => {
      const parent = await create('products', { title: 'Vase', status: 'draft', meta: { product_type: 'variable' } })
      const early = await create('product-variations', { parent, title: 'Low', meta: { price: 10 } })
      const late = await create('product-variations', { parent, title: 'High', status: 'draft', meta: { price: 20 } })
      await change(`products/${parent}`, { status: 'publish' })
      await change(`product-variations/${late}`, { status: 'publish' })
      for (const id of [early, late]) await change(`product-variations/${id}`, { meta: { price: 5 } })
      deepEqual(told, [
        { itemId: early, productId: parent, before: 10, after: 5 },
        { itemId: late, productId: parent, before: 20, after: 5 },
      ])
    })
  })

  describe('the cart', () => {
    let id: number
    before(async () => {
      id = await create('products', { title: 'Pen', meta: { price: 150 } }, 5)
    })

    it('takes no more than there are, with what lies in it already', async () => {
      const buyer = visitor()
      equal((await buyer.post('/store/v1/cart/add', { id, quantity: 3 })).status, 200)
      equal((await buyer.post('/store/v1/cart/add', { id, quantity: 3 })).code, 'store_out_of_stock')
      equal((await buyer.post('/store/v1/cart/add', { id, quantity: 2 })).status, 200)
      const { total, itemCount, currency } = await buyer.cart()
      deepEqual({ total, itemCount, currency }, { total: 750, itemCount: 5, currency: 'EUR' })
      equal(await stockOf(id), 5, 'nothing is reserved')
    })

    it('takes the last five of fifty that are added to it at once', async () => {
      const buyer = visitor()
      const other = await create('products', { title: 'Ink', meta: { price: 1 } })
      await buyer.post('/store/v1/cart/add', { id: other })
      const added = await Promise.all(Array.from({ length: 50 }, () => buyer.post('/store/v1/cart/add', { id })))
      equal(added.filter(({ status }) => status === 200).length, 5)
      equal((await buyer.cart()).itemCount, 6)
    })

    it('is changed line by line, and forgotten when it is empty', async () => {
      const buyer = visitor()
      await buyer.post('/store/v1/cart/add', { id })
      equal((await buyer.post('/store/v1/cart/update', { id, quantity: 6 })).code, 'store_out_of_stock')
      await buyer.post('/store/v1/cart/update', { id, quantity: 4 })
      equal((await buyer.cart()).total, 600)
      await buyer.post('/store/v1/cart/update', { id, quantity: 0 })
      equal(buyer.cookie, 'store_cart=')
    })

    for (const quantity of [0, -1, 1.5, 1000, 1e9, '2; drop table store_stock', []]) {
      it(`refuses the quantity ${JSON.stringify(quantity)}`, async () => {
        equal((await visitor().post('/store/v1/cart/add', { id, quantity })).status, 400)
      })
    }

    it('is changed by pages of this site only', async () => {
      const buyer = visitor()
      const foreign = [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }, { Origin: 'null' }]
      for (const headers of foreign) {
        for (const route of ['/cart/add', '/cart/update', '/orders'])
          equal(
            (await buyer.post(`/store/v1${route}`, { id, quantity: 1, ...ada, total: 1 }, headers)).code,
            'invalid_origin',
          )
      }
      equal(buyer.cookie, '')
    })

    it('is nobody else’s: a cookie that this site did not sign is none', async () => {
      const buyer = visitor()
      await buyer.post('/store/v1/cart/add', { id })
      const thief = visitor()
      for (const cookie of [
        buyer.cookie.replace(/\..*/, ''),
        `${buyer.cookie}x`,
        buyer.cookie.replace('=', '=A'),
        'store_cart=.',
      ]) {
        thief.cookie = cookie
        equal((await thief.cart()).itemCount, 0, cookie)
      }
      const [, line] =
        /(; .*)/.exec((await buyer.submit('/cart/add', { id: String(id) })).headers.getSetCookie()[0] ?? '') ?? []
      equal(line, '; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax')
    })

    it('is shown on its page to its visitor, and kept by no cache', async () => {
      const buyer = visitor()
      const added = await buyer.submit('/cart/add', { id: String(id), quantity: '2' })
      equal(added.status, 303)
      equal(added.headers.get('Location'), '/cart/')
      const page = await buyer.send('/cart/')
      equal(page.headers.get('Cache-Control'), 'private, no-store')
      match(await page.text(), /name="robots" content="[^"]*noindex[\s\S]*Pen<\/a>[\s\S]*€3\.00/)
      match(await (await visitor().send('/cart/')).text(), /There is nothing in your cart/)
    })

    it('says what a form was refused for, in its own words only', async () => {
      const buyer = visitor()
      const refused = await buyer.submit('/cart/add', { id: String(id), quantity: '6' })
      match(await (await buyer.send(refused.headers.get('Location') ?? '')).text(), /not enough of this in stock/)
      doesNotMatch(await (await buyer.send('/cart/?store_notice=%3Cb%3EPay%20me')).text(), /Pay me/)
    })

    it('is away while its page is', async () => {
      const { cartPage } = z.object({ cartPage: z.int() }).parse(host.host.options.get('store_settings'))
      await host.host.content.posts.update(cartPage, { status: 'draft' })
      equal((await visitor().post('/store/v1/cart/add', { id })).code, 'store_no_cart')
      doesNotMatch(await (await host.get('/product/pen/')).text(), /<form[^>]*cart\/add/)
      const { auth } = host.host
      const editor = await auth.users.create({ login: 'ed', email: 'ed@example.org', roles: ['editor'] })
      const session = auth.sessionCookie(await auth.startSession(editor, { address: '127.0.0.1', userAgent: '' }))
      const preview = await host.get(`/?page_id=${cartPage}&preview=true`, { headers: { Cookie: session } })
      equal(preview.status, 200, 'who edits it sees its text')
      await host.host.content.posts.update(cartPage, { status: 'publish' })
    })
  })

  describe('an order', () => {
    it('is mailed to the owner, who answers to the customer', async () => {
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

    it('that is sent twice is taken once', async () => {
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

    it('takes all of the cart or nothing', async () => {
      const buyer = visitor()
      const plenty = await create('products', { title: 'Plenty', meta: { price: 100 } }, 10)
      const scarce = await create('products', { title: 'Scarce', meta: { price: 100 } }, 2)
      for (const id of [plenty, scarce]) await buyer.post('/store/v1/cart/add', { id, quantity: 2 })
      await setStock(scarce, { quantity: 1 })
      const refused = await buyer.post('/store/v1/orders', { ...ada, total: 400 })
      deepEqual([refused.code, refused.message], ['store_out_of_stock', 'There are not enough of “Scarce” in stock.'])
      deepEqual([await stockOf(plenty), await stockOf(scarce)], [10, 1])
      equal((await buyer.cart()).itemCount, 4)
    })

    it('costs what the customer saw', async () => {
      const buyer = visitor()
      const id = await create('products', { title: 'Gold', meta: { price: 100 } })
      await buyer.post('/store/v1/cart/add', { id })
      await host.host.content.meta.set('post', id, 'price', 200)
      equal((await buyer.post('/store/v1/orders', { ...ada, total: 100 })).code, 'store_cart_changed')
      const form = await buyer.submit('/orders', { ...ada, total: '100' })
      equal(form.headers.get('Location'), '/cart/?store_notice=store_cart_changed')
    })

    it('is taken in the language of the site', async () => {
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
      match(await (await visitor().send('/cart/')).text(), /There is nothing in your cart/)
    })

    it('tells the customer the number of the order, and at once what is no address', async () => {
      const buyer = visitor()
      await buyer.post('/store/v1/cart/add', { id: await create('products', { title: 'Brass', meta: { price: 200 } }) })
      const [, pattern = ''] =
        /type="email"[^>]* pattern="([^"]+)"/.exec(await (await buyer.send('/cart/')).text()) ?? []
      const isAddress = new RegExp(`^(?:${pattern})$`, 'v')
      deepEqual([isAddress.test(ada.email), isAddress.test('ada@localhost')], [true, false])

      const form = await buyer.submit('/orders', { ...ada, total: '200' })
      const [path, number = ''] =
        /^\/cart\/\?store_notice=ordered-(\d+)$/.exec(form.headers.get('Location') ?? '') ?? []
      match(await (await buyer.send(path ?? '')).text(), new RegExp(`Your order ${number} has been sent`))
      match((await mailOf(number)).text ?? '', /Brass/)
    })

    it('waits to be mailed where all that were placed before need not be looked at', async () => {
      const plan = sql<{ detail: string }>`explain query plan
        select * from store_orders where unsent is not null order by id`
      const steps = (await plan.execute(host.host.database.db)).rows.map(({ detail }) => detail)
      deepEqual(steps, ['SCAN store_orders USING INDEX store_orders_unsent'])
    })

    it('waits for the mail server, also over a restart; then the customer’s data goes', async () => {
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

    it('puts no line into the head of a mail, and takes no text that is too long', async () => {
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

  /** The owner's mail of an order, which is sent in the background. */
  async function mailOf(number: string): Promise<MailMessage> {
    const find = () => host.mails.find(({ subject }) => subject.startsWith(`Order ${number}:`))
    await until(() => find() !== undefined)
    const mail = find()
    if (!mail) throw new Error(`There is no mail of order ${number}.`)
    return mail
  }

  /** Until the test's time is up. */
  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) await setTimeout(5)
  }

  it('leaves nothing behind', async () => {
    await host.expectNoLeaks('store')
  })
})
