import { once } from 'node:events'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { until } from '../support/until.ts'
import { createReceiver } from './vendor-receiver.ts'

const SPEED = join(import.meta.dirname, '../../plugins/speed')

describe('a CDN that follows the webhooks', () => {
  let site: TestHost
  let server: Server
  let purges: number
  let hook: string
  /** Pages in the CDN, by URL. */
  const cached = new Map<string, { body: string; tags: string[] }>()

  before(async () => {
    site = await createTestHost({ extensions: [SPEED] })
    // The URL has to be known before the secret, so this port is replaced.
    const { id, secret } = await call<{ id: string; secret: string }>('POST', '', { url: 'http://127.0.0.1:9/' })
    hook = id
    purges = 0
    server = createReceiver(secret, ({ scope, urls, tags }) => {
      purges++
      const isAll = scope !== 'url' && scope !== 'urls'
      for (const [url, page] of cached)
        if (isAll || urls.includes(url) || page.tags.some((tag) => tags.includes(tag))) cached.delete(url)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await call('PUT', `/${hook}`, { url: address() })
  })
  after(async () => {
    await site.close()
    server.closeAllConnections()
    server.close()
  })

  function address(): string {
    const bound = server.address()
    return `http://127.0.0.1:${bound !== null && typeof bound === 'object' ? bound.port : 0}/`
  }
  async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
    const request = { method, as: 'administrator', ...(body && { body }) }
    const response = await site.request(`/wp-json/host/v1/webhooks${path}`, request)
    expect(response.status).to.equal(200)
    return JSON.parse(await response.text())
  }
  /** Visits a page through the CDN. */
  async function visit(path: string): Promise<string> {
    const url = site.url + path
    const known = cached.get(url)
    if (known) return known.body
    const response = await site.get(path)
    const page = { body: await response.text(), tags: (response.headers.get('surrogate-key') ?? '').split(' ') }
    cached.set(url, page)
    return page.body
  }
  /** Everything that happened has been accepted. */
  const caughtUp = async () => {
    await site.host.hooks.doActionAsync('shutdown')
    await until(async () => (await call<{ pending: number }>('GET', `/${hook}`)).pending === 0)
  }

  it('shows every change once the webhooks are accepted, and nothing outdated', async () => {
    const { posts } = site.host.content
    const { id, path } = await posts.insert({ title: 'Title 0', status: 'publish' })
    await caughtUp()
    for (let number = 1; number <= 5; number++) {
      for (const page of ['/', path]) expect(await visit(page)).to.contain(`Title ${number - 1}`)
      await posts.update(id, { title: `Title ${number}` })
      await caughtUp()
      for (const page of ['/', path]) expect(await visit(page)).to.contain(`Title ${number}`)
    }
    await posts.delete(id)
    await caughtUp()
    expect(await visit('/')).to.not.contain('Title 5')
  })

  it('ignores replayed events, and rejects forged ones', async () => {
    const { data } = await call<{ data: { items: { id: number; kind: string }[] } }>('GET', `/${hook}/deliveries`)
    const before = purges
    expect(before).to.be.above(5)
    for (const delivery of data.items) {
      const made = await call<{ status: number }>('POST', `/${hook}/deliveries/${delivery.id}/redeliver`)
      expect(made.status).to.equal(204)
    }
    expect(purges).to.equal(before)
    const headers = {
      'webhook-id': 'forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    }
    const body = JSON.stringify({ type: 'pentad.purge', data: { scope: 'pages', urls: [], tags: [] } })
    expect((await fetch(address(), { method: 'POST', headers, body })).status).to.equal(401)
    expect(purges).to.equal(before)
  })
})
