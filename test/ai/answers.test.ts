import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import type { StoreCart, StoreProduct, WebMcpStore } from '../../plugins/ai/webmcp/store.ts'
import { LICENSED } from '../seo/license.ts'
import { PIXEL } from '../seo/pixel.ts'
import { checkedAnswers } from '../support/checked-answers.ts'
import { AI } from './ai-plugin.ts'
import { openProviderServer, type ProviderServer } from './provider-server/index.ts'

const MUG: StoreProduct = {
  ...{ id: 7, name: 'Mug', url: 'https://shop.example/mug/', price: 1290, currency: 'EUR', stockStatus: 'instock' },
  ...{ description: 'Holds a third of a liter.', type: 'simple', purchasable: true },
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
  let answers: ReturnType<typeof checkedAnswers>
  let postId = 0

  before(async () => {
    models = await openProviderServer()
    const { licensePublicKey, licenseKey } = LICENSED
    site = await createTestHost({ extensions: [AI], config: { licensePublicKey } })
    await site.host.license.set(licenseKey)
    site.respond(models.responder)
    site.host.hooks.addFilter('ai_webmcp_store', () => STORE)
    const settings = { openaiApiKey: 'k', webMcpTools: 'on', helpdeskAgent: 'on', helpdeskConversation: 'on' }
    await site.request('/wp-json/ai/v1/settings', { method: 'PUT', as: 'administrator', body: { settings } })
    const post = { title: 'Lighthouse', content: '<p>Open on Sundays.</p>', status: 'publish' }
    postId = (await site.host.content.posts.insert(post)).id
    answers = checkedAnswers(site)
  })
  after(async () => {
    await site.close()
    await models.close()
  })

  const visitor = { headers: { 'X-Requested-With': 'test' } }

  it('providers, usage and settings', async () => {
    await answers.check('PUT /ai/v1/settings', { body: { settings: { unknownSetting: 1 } } })
    await answers.check('GET /ai/v1/providers')
    models.script('ready')
    await answers.check('POST /ai/v1/providers/{provider}/test', { path: '/ai/v1/providers/openai/test' })
    const { users, purposes } = await answers.check('GET /ai/v1/usage')
    expect([users.length, purposes.length]).to.deep.equal([1, 1])
  })

  it('generated texts, terms and images', async () => {
    const body = { title: 'Salt', brief: 'About salt' }
    models.script({ object: { titles: ['Salt', 'More salt'] } })
    await answers.check('POST /ai/v1/generate-title', { body })
    models.script({ text: '<p>Salt</p>', finish: 'length' })
    expect(await answers.check('POST /ai/v1/generate-content', { body })).to.include({ truncated: true })
    models.script('<p>Salt</p>')
    expect(await answers.check('POST /ai/v1/generate-content', { body })).not.to.have.property('truncated')
    await site.host.content.terms.insert('post_tag', { name: 'Sea' })
    models.script({ object: { tags: ['Sea', 'Salt'] } })
    await answers.check('POST /ai/v1/generate-tags', { body: { title: 'Salt' } })
    models.script({ object: { id: 1 } })
    await answers.check('POST /ai/v1/generate-categories', { body: { title: 'Salt' } })
    await answers.check('GET /ai/v1/image-capability')
    models.script({ object: { prompt: 'Salt', alt: 'Salt' } }, { image: PIXEL })
    await answers.check('POST /ai/v1/generate-featured-image', { body })
  })

  it('the copilot: replies, requests, changes, conversations and the audit log', async () => {
    const propose = (excerpt: string) =>
      models.script(
        { calls: [{ name: 'content__edit-post', input: { id: postId, excerpt } }] },
        { text: 'I prepared it.' },
      )
    propose('One')
    const { conversationId } = await answers.check('POST /ai/v1/generateAiResponse', {
      body: { message: 'Change it', requestId: 'r1' },
    })
    await answers.check('GET /ai/v1/progress', { path: '/ai/v1/progress?requestId=r1' })
    propose('Two')
    await answers.check('POST /ai/v1/generateAiResponse', { body: { message: 'Again', conversationId } })
    const { items } = await answers.check('GET /ai/v1/changes')
    const [second, first] = items
    await answers.check('POST /ai/v1/changes/{id}/discard', { path: `/ai/v1/changes/${first.id}/discard` })
    await answers.check('POST /ai/v1/changes/{id}/apply', { path: `/ai/v1/changes/${second.id}/apply` })
    await answers.check('GET /ai/v1/changes')
    await answers.check('GET /ai/v1/conversations')
    const path = `/ai/v1/conversations/${conversationId}`
    const { messages } = await answers.check('GET /ai/v1/conversations/{id}', { path })
    expect(messages[1].steps).to.have.length(1)
    const { items: events } = await answers.check('GET /ai/v1/audit-log')
    expect(events.map(({ event }: { event: string }) => event)).to.include.members(['turn', 'propose', 'apply'])
    await answers.check('DELETE /ai/v1/conversations/{id}', { path })
  })

  it('the copilot: a request in the background that is cancelled', async () => {
    const held = Promise.withResolvers<void>()
    models.script({ text: 'A long reply', hold: held.promise })
    const body = { message: 'Write', requestId: 'r2', background: true }
    expect(await answers.check('POST /ai/v1/generateAiResponse', { body })).to.include({ state: 'running' })
    await answers.check('GET /ai/v1/progress', { path: '/ai/v1/progress?requestId=r2' })
    await answers.check('GET /ai/v1/requests')
    await answers.check('POST /ai/v1/cancel', { body: { requestId: 'r2' } })
    held.resolve()
    let state = 'running'
    while (state === 'running') {
      state = (await answers.check('GET /ai/v1/progress', { path: '/ai/v1/progress?requestId=r2' })).state
    }
    expect(state).to.equal('cancelled')
  })

  it('the helpdesk', async () => {
    await answers.check('GET /ai/v1/helpdesk-agent/nonce', visitor)
    models.script(({ prompt }) => `On Sundays [${/\[?(\d+)\]?[^\n]*Lighthouse/.exec(prompt)?.[1]}].`)
    const ask = '/ai/v1/helpdesk-agent/ai-response'
    await answers.check(`POST ${ask}`, { body: { message: 'When is the lighthouse open?' }, ...visitor })
    await answers.check(`POST ${ask}`, { body: { message: 'Zyzzyva?' }, ...visitor })
    const body = { name: 'Ann', email: 'ann@example.org', message: 'Hello' }
    await answers.check('POST /ai/v1/helpdesk-agent/contact', { body, ...visitor })
    const list = '/ai/v1/helpdesk-agent/conversations'
    const { items } = await answers.check(`GET ${list}`)
    await answers.check(`DELETE ${list}/{id}`, { path: `${list}/${items[0].id}` })
  })

  it('tools of browser agents, with those of a store', async () => {
    expect((await answers.check('GET /ai/v1/webmcp/tools', visitor)).items).to.have.length(7)
    await answers.check('GET /ai/v1/browser-tools')
    await answers.check('GET /ai/v1/context/search', { path: '/ai/v1/context/search?query=lighthouse' })
    await answers.check('GET /ai/v1/webmcp/search', { path: '/ai/v1/webmcp/search?query=lighthouse' })
    await answers.check('GET /ai/v1/webmcp/content/{id}', { path: `/ai/v1/webmcp/content/${postId}` })
    await answers.check('GET /ai/v1/webmcp/categories')
    await answers.check('GET /ai/v1/webmcp/products', { path: '/ai/v1/webmcp/products?query=' })
    await answers.check('GET /ai/v1/webmcp/product/{id}', { path: '/ai/v1/webmcp/product/7' })
    await answers.check('GET /ai/v1/webmcp/cart')
    await answers.check('POST /ai/v1/webmcp/cart/add', { body: { id: 7 }, ...visitor })
  })

  it('messages of MCP clients', async () => {
    const headers = { Accept: 'application/json, text/event-stream' }
    for (const method of ['tools/list', 'tools/unknown']) {
      await answers.check('POST /ai/v1/mcp', { headers, body: { jsonrpc: '2.0', id: 1, method, params: {} } })
    }
  })

  it('abilities', async () => {
    const space = '/wp-abilities/v1'
    await answers.check(`GET ${space}/abilities`)
    await answers.check(`GET ${space}/abilities/{namespace}/{name}`, { path: `${space}/abilities/content/edit-post` })
    await answers.check(`GET ${space}/categories`)
    await answers.check(`GET ${space}/categories/{slug}`, { path: `${space}/categories/content` })
    const run = `${space}/abilities/{namespace}/{name}/run`
    await answers.check(`GET ${run}`, { path: `${space}/abilities/core/get-site-info/run` })
    const input = { title: 'By an agent', content: 'x' }
    const { id } = await answers.check(`POST ${run}`, {
      path: `${space}/abilities/content/draft-post/run`,
      body: { input },
    })
    await answers.check(`DELETE ${run}`, { path: `${space}/abilities/content/trash-post/run?input[id]=${id}` })
  })

  it('every operation was asked for, but for the methods that never succeed', () => {
    answers.expectAll('ai/v1', ['GET /ai/v1/mcp', 'DELETE /ai/v1/mcp'])
    const run = '/wp-abilities/v1/abilities/{namespace}/{name}/run'
    answers.expectAll('wp-abilities/v1', [`PUT ${run}`, `PATCH ${run}`])
  })
})
