import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import type { User } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { ada, createVisitor } from './testing/visitor.ts'

/** JSON-LD, as far as these tests read it. */
const graphSchema = z.object({
  '@graph': z.array(
    z.object({ '@type': z.string(), sku: z.string().optional(), offers: z.record(z.string(), z.string()).optional() }),
  ),
})

describe('store with the services', () => {
  let host: TestHost
  let id: number

  const asOwner = (path: string, method: string, body: object) =>
    host.request(path, { method, as: 'administrator', body })
  const setStock = (quantity: number) => asOwner(`/wp-json/store/v1/stock/${id}`, 'PUT', { quantity })

  before(async () => {
    const config = { trustedProxies: ['127.0.0.1'] }
    host = await createTestHost({ extensions: [import.meta.dirname], services: true, config })
    await asOwner('/wp-json/ai/v1/settings', 'PUT', { settings: { webMcpTools: 'on' } })
    id = await makeProduct({ title: 'Teapot', content: 'Holds a liter.', meta: { price: 2990, sku: 'T-1' } })
    await setStock(2)
  })
  after(() => host.close())

  async function makeProduct(body: object, type = 'products'): Promise<number> {
    const response = await asOwner(`/wp-json/wp/v2/${type}`, 'POST', { status: 'publish', ...body })
    return z.object({ id: z.int() }).parse(await response.json()).id
  }

  /** Sends a request as a browser agent. */
  async function agent(path: string, request: { method?: string; body?: object; cookie?: string } = {}) {
    const { method = 'GET', body, cookie = '' } = request
    const response = await host.request(`/wp-json/ai/v1/webmcp/${path}`, {
      ...{ method, headers: { Cookie: cookie }, ...(body && { body }) },
    })
    const { code, data } = z
      .looseObject({ code: z.string().optional(), data: z.json().optional() })
      .parse(await response.json())
    return { status: response.status, code, data, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  }

  it('lets browser agents find a product, read it, and add it to the cart', async () => {
    const { data: found } = await agent('products?query=teapot')
    const { data: product } = await agent(`product/${id}`)
    deepEqual(found, { items: [product] })
    deepEqual(product, {
      ...{ id, name: 'Teapot', url: `${host.host.config.url}/product/teapot/`, type: 'simple', purchasable: true },
      ...{
        price: 2990,
        formattedPrice: '€29.90',
        currency: 'EUR',
        stockStatus: 'instock',
        description: 'Holds a liter.',
      },
    })
    const { data: added, cookie } = await agent('cart/add', { method: 'POST', body: { id, quantity: 2 } })
    const { data: cart } = await agent('cart', { cookie })
    deepEqual(cart, added)
    match(JSON.stringify(cart), new RegExp(`"id":${id},"name":"Teapot","quantity":2,"price":2990,"lineTotal":5980`))
  })

  it('returns the error codes of the AI service to browser agents', async () => {
    const variable = await makeProduct({ title: 'Jacket', meta: { product_type: 'variable' } })
    const variation = await makeProduct({ title: 'Red', parent: variable, meta: { price: 1 } }, 'product-variations')
    const draft = await makeProduct({ title: 'Soon', status: 'draft', meta: { price: 1 } })
    const add = async (body: object) => {
      const { status, code } = await agent('cart/add', { method: 'POST', body })
      return `${status} ${code}`
    }
    equal(await add({ id: draft }), '404 ai_not_found')
    equal(await add({ id: variation }), '404 ai_not_found')
    equal(await add({ id: variable }), '400 ai_not_purchasable')
    equal(await add({ id, quantity: 3 }), '409 ai_out_of_stock')
    const { cartPage } = z.object({ cartPage: z.int() }).parse(host.host.options.get('store_settings'))
    await asOwner('/wp-json/host/v1/settings/store', 'PUT', { settings: { cartPage: 0 } })
    equal(await add({ id }), '503 ai_no_cart')
    await asOwner('/wp-json/host/v1/settings/store', 'PUT', { settings: { cartPage } })
  })

  it('lets two hundred agents add the last five items concurrently, and sells them to five', async () => {
    const last = await makeProduct({ title: 'Rare', meta: { price: 100 } })
    await asOwner(`/wp-json/store/v1/stock/${last}`, 'PUT', { quantity: 5 })
    const agents = Array.from({ length: 200 }, () => createVisitor(host))
    await Promise.all(agents.map((buyer) => buyer.post('/ai/v1/webmcp/cart/add', { id: last })))
    const ordered = await Promise.all(agents.map((buyer) => buyer.post('/store/v1/orders', { ...ada, total: 100 })))
    equal(ordered.filter(({ status }) => status === 201).length, 5)
    equal(ordered.filter(({ code }) => code === 'store_out_of_stock').length, 195)
    match(JSON.stringify((await agent(`product/${last}`)).data), /"stockStatus":"outofstock"/)
    equal((await createVisitor(host).post('/ai/v1/webmcp/cart/add', { id: last })).code, 'ai_out_of_stock')
  })

  it('accepts five of two hundred concurrent additions to one cart if five items are in stock', async () => {
    const last = await makeProduct({ title: 'Scarce', meta: { price: 100 } })
    await asOwner(`/wp-json/store/v1/stock/${last}`, 'PUT', { quantity: 5 })
    const buyer = createVisitor(host)
    await buyer.post('/ai/v1/webmcp/cart/add', { id })
    const add = () => buyer.post('/ai/v1/webmcp/cart/add', { id: last })
    const added = await Promise.all(Array.from({ length: 200 }, add))
    equal(added.filter(({ status }) => status === 200).length, 5)
    equal(added.filter(({ code }) => code === 'ai_out_of_stock').length, 195)
  })

  it('adds structured data for the product of a page', async () => {
    const page = await (await host.get('/product/teapot/')).text()
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? []
    const graph = graphSchema.parse(JSON.parse(json))['@graph']
    const product = graph.find((thing) => thing['@type'] === 'Product')
    const { price, priceCurrency, availability } = product?.offers ?? {}
    deepEqual([product?.sku, price, priceCurrency], ['T-1', '29.90', 'EUR'])
    equal(availability, 'https://schema.org/InStock')
  })

  it('purges a product page when the product goes out of stock and when it is back in stock', async () => {
    const page = async () => {
      const response = await host.get('/product/teapot/')
      return { from: response.headers.get('X-Cache'), html: await response.text() }
    }
    await page()
    match((await page()).from ?? '', /HIT|STALE/)
    await setStock(0)
    match((await page()).html, /Out of stock/)
    await setStock(1)
    doesNotMatch((await page()).html, /Out of stock/)
  })

  it('lets models read products, and propose stock changes to users who may edit the product', async () => {
    const { abilities, auth } = host.host
    const caller = await auth.users.getByLogin('test-administrator')
    const names = async (user: User | null) => (await abilities.list(user)).map(({ name }) => name)
    deepEqual(
      (await names(caller ?? null)).filter((name) => name.startsWith('store/')),
      ['store/find-products', 'store/set-stock'],
    )
    deepEqual(
      (await names(null)).filter((name) => name.startsWith('store/')),
      [],
    )
    await setStock(2)
    const { before, after } = await abilities.preview('store/set-stock', { id, quantity: 9 }, caller ?? null)
    deepEqual([before, after], [{ quantity: 2 }, { quantity: 9 }])
    const parent = await makeProduct({ title: 'Cup', meta: { product_type: 'variable' } })
    const large = await makeProduct({ parent, title: 'Large', meta: { price: 100 } }, 'product-variations')
    const { summary } = await abilities.preview('store/set-stock', { id: large, quantity: 1 }, caller ?? null)
    equal(summary, 'Set the stock of “Cup – Large” to 1.')
    await abilities.run('store/set-stock', { id, quantity: 9 }, caller ?? null)
    const found = await abilities.run('store/find-products', { query: 'teapot' }, caller ?? null)
    match(JSON.stringify(found), /"stock":9/)
  })

  it('notifies subscribers of price drops and of products back in stock', async () => {
    const told: unknown[] = []
    const undo = (['pwa_price_drop', 'pwa_back_in_stock'] as const).map((name) =>
      host.host.hooks.addAction(name, (news) => {
        told.push([name, news])
      }),
    )
    const price = (value: number) => asOwner(`/wp-json/wp/v2/products/${id}`, 'POST', { meta: { price: value } })
    await price(3500)
    await price(2500)
    await setStock(0)
    await setStock(4)
    for (const remove of undo) remove()
    const news = { productId: id, name: 'Teapot', url: `${host.host.config.url}/product/teapot/`, image: undefined }
    deepEqual(told, [
      ['pwa_price_drop', { ...news, price: '€25.00' }],
      ['pwa_back_in_stock', { ...news, price: '€25.00' }],
    ])
  })
})
