import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'

const answerSchema = z.object({
  code: z.string().optional(),
  message: z.string().optional(),
  data: z.json().optional(),
})
const idSchema = z.object({ id: z.int() })
const cartSchema = z.object({
  items: z.array(z.object({ id: z.int(), name: z.string(), quantity: z.int(), price: z.int(), lineTotal: z.int() })),
  total: z.int(),
  currency: z.string(),
  itemCount: z.int(),
})

/** A browser that keeps the cart's cookie, and as many as a test needs: each has an address of its own. */
class Visitor {
  static #count = 0
  readonly #host: TestHost
  readonly #address = `203.0.113.${(Visitor.#count++ % 250) + 1}`
  cookie = ''

  constructor(host: TestHost) {
    this.#host = host
  }

  async send(path: string, request: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
    const response = await fetch(new URL(path, this.#host.url), {
      redirect: 'manual',
      ...request,
      headers: { 'X-Forwarded-For': this.#address, Cookie: this.cookie, ...request.headers },
    })
    for (const line of response.headers.getSetCookie()) this.cookie = line.split(';')[0] ?? ''
    return response
  }

  /** What a program gets. */
  async post(route: string, body: object, headers: Record<string, string> = {}) {
    const json = { 'Content-Type': 'application/json', ...headers }
    const response = await this.send(`/wp-json/store/v1${route}`, {
      ...{ method: 'POST', headers: json, body: JSON.stringify(body) },
    })
    return { status: response.status, ...answerSchema.parse(await response.json()) }
  }

  /** What the form of a page does. */
  submit(route: string, fields: Record<string, string>) {
    const body = new URLSearchParams(fields).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: new URL(this.#host.url).origin }
    return this.send(`/wp-json/store/v1${route}`, { method: 'POST', headers, body })
  }

  async cart() {
    const { data } = answerSchema.parse(await (await this.send('/wp-json/store/v1/cart')).json())
    return cartSchema.parse(data)
  }
}

describe('store', () => {
  let host: TestHost
  const visitor = () => new Visitor(host)
  const ada = { name: 'Ada', email: 'ada@example.org', message: '1 Analytical Way' }

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

  it('sells the last five pieces to five of two hundred who add them at once', async () => {
    const id = await create('products', { title: 'Rare', meta: { price: 100 } }, 5)
    const buyers = Array.from({ length: 200 }, visitor)
    const added = await Promise.all(buyers.map((buyer) => buyer.post('/cart/add', { id })))
    deepEqual(new Set(added.map(({ status }) => status)), new Set([200]))
    const ordered = await Promise.all(buyers.map((buyer) => buyer.post('/orders', { ...ada, total: 100 })))
    equal(ordered.filter(({ status }) => status === 201).length, 5)
    equal(ordered.filter(({ status, code }) => status === 409 && code === 'store_out_of_stock').length, 195)
    equal(await stockOf(id), 0)
  })
})
