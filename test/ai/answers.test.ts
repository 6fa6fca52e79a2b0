import { expect } from 'chai'
import { createTestHost, type TestHost, type TestRequest } from 'pentad/testing'
import type { StoreCart, StoreProduct, WebMcpStore } from '../../plugins/ai/webmcp/store.ts'
import { LICENSED } from '../seo/licence.ts'
import { PIXEL } from '../seo/pixel.ts'
import { type DescribedAnswers, describedAnswers } from '../support/described-answers.ts'
import { AI } from './ai-plugin.ts'
import { openProviderServer, type ProviderServer } from './provider-server/index.ts'

const MUG: StoreProduct = {
  ...{ id: 7, name: 'Mug', url: 'https://shop.example/mug/', price: 1290, currency: 'EUR', stockStatus: 'instock' },
  ...{ description: 'Holds a third of a litre.', type: 'simple', purchasable: true },
}
const CART: StoreCart = {
  items: [{ key: 'a1', id: 7, name: 'Mug', quantity: 2, price: 1290, lineTotal: 2580 }],
  ...{ subtotal: 2580, total: 2580, currency: 'EUR', itemCount: 2 },
}
const STORE: WebMcpStore = {
  search: async () => [MUG, { ...MUG, id: 8, price: null }],
  product: async () => MUG,
  cart: async () => CART,
  add: async () => ({ cart: CART, cookies: [] }),
}

describe('OpenAPI describes what the AI service answers', () => {
  let site: TestHost
  let models: ProviderServer
  let answers: DescribedAnswers
  let excerptOf = 0
  const checked = new Set<string>()

  before(async () => {
    models = await openProviderServer()
    const { licensePublicKey, licenseKey } = LICENSED
    site = await createTestHost({ extensions: [AI], config: { licensePublicKey } })
    await site.host.auth.licence.set(licenseKey)
    site.respond(models.responder)
    site.host.hooks.addFilter('ai_webmcp_store', () => STORE)
    const settings = { openaiApiKey: 'k', webMcpTools: 'on', helpdeskAgent: 'on', helpdeskConversation: 'on' }
    await site.request('/wp-json/ai/v1/settings', { method: 'PUT', as: 'administrator', body: { settings } })
    const post = { title: 'Lighthouse', content: '<p>Open on Sundays.</p>', status: 'publish' }
    excerptOf = (await site.host.content.posts.insert(post)).id
    answers = describedAnswers(site.host.rest.openApi())
  })
  after(async () => {
    await site.close()
    await models.close()
  })

  /** Sends a request as the administrator, and checks its answer by what OpenAPI says of the route. */
  async function check(method: string, route: string, request: { path?: string } & TestRequest = {}) {
    const { path = route, ...more } = request
    const answer = await site.request(`/wp-json${path}`, { method: method.toUpperCase(), as: 'administrator', ...more })
    const body = JSON.parse(await answer.text())
    expect(answer.ok, `${method} ${path}: ${JSON.stringify(body)}`).to.equal(true)
    answers.expectToFit(route, body, method)
    checked.add(`${method} ${route}`)
    return body.data ?? body
  }

  const visitor = { headers: { 'X-Requested-With': 'test' } }

  it('providers, usage and settings', async () => {
    await check('put', '/ai/v1/settings', { body: { settings: { unknownSetting: 1 } } })
    await check('get', '/ai/v1/providers')
    models.script('ready')
    await check('post', '/ai/v1/providers/{provider}/test', { path: '/ai/v1/providers/openai/test' })
    const { users, purposes } = await check('get', '/ai/v1/usage')
    expect([users.length, purposes.length]).to.deep.equal([1, 1])
  })

  it('generated texts, terms and images', async () => {
    const body = { title: 'Salt', brief: 'About salt' }
    models.script({ object: { titles: ['Salt', 'More salt'] } })
    await check('post', '/ai/v1/generate-title', { body })
    models.script({ text: '<p>Salt</p>', finish: 'length' })
    expect(await check('post', '/ai/v1/generate-content', { body })).to.include({ truncated: true })
    models.script('<p>Salt</p>')
    expect(await check('post', '/ai/v1/generate-content', { body })).not.to.have.property('truncated')
    await site.host.content.terms.insert('post_tag', { name: 'Sea' })
    models.script({ object: { tags: ['Sea', 'Salt'] } })
    await check('post', '/ai/v1/generate-tags', { body: { title: 'Salt' } })
    models.script({ object: { id: 1 } })
    await check('post', '/ai/v1/generate-categories', { body: { title: 'Salt' } })
    await check('get', '/ai/v1/image-capability')
    models.script({ object: { prompt: 'Salt', alt: 'Salt' } }, { image: PIXEL })
    await check('post', '/ai/v1/generate-featured-image', { body })
  })

  it('the copilot: replies, requests, changes, conversations and the audit log', async () => {
    const propose = (excerpt: string) =>
      models.script(
        { calls: [{ name: 'content__edit-post', input: { id: excerptOf, excerpt } }] },
        { text: 'I prepared it.' },
      )
    propose('One')
    const { conversationId } = await check('post', '/ai/v1/generateAiResponse', {
      body: { message: 'Change it', requestId: 'r1' },
    })
    await check('get', '/ai/v1/progress', { path: '/ai/v1/progress?requestId=r1' })
    propose('Two')
    await check('post', '/ai/v1/generateAiResponse', { body: { message: 'Again', conversationId } })
    const { items } = await check('get', '/ai/v1/changes')
    const [second, first] = items
    await check('post', '/ai/v1/changes/{id}/discard', { path: `/ai/v1/changes/${first.id}/discard` })
    await check('post', '/ai/v1/changes/{id}/apply', { path: `/ai/v1/changes/${second.id}/apply` })
    await check('get', '/ai/v1/changes')
    await check('get', '/ai/v1/conversations')
    const path = `/ai/v1/conversations/${conversationId}`
    const { messages } = await check('get', '/ai/v1/conversations/{id}', { path })
    expect(messages[1].steps).to.have.length(1)
    const { items: events } = await check('get', '/ai/v1/audit-log')
    expect(events.map(({ event }: { event: string }) => event)).to.include.members(['turn', 'propose', 'apply'])
    await check('delete', '/ai/v1/conversations/{id}', { path })
  })

  it('the copilot: a request in the background that is cancelled', async () => {
    const held = Promise.withResolvers<void>()
    models.script({ text: 'A long reply', hold: held.promise })
    const body = { message: 'Write', requestId: 'r2', background: true }
    expect(await check('post', '/ai/v1/generateAiResponse', { body })).to.include({ state: 'running' })
    await check('get', '/ai/v1/progress', { path: '/ai/v1/progress?requestId=r2' })
    await check('get', '/ai/v1/requests')
    await check('post', '/ai/v1/cancel', { body: { requestId: 'r2' } })
    held.resolve()
    let state = 'running'
    while (state === 'running') {
      state = (await check('get', '/ai/v1/progress', { path: '/ai/v1/progress?requestId=r2' })).state
    }
    expect(state).to.equal('cancelled')
  })

  it('the helpdesk', async () => {
    await check('get', '/ai/v1/helpdesk-agent/nonce', visitor)
    models.script(({ prompt }) => `On Sundays [${/\[?(\d+)\]?[^\n]*Lighthouse/.exec(prompt)?.[1]}].`)
    const ask = '/ai/v1/helpdesk-agent/ai-response'
    await check('post', ask, { body: { message: 'When is the lighthouse open?' }, ...visitor })
    await check('post', ask, { body: { message: 'Zyzzyva?' }, ...visitor })
    const body = { name: 'Ann', email: 'ann@example.org', message: 'Hello' }
    await check('post', '/ai/v1/helpdesk-agent/contact', { body, ...visitor })
    const list = '/ai/v1/helpdesk-agent/conversations'
    const { items } = await check('get', list)
    await check('delete', `${list}/{id}`, { path: `${list}/${items[0].id}` })
  })

  it('tools of browser agents, with those of a store', async () => {
    expect((await check('get', '/ai/v1/webmcp/tools', visitor)).items).to.have.length(7)
    await check('get', '/ai/v1/browser-tools')
    await check('get', '/ai/v1/context/search', { path: '/ai/v1/context/search?query=lighthouse' })
    await check('get', '/ai/v1/webmcp/search', { path: '/ai/v1/webmcp/search?query=lighthouse' })
    await check('get', '/ai/v1/webmcp/content/{id}', { path: `/ai/v1/webmcp/content/${excerptOf}` })
    await check('get', '/ai/v1/webmcp/categories')
    await check('get', '/ai/v1/webmcp/products', { path: '/ai/v1/webmcp/products?query=' })
    await check('get', '/ai/v1/webmcp/product/{id}', { path: '/ai/v1/webmcp/product/7' })
    await check('get', '/ai/v1/webmcp/cart')
    await check('post', '/ai/v1/webmcp/cart/add', { body: { id: 7 }, ...visitor })
  })

  it('messages of MCP clients', async () => {
    const headers = { Accept: 'application/json, text/event-stream' }
    for (const method of ['tools/list', 'tools/unknown']) {
      await check('post', '/ai/v1/mcp', { headers, body: { jsonrpc: '2.0', id: 1, method, params: {} } })
    }
  })

  it('abilities', async () => {
    const space = '/wp-abilities/v1'
    await check('get', `${space}/abilities`)
    await check('get', `${space}/abilities/{namespace}/{name}`, { path: `${space}/abilities/content/edit-post` })
    await check('get', `${space}/categories`)
    await check('get', `${space}/categories/{slug}`, { path: `${space}/categories/content` })
    const run = `${space}/abilities/{namespace}/{name}/run`
    await check('get', run, { path: `${space}/abilities/core/get-site-info/run` })
    const input = { title: 'By an agent', content: 'x' }
    const { id } = await check('post', run, { path: `${space}/abilities/content/draft-post/run`, body: { input } })
    await check('delete', run, { path: `${space}/abilities/content/trash-post/run?input[id]=${id}` })
  })

  it('every operation was asked for, but for the methods that are never answered', () => {
    const own = answers.operations.map(([method, path]) => `${method} ${path}`)
    const never = own.filter((name) => /^(get|delete) \/ai\/v1\/mcp$|^(put|patch) .*\/run$/.test(name))
    const expected = own.filter((name) => / \/(ai|wp-abilities)\/v1\//.test(name) && !never.includes(name))
    expect([...checked].sort()).to.deep.equal(expected.sort())
    for (const name of never) {
      const [method, path = ''] = name.split(' ')
      expect(answers.schemaOf(path, method), name).not.to.deep.equal({})
    }
  })
})
