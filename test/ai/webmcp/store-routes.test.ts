import { expect } from 'chai'
import { createTestHost, type TestHost, type TestRequest } from 'pentad/testing'
import type { StoreCart, StoreProduct, WebMcpStore } from '../../../plugins/ai/webmcp/store.ts'
import { AI } from '../ai-plugin.ts'

const MUG: StoreProduct = {
  ...{ id: 7, name: 'Mug', url: 'https://shop.example/mug/', price: 1290, currency: 'EUR', stockStatus: 'instock' },
  ...{ description: 'Holds a third of a liter.', type: 'simple', purchasable: true },
}
const CART: StoreCart = {
  items: [{ key: 'a1', id: 7, name: 'Mug', quantity: 2, price: 1290, lineTotal: 2580 }],
  ...{ subtotal: 2580, total: 2580, currency: 'EUR', itemCount: 2 },
}
const STORE: WebMcpStore = {
  search: async () => [MUG],
  product: async (id) => (id === MUG.id ? MUG : undefined),
  cart: async () => CART,
  add: async () => ({ cart: CART, cookies: ['cart=signed; HttpOnly', 'seen=1'] }),
}
/** Known at run time only, so that anything can be answered, as by an author without types. */
const FILTER: string = 'ai_webmcp_store'

describe('tools of browser agents for a store by another author', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost({ extensions: [AI] })
    const body = { settings: { webMcpTools: 'on' } }
    await site.request('/wp-json/ai/v1/settings', { method: 'PUT', as: 'administrator', body })
  })
  after(() => site.close())

  async function ask(path: string, request: TestRequest = {}) {
    const answer = await site.request(`/wp-json/ai/v1/webmcp/${path}`, request)
    return { status: answer.status, body: JSON.parse(await answer.text()), headers: answer.headers }
  }
  const add = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    ask('cart/add', { method: 'POST', body, headers })

  /** Asks while the store is this one. */
  async function withStore<Answer>(store: unknown, question: () => Promise<Answer>): Promise<Answer> {
    const undo = site.host.hooks.addFilter(FILTER, () => store)
    try {
      return await question()
    } finally {
      undo()
    }
  }
  const withMore = <Answer>(more: Record<string, unknown>, question: () => Promise<Answer>) =>
    withStore({ ...STORE, ...more }, question)

  it('exist while there is a store', async () => {
    expect((await ask('cart')).status).to.equal(404)
    const { items } = await withStore(STORE, async () => (await ask('tools')).body.data)
    expect(
      items.slice(3).map(({ name, readOnly }: { name: string; readOnly: boolean }) => [name, readOnly]),
    ).to.deep.equal([
      ['search_products', true],
      ['get_product', true],
      ['view_cart', true],
      ['add_to_cart', false],
    ])
    expect((await ask('cart')).body.code).to.equal('rest_no_route')
  })

  it('answer prices in minor units, and as people read them', async () => {
    const row = { ...MUG, formattedPrice: '€12.90' }
    expect((await withStore(STORE, () => ask('products?query=mug'))).body.data).to.deep.equal({ items: [row] })
    expect((await withStore(STORE, () => ask('product/7'))).body.data).to.deep.equal(row)
    const yen = {
      search: async () => [
        { ...MUG, price: 500, currency: 'JPY' },
        { ...MUG, price: null },
      ],
    }
    const { items } = (await withMore(yen, () => ask('products?query='))).body.data
    expect(items[0].formattedPrice).to.equal('¥500')
    expect(items[1]).to.include({ price: null }).and.not.have.property('formattedPrice')
    expect((await withStore(STORE, () => ask('cart'))).body.data).to.deep.equal({
      ...CART,
      items: [{ ...CART.items[0], formattedPrice: '€12.90', formattedLineTotal: '€25.80' }],
      formattedSubtotal: '€25.80',
      formattedTotal: '€25.80',
    })
  })

  it('let the store keep the cart in cookies', async () => {
    const seen: unknown[] = []
    const more = {
      add: async (
        { headers, clientAddress }: { headers: Record<string, unknown>; clientAddress: string },
        line: unknown,
      ) => {
        seen.push(headers.cookie, clientAddress, line)
        return { cart: CART, cookies: ['cart=signed; HttpOnly', 'seen=1'] }
      },
    }
    const answer = await withMore(more, () => add({ id: '7' }, { Cookie: 'cart=before' }))
    expect(answer.status).to.equal(200)
    expect(answer.headers.getSetCookie()).to.deep.equal(['cart=signed; HttpOnly', 'seen=1'])
    expect(answer.headers.get('cache-control')).to.equal('no-store')
    expect(answer.body.data).to.include({ itemCount: 2, total: 2580 })
    expect(seen).to.deep.equal(['cart=before', '127.0.0.1', { id: 7, quantity: 1 }])
  })

  const errors: [error: string, status: number, code: string][] = [
    ['no_cart', 503, 'ai_no_cart'],
    ['not_found', 404, 'ai_not_found'],
    ['not_purchasable', 400, 'ai_not_purchasable'],
    ['out_of_stock', 409, 'ai_out_of_stock'],
  ]
  for (const [error, status, code] of errors)
    it(`respond with ${code} to the store's error ${error}`, async () => {
      const answer = await withMore({ add: async () => ({ error }) }, () => add({ id: 7 }))
      expect([answer.status, answer.body.code]).to.deep.equal([status, code])
    })

  it('accept the former name of an error, `refused`', async () => {
    const answer = await withMore({ add: async () => ({ refused: 'not_found' }) }, () => add({ id: 7 }))
    expect([answer.status, answer.body.code]).to.deep.equal([404, 'ai_not_found'])
  })

  it('say where there is no product and no cart', async () => {
    expect((await withStore(STORE, () => ask('product/8'))).body.code).to.equal('ai_not_found')
    const { status, body } = await withMore({ cart: async () => null }, () => ask('cart'))
    expect([status, body.code]).to.deep.equal([503, 'ai_no_cart'])
  })

  it('refuse what other sites send', async () => {
    const foreign: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: site.url },
    ]
    for (const headers of foreign) {
      const { status, body } = await withStore(STORE, () => add({ id: 7 }, headers))
      expect([status, body.code], JSON.stringify(headers)).to.deep.equal([403, 'invalid_origin'])
    }
    const own = { 'Sec-Fetch-Site': 'same-origin', Origin: site.url }
    expect((await withStore(STORE, () => add({ id: 7 }, own))).status).to.equal(200)
  })

  it('reject invalid products and quantities', async () => {
    const refused: [body: unknown, code: string][] = [
      [{}, 'rest_missing_callback_param'],
      [{ id: 'seven' }, 'rest_invalid_param'],
      [{ id: 7, quantity: 0 }, 'rest_invalid_param'],
      [{ id: 7, quantity: -1 }, 'rest_invalid_param'],
      [{ id: 7, quantity: 1.5 }, 'rest_invalid_param'],
      [{ id: 7, quantity: 1e9 }, 'rest_invalid_param'],
      [{ id: [7] }, 'rest_invalid_param'],
    ]
    for (const [body, code] of refused) {
      const answer = await withStore(STORE, () => add(body))
      expect([answer.status, answer.body.code], JSON.stringify(body)).to.deep.equal([400, code])
    }
  })

  it('pass on nothing that is no product', async () => {
    const wrong = [
      null,
      { ...MUG, url: 'javascript:alert(1)' },
      { ...MUG, price: 12.9 },
      { ...MUG, price: -1 },
      { ...MUG, currency: '€' },
      { ...MUG, description: { html: '<b>' } },
    ]
    const more = { search: async () => [...wrong, { ...MUG, wholesalePrice: 3 }] }
    const { items } = (await withMore(more, () => ask('products?query=mug'))).body.data
    expect(items).to.deep.equal([{ ...MUG, formattedPrice: '€12.90' }])
    const many = { search: async () => Array.from({ length: 30 }, () => MUG) }
    expect((await withMore(many, () => ask('products?query=mug&limit=30'))).body.data.items).to.have.length(20)
    const long = { cart: async () => ({ ...CART, items: Array.from({ length: 30 }, () => CART.items[0]) }) }
    const { data } = (await withMore(long, () => ask('cart'))).body
    expect([data.items.length, data.itemCount]).to.deep.equal([20, 2])
  })

  it('respond with 503 if the store fails, and reveal nothing about its errors', async () => {
    const fail = async () => {
      throw new Error('the password of the database is hunter2')
    }
    const stores: unknown[] = [{ ...STORE, search: fail, product: fail, cart: fail, add: fail }, 42, {}, 'store']
    // More often than an extension may fail within a minute.
    for (const store of stores) {
      for (const path of ['products?query=a', 'product/7', 'cart']) {
        const { status, body } = await withStore(store, () => ask(path))
        expect(status, path).to.equal(503)
        expect(body.code).to.be.oneOf(['ai_store_failed', 'ai_no_cart'])
        expect(JSON.stringify(body)).to.not.include('hunter2')
      }
      expect((await withStore(store, () => add({ id: 7 }))).body.code).to.equal('ai_no_cart')
    }
    const broken: unknown[] = [undefined, {}, { cart: CART, cookies: ['a=b\r\nX-Evil: 1'] }, { refused: 'because' }]
    for (const answer of broken)
      expect((await withMore({ add: async () => answer }, () => add({ id: 7 }))).body.code).to.equal('ai_no_cart')
    expect((await ask('search?query=a')).status).to.equal(200)
  })
})
