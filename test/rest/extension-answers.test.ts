import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { checkedAnswers } from '../support/checked-answers.ts'

const EXTENSIONS = join(import.meta.dirname, '../../extensions')
const NAMES = readdirSync(EXTENSIONS)

/** What OpenAPI promises of the extensions that come along, beside what they answer. */
describe('OpenAPI describes what the extensions answer', () => {
  let site: TestHost
  let answers: ReturnType<typeof checkedAnswers>
  before(async () => {
    site = await createTestHost({ extensions: NAMES.map((name) => join(EXTENSIONS, name)) })
    answers = checkedAnswers(site)
  })
  after(() => site.close())

  it('reading-time', async () => {
    await answers.check('GET /reading-time/v1/posts/{id}', { path: '/reading-time/v1/posts/1' })
    answers.expectAll('reading-time/v1')
  })

  it('announcement-bar', async () => {
    await answers.check('PUT /announcement-bar/v1/bar', { body: { message: 'Sale' } })
    await answers.check('GET /announcement-bar/v1/bar')
    answers.expectAll('announcement-bar/v1')
  })

  it('store', async () => {
    const { content, settings } = site.host
    const page = await content.posts.insert({ type: 'page', title: 'Cart', status: 'publish' })
    await settings.get('store')?.update({ cartPage: page.id })
    const { id } = await answers.check('POST /wp/v2/products', {
      body: { title: 'Pen', status: 'publish', meta: { price: 150 } },
    })
    const stock = { path: `/store/v1/stock/${id}` }
    await answers.check('PUT /store/v1/stock/{id}', { ...stock, body: { quantity: 5 } })
    await answers.check('GET /store/v1/stock/{id}', stock)

    const added = await site.request('/wp-json/store/v1/cart/add', { method: 'POST', body: { id } })
    const headers = { Cookie: String(added.headers.get('set-cookie')).replace(/;.*/, '') }
    await answers.check('POST /store/v1/cart/add', { headers, body: { id } })
    await answers.check('POST /store/v1/cart/update', { headers, body: { id, quantity: 3 } })
    const { total } = await answers.check('GET /store/v1/cart', { headers })
    expect(total).to.equal(450)
    const order = { name: 'Ada', email: 'ada@example.org', total }
    await answers.check('POST /store/v1/orders', { headers, body: order })
    const { items } = await answers.check('GET /store/v1/orders')
    const one = `/store/v1/orders/${items[0].id}`
    await answers.check('GET /store/v1/orders/{id}', { path: one })
    await answers.check('PUT /store/v1/orders/{id}', { path: one, body: { state: 'completed' } })
    await answers.check('POST /store/v1/orders/{id}/resend', { path: `${one}/resend` })
    answers.expectAll('store/v1')
  })

  it('integrations of caches, whose receivers are other servers', () => {
    const integrations = NAMES.filter((name) => name.endsWith('-purge'))
    expect(integrations).to.have.length.greaterThan(3)
    for (const name of integrations) answers.expectAll(`${name}/v1`, [`POST /${name}/v1/test`])
  })
})
