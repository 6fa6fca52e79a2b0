import { once } from 'node:events'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { Webhook } from 'standardwebhooks'
import { until } from '../support/until.ts'
import { createReceiver } from './vendor-receiver.ts'

const SPEED = join(import.meta.dirname, '../../plugins/speed')

describe('a CDN that follows the webhooks', () => {
  let site: TestHost
  let server: Server
  let purges: number
  let hook: string
  let key: string
  /** Tags of the purges. */
  const purged: string[][] = []
  /** Pages in the CDN, by URL. */
  const cached = new Map<string, { body: string; tags: string[] }>()

  before(async () => {
    site = await createTestHost({ extensions: [SPEED] })
    // The URL has to be known before the secret, so this port is replaced.
    const { id, secret } = await call<{ id: string; secret: string }>('POST', '', { url: 'http://127.0.0.1:9/' })
    hook = id
    key = secret
    purges = 0
    server = createReceiver(secret, ({ scope, urls, tags }) => {
      purges++
      purged.push([...tags])
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

  it('misses nothing of a week in which it was away, and purges each event once, in order', async () => {
    const { content, database, changes, hooks } = site.host
    await caughtUp()
    const last = await changes.newest()
    await call('PUT', `/${hook}`, { url: 'http://127.0.0.1:9/' })
    for (let day = 7; day >= 1; day--) {
      await content.posts.insert({ title: `Of day ${day}`, status: 'publish' })
      await hooks.doActionAsync('shutdown')
      const newest = await changes.newest()
      const time = new Date(Date.now() - day * 24 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
      await database.db
        .updateTable('change_log')
        .set({ time_gmt: time })
        .where('id', '=', newest ?? '')
        .execute()
    }
    const retry = () =>
      database.db.updateTable('change_webhooks').set({ next_attempt_gmt: '2020-01-01 00:00:00' }).execute()
    await until(
      async () => {
        await retry()
        return !(await call<{ enabled: boolean }>('GET', `/${hook}`)).enabled
      },
      { seconds: 60 },
    )
    purged.length = 0
    await call('PUT', `/${hook}`, { url: address(), enabled: true })
    await until(async () => (await call<{ pending: number }>('GET', `/${hook}`)).pending === 0)
    const missed = (await changes.read(last, 1000)) ?? []
    expect(missed).to.have.length.above(6)
    expect(purged).to.deep.equal(missed.map(({ tags }) => tags))

    const { data } = await call<{ data: { items: { id: number; status: number | null }[] } }>(
      'GET',
      `/${hook}/deliveries`,
    )
    for (const { id } of data.items) await call('POST', `/${hook}/deliveries/${id}/redeliver`)
    expect(purged).to.have.length(missed.length)
  })

  it('rejects messages that were signed a week ago', async () => {
    const body = JSON.stringify({ type: 'pentad.purge', data: { scope: 'pages', urls: [], tags: [] } })
    const send = async (signed: Date) => {
      const headers = {
        'webhook-id': `of ${signed.getTime()}`,
        'webhook-timestamp': String(Math.floor(signed.getTime() / 1000)),
        'webhook-signature': new Webhook(key).sign(`of ${signed.getTime()}`, signed, body),
      }
      return (await fetch(address(), { method: 'POST', headers, body })).status
    }
    expect(await send(new Date(Date.now() - 7 * 24 * 3_600_000))).to.equal(401)
    expect(await send(new Date())).to.equal(204)
  })
})
