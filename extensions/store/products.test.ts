import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import type { TestHost } from 'pentad/testing'
import { openShop, type Shop } from './testing/shop.ts'
import { ada, createVisitor } from './testing/visitor.ts'

describe('store: products', () => {
  let host: TestHost
  let create: Shop['create']
  let setStock: Shop['setStock']
  let stockOf: Shop['stockOf']
  const visitor = () => createVisitor(host)

  before(async () => {
    ;({ host, create, setStock, stockOf } = await openShop())
  })
  after(() => host.close())

  describe('products', () => {
    it('are created over wp/v2 by editors, not by authors, and have a page, a price and a form', async () => {
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

    it('with variations show the lowest price and let visitors choose', async () => {
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
        new RegExp(
          `value="${small}" disabled>Small, €20\\.00, out of stock</option><option value="${large}">Large, €25`,
        ),
      )
      equal((await visitor().post('/store/v1/cart/add', { id: parent })).code, 'store_not_purchasable')
      equal((await visitor().post('/store/v1/cart/add', { id: small })).code, 'store_out_of_stock')
      const buyer = visitor()
      await buyer.post('/store/v1/cart/add', { id: large })
      equal((await buyer.cart()).items[0]?.name, 'T-shirt – Large')
    })

    for (const price of [-1, 12.5, 1e12, '12,90', []]) {
      it(`reject the price ${JSON.stringify(price)}`, async () => {
        const body = { title: 'Odd', meta: { price } }
        const response = await host.request('/wp-json/wp/v2/products', { method: 'POST', as: 'editor', body })
        equal(response.status, 400)
      })
    }

    it('cannot be purchased as drafts, with a password or without a price', async () => {
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
    it('is tracked if the owner turns that on, and its changes are reported to extensions', async () => {
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

    it('can only be changed by users who may edit the product', async () => {
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

    it('is reported after the product was published, with the previous public price', async () => {
      const id = await create('products', { title: 'Lamp', status: 'draft', meta: { price: 300 } })
      await change(`products/${id}`, { meta: { price: 250 } })
      await change(`products/${id}`, { status: 'publish' })
      await change(`products/${id}`, { meta: { price: 200 } })
      await change(`products/${id}`, { meta: { price: 200 }, title: 'Old lamp' })
      deepEqual(told, [{ itemId: id, productId: id, before: 250, after: 200 }])
    })

    it('by an extension (store_price) applies everywhere', async () => {
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

    it('is reported for a variation, even if it or its product was published later', async () => {
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
})
