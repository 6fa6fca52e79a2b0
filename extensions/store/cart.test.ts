import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import type { TestHost } from 'pentad/testing'
import { z } from 'zod'
import { openShop, type Shop } from './testing/shop.ts'
import { ada, createVisitor } from './testing/visitor.ts'

describe('store: cart', () => {
  let host: TestHost
  let create: Shop['create']
  let stockOf: Shop['stockOf']
  const visitor = () => createVisitor(host)

  before(async () => {
    ;({ host, create, stockOf } = await openShop())
  })
  after(() => host.close())

  describe('the cart', () => {
    let id: number
    before(async () => {
      id = await create('products', { title: 'Pen', meta: { price: 150 } }, 5)
    })

    it('accepts no more items than are in stock, including those already in the cart', async () => {
      const buyer = visitor()
      equal((await buyer.post('/store/v1/cart/add', { id, quantity: 3 })).status, 200)
      equal((await buyer.post('/store/v1/cart/add', { id, quantity: 3 })).code, 'store_out_of_stock')
      equal((await buyer.post('/store/v1/cart/add', { id, quantity: 2 })).status, 200)
      const { total, itemCount, currency } = await buyer.cart()
      deepEqual({ total, itemCount, currency }, { total: 750, itemCount: 5, currency: 'EUR' })
      equal(await stockOf(id), 5, 'nothing is reserved')
    })

    it('accepts five of fifty concurrent additions if five items are in stock', async () => {
      const buyer = visitor()
      const other = await create('products', { title: 'Ink', meta: { price: 1 } })
      await buyer.post('/store/v1/cart/add', { id: other })
      const added = await Promise.all(Array.from({ length: 50 }, () => buyer.post('/store/v1/cart/add', { id })))
      equal(added.filter(({ status }) => status === 200).length, 5)
      equal((await buyer.cart()).itemCount, 6)
    })

    it('is changed line by line, and deleted when it is empty', async () => {
      const buyer = visitor()
      await buyer.post('/store/v1/cart/add', { id })
      equal((await buyer.post('/store/v1/cart/update', { id, quantity: 6 })).code, 'store_out_of_stock')
      await buyer.post('/store/v1/cart/update', { id, quantity: 4 })
      equal((await buyer.cart()).total, 600)
      await buyer.post('/store/v1/cart/update', { id, quantity: 0 })
      equal(buyer.cookie, 'store_cart=')
    })

    for (const quantity of [0, -1, 1.5, 1000, 1e9, '2; drop table store_stock', []]) {
      it(`rejects the quantity ${JSON.stringify(quantity)}`, async () => {
        equal((await visitor().post('/store/v1/cart/add', { id, quantity })).status, 400)
      })
    }

    it('is changed only by requests from pages of this site', async () => {
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

    it('ignores cookies that this site did not sign', async () => {
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

    it('is shown on the cart page, which is not cached', async () => {
      const buyer = visitor()
      const added = await buyer.submit('/cart/add', { id: String(id), quantity: '2' })
      equal(added.status, 303)
      equal(added.headers.get('Location'), '/cart/')
      const page = await buyer.send('/cart/')
      equal(page.headers.get('Cache-Control'), 'private, no-store')
      match(await page.text(), /name="robots" content="[^"]*noindex[\s\S]*Pen<\/a>[\s\S]*€3\.00/)
      match(await (await visitor().send('/cart/')).text(), /Your cart is empty/)
    })

    it('shows why a form was rejected, with fixed messages only', async () => {
      const buyer = visitor()
      const refused = await buyer.submit('/cart/add', { id: String(id), quantity: '6' })
      match(
        await (await buyer.send(refused.headers.get('Location') ?? '')).text(),
        /We don’t have enough of this product in stock/,
      )
      doesNotMatch(await (await buyer.send('/cart/?store_notice=%3Cb%3EPay%20me')).text(), /Pay me/)
    })

    it('is not available while its page is not published', async () => {
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
})
