import { deepEqual, equal, match } from 'node:assert/strict'
import { createServer } from 'node:http'
import { createTestHost, type TestHost } from 'pentad/testing'
import { z } from 'zod'
import { writeGuest } from './guests.ts'

const SOURCE = `
  permissions: { routes: ['public'], hooks: ['the_content'], fetch: { hosts: ['127.0.0.1'] }, settings: true },
  setup({ rest, hooks, fetch, settings }) {
    const Node = z.object({ name: z.string(), get children() { return z.array(Node) } })
    const chosen = settings.register(z.object({ size: z.tuple([z.number(), z.number()]).default([1, 2]) }))
    const post = (path, input, handler) =>
      rest.registerRoute('sizes/v1', { method: 'POST', path, access: 'public', input: z.object(input), handler })
    post('/text', { text: z.string() }, ({ input }) => ({ length: input.text.length }))
    post('/long', { length: z.int() }, ({ input }) => ({ text: 'x'.repeat(input.length) }))
    post('/fetch', { url: z.string() }, async ({ input }) => {
      try { return { length: (await (await fetch(input.url)).text()).length } } catch (error) { return { message: error.message } }
    })
    post('/shapes', { any: z.json(), pair: z.tuple([z.string(), z.int()]), tree: Node.optional() }, ({ input }) => input)
    rest.registerRoute('sizes/v1', { method: 'GET', path: '/size', access: 'public', handler: () => chosen.get() })
    hooks.addFilter('the_content', (html) => html + (html.includes('[long]') ? 'long '.repeat(60_000) : '<p>seen</p>'))
  },`

describe('sizes and shapes of what a sandboxed extension receives and returns', () => {
  let host: TestHost
  const server = createServer((request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))))
  const post = async (path: string, body: object) => {
    const response = await host.request(`/wp-json/sizes/v1/${path}`, { method: 'POST', body })
    return { status: response.status, body: z.looseObject({}).parse(await response.json()) }
  }
  const state = () => host.host.extensions.list().find(({ id }) => id === 'sizes')?.state

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    host = await createTestHost({
      extensions: [await writeGuest('sizes', 'sandbox', SOURCE)],
      isTrustedAddress: ({ hostname }) => hostname === '127.0.0.1',
    })
  })
  after(async () => {
    await host.close()
    server.close()
  })

  it('a request that is too large for it is rejected with 413, and never pauses it', async () => {
    deepEqual(await post('text', { text: 'x'.repeat(60_000) }), { status: 200, body: { length: 60_000 } })
    for (let request = 0; request < 6; request++) {
      const { status, body } = await post('text', { text: 'x'.repeat(64 * 1024) })
      deepEqual([status, body.code], [413, 'rest_request_too_large'])
    }
    equal(state(), 'active')
  })

  it('a request with more values than it can check in time is rejected with 413, and never pauses it', async () => {
    const send = (values: number) => post('shapes', { any: Array(values).fill([]), pair: ['a', 1] })
    equal((await send(900)).status, 200)
    for (let request = 0; request < 6; request++) {
      const { status, body } = await send(20_000)
      deepEqual([status, body.code], [413, 'rest_request_too_large'])
    }
    equal(state(), 'active')
  })

  it('text that it adds to a page is limited to 256 KB', async () => {
    const { posts } = host.host.content
    await posts.insert({ title: 'Short', slug: 'short', status: 'publish', content: '<p>[long]</p>' })
    const html = await (await host.get('/short/')).text()
    equal(html.includes('long long'), false)
    match(html, /\[long\]/)
  })

  it('a post that is too large for its filter is shown without the filter', async () => {
    const { posts } = host.host.content
    const content = `<p>${'word '.repeat(250_000)}</p>`
    await posts.insert({ title: 'Long', slug: 'long', status: 'publish', content })
    for (let view = 0; view < 6; view++) {
      const response = await host.get('/long/')
      equal(response.status, 200)
      equal((await response.text()).includes('<p>seen</p>'), false)
    }
    equal(state(), 'active')
    match(await (await host.get('/hello-world/')).text(), /<p>seen<\/p>/)
  })

  it('its response may have up to 4 MB, and more is an error', async () => {
    // A quarter of it, because more can take longer than a call may on a slow machine.
    const { body } = await post('long', { length: 1_000_000 })
    equal(String(body.text).length, 1_000_000)
    equal((await post('long', { length: 4 * 1024 * 1024 })).status, 500)
    equal(state(), 'active')
  })

  it('a response to fetch may have up to 1 MB, and more is an error that states the limit', async () => {
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const get = async (length: number) => (await post('fetch', { url: `${url}/${length}` })).body
    deepEqual(await get(1024 * 1024), { length: 1024 * 1024 })
    match(String((await get(1024 * 1024 + 1)).message), /has more than 1048576 bytes, the maximum for fetch/)
  })

  it('schemas may have any JSON, tuples, and refer to themselves', async () => {
    const shapes = {
      any: [1, { deep: null }],
      pair: ['a', 1],
      tree: { name: 'a', children: [{ name: 'b', children: [] }] },
    }
    deepEqual(await post('shapes', shapes), { status: 200, body: shapes })
    equal((await post('shapes', { pair: ['a', 1] })).status, 400)
    equal((await post('shapes', { any: 1, pair: ['a', 'b'] })).status, 400)
    equal((await post('shapes', { any: 1, pair: ['a', 1, 2] })).status, 400)
    deepEqual(await (await host.get('/wp-json/sizes/v1/size')).json(), { size: [1, 2] })
  })
})
