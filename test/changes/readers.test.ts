import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

interface Reader {
  readonly kind: string
  readonly name: string
  readonly address: string
  readonly pending: number
  readonly failures: number
  readonly error: string
  readonly failingSince: string | null
  readonly nextAttempt: string | null
}

const varnish = join(import.meta.dirname, '../../extensions/varnish-purge')

describe('GET host/v1/changes/readers', () => {
  let site: TestHost

  beforeEach(async () => {
    site = await createTestHost({ extensions: [varnish] })
    // The activation of the extension.
    await until(async () => (await site.host.changes.newest()) !== undefined)
  })
  afterEach(() => site.close())

  const request = (method: string, path: string, body?: object) =>
    site.request(`/wp-json/host/v1/${path}`, { method, as: 'administrator', ...(body && { body }) })
  async function readers(): Promise<Reader[]> {
    const response = await request('GET', 'changes/readers')
    expect(response.status).to.equal(200)
    return Object(await response.json()).items
  }
  const find = async (kind: string) => (await readers()).find((reader) => reader.kind === kind)
  const purge = () => site.host.changes.record({ scope: 'urls', urls: [], tags: ['post-1'], reason: 'A test.' })

  it('lists nothing without caches', async () => {
    expect(await readers()).to.deep.equal([])
  })

  it('says since when a cache of an extension fails and why, until it is no longer set up', async () => {
    const node = `http://127.0.0.1:${await freePort()}`
    await request('PUT', 'settings/varnish-purge', { settings: { nodes: [node] } })
    await until(async () => ((await find('cache'))?.failures ?? 0) > 0)
    await purge()
    const cache = (await find('cache')) ?? expect.fail()
    expect(cache).to.include({ name: 'Varnish', address: node, error: `${node} could not be reached.` })
    expect(cache.pending).to.be.above(0)
    expect(Date.parse(cache.failingSince ?? '')).to.be.closeTo(Date.now(), 5 * 60_000)
    expect(cache.nextAttempt).to.be.a('string')
    await request('PUT', 'settings/varnish-purge', { settings: { nodes: [] } })
    await until(async () => (await readers()).length === 0)
  })

  it('lists webhooks, and says when one is disabled', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`
    const { id } = Object(await (await request('POST', 'webhooks', { url })).json())
    expect(await find('webhook')).to.include({ address: url, pending: 0, error: '' })
    await purge()
    await until(async () => (await find('webhook'))?.failures === 1)
    expect((await find('webhook'))?.error).to.match(/^The receiver could not be reached/)
    expect(await find('webhook')).to.include({ pending: 1 })
    await request('PUT', `webhooks/${id}`, { enabled: false })
    expect(await find('webhook')).to.include({ error: 'The webhook is disabled.' })
  })

  it('lists readers of the feed by application password: what they continue after, they have processed', async () => {
    const read = async (lastEventId?: string) => {
      const query = lastEventId === undefined ? '' : `?lastEventId=${lastEventId}`
      const response = await site.request(`/wp-json/host/v1/changes${query}`, { as: 'cache' })
      const events: { readonly id: string }[] = Object(await response.json())
      return { status: response.status, events }
    }
    await purge()
    await purge()
    const { events } = await read()
    expect(await find('feed')).to.equal(undefined)
    await read(events.at(-2)?.id)
    expect(await find('feed')).to.include({ name: 'test', address: 'test-cache', pending: 1 })
    await read(events.at(-1)?.id)
    expect(await find('feed')).to.include({ pending: 0, error: '' })
    expect((await read('f4e1a2ce-7f0c-4a5a-9d0a-000000000000')).status).to.equal(410)
    expect(await find('feed')).to.include({ pending: 0 })
    const user = await site.host.auth.users.getByLogin('test-cache')
    await site.host.auth.applicationPasswords.revoke(user?.id ?? 0)
    expect(await find('feed')).to.equal(undefined)
  })

  it('is for administrators', async () => {
    expect((await site.get('/wp-json/host/v1/changes/readers')).status).to.equal(401)
    expect((await site.get('/wp-json/host/v1/changes/readers', { as: 'cache' })).status).to.equal(403)
  })
})
