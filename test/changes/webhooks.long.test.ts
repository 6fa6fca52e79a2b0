import { createHmac, createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { createTestHost, type TestHost } from 'pentad/testing'
import { retryDelay } from '../../cms/changes/webhooks/retries.ts'
import { until } from '../support/until.ts'

interface Endpoint {
  readonly id: string
  readonly secret: string
  readonly publicKey: string
  readonly enabled: boolean
  readonly disabledReason: string
  readonly pending: number
  readonly failures: number
  readonly nextAttempt: string | null
}

describe('webhooks of the change log', () => {
  let site: TestHost
  let server: Server
  let receiver: string
  let statuses: number[]
  /** Called before the receiver responds. */
  let onMessage: () => Promise<unknown>
  let got: { headers: IncomingHttpHeaders; body: string; status: number }[]

  beforeEach(async () => {
    got = []
    statuses = []
    onMessage = async () => {}
    server = createServer(async (request, response) => {
      const status = statuses.shift() ?? 204
      got.push({ headers: request.headers, body: await text(request), status })
      await onMessage()
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    receiver = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/hook`
    site = await createTestHost()
  })
  afterEach(async () => {
    await site.close()
    server.closeAllConnections()
    server.close()
  })

  async function call<Data>(method: string, path: string, body?: object, status = 200): Promise<Data> {
    const response = await site.request(`/wp-json/host/v1/webhooks${path}`, {
      ...{ method, as: 'administrator', ...(body && { body }) },
    })
    expect(response.status).to.equal(status)
    return JSON.parse(await response.text())
  }
  const add = () => call<Endpoint>('POST', '', { url: receiver })
  const state = (id: string) => call<Endpoint>('GET', `/${id}`)
  async function deliveriesOf(id: string): Promise<{ id: number; status: number; kind: string }[]> {
    return (await call<{ data: { items: [] } }>('GET', `/${id}/deliveries`)).data.items
  }
  const purge = (tag: string) => site.host.hooks.doAction('purge_pages', { tags: [tag], reason: `${tag}.` })
  const tagsOf = (body: string): string[] => JSON.parse(body).data.tags ?? []
  const accepted = () => got.filter(({ status }) => status < 300)
  const about = (tag: string) => got.filter(({ body }) => tagsOf(body).includes(tag))
  /** The retry is due now. */
  const skipWaiting = () =>
    site.host.database.db.updateTable('change_webhooks').set({ next_attempt_gmt: '2020-01-01 00:00:00' }).execute()

  /** Whether a message has the HMAC of the secret and the Ed25519 signature of the key pair. */
  function isSigned({ headers, body }: (typeof got)[number], { secret, publicKey }: Endpoint): boolean {
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const signatures = String(headers['webhook-signature']).split(' ')
    const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const ofKey = (one: string) =>
      verify(null, Buffer.from(content), key, Buffer.from(one.slice('v1a,'.length), 'base64'))
    const isMac = signatures.includes(`v1,${hmac.update(content).digest('base64')}`)
    return isMac && signatures.some((one) => one.startsWith('v1a,') && ofKey(one))
  }

  it('deliver each change, signed with HMAC and Ed25519 as Standard Webhooks are', async () => {
    const endpoint = await add()
    const { id } = await site.host.content.posts.insert({ title: 'A trip', status: 'publish' })
    await until(() => got.some(({ body }) => body.includes(`Post ${id} was added`)))
    const message = got.find(({ body }) => body.includes(`Post ${id} was added`)) ?? expect.fail()
    expect(JSON.parse(message.body)).to.deep.include({ type: 'pentad.purge' })
    expect(Math.abs(Number(message.headers['webhook-timestamp']) * 1000 - Date.now())).to.be.below(5 * 60_000)
    expect(isSigned(message, endpoint)).to.equal(true)
    expect(isSigned({ ...message, body: `${message.body} ` }, endpoint)).to.equal(false)
  })

  it('arrive in order, and again with the same ID until they are accepted', async () => {
    const { id } = await add()
    statuses = [500, 302]
    purge('one')
    await until(() => about('one').length === 1)
    await until(async () => (await state(id)).failures === 1)
    expect((await state(id)).nextAttempt).to.be.a('string')
    purge('two')
    await until(async () => (await state(id)).pending === 2)
    await skipWaiting()
    await until(async () => (await state(id)).failures === 2)
    await skipWaiting()
    await until(() => accepted().length === 2)
    expect(accepted().flatMap(({ body }) => tagsOf(body))).to.deep.equal(['one', 'two'])
    expect(new Set(about('one').map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
    await until(async () => (await state(id)).pending === 0)
    expect((await deliveriesOf(id)).map(({ status }) => status)).to.deep.equal([204, 204, 302, 500])
  })

  it('reach an endpoint that another process added', async () => {
    await add()
    const { db } = site.host.database
    const rows = await db.selectFrom('change_webhooks').selectAll().execute()
    await db.deleteFrom('change_webhooks').execute()
    // This process finds that there are no endpoints.
    purge('one')
    await until(
      async () => (await site.host.changes.read(undefined, 1000))?.some(({ tags }) => tags.includes('one')) ?? false,
    )
    await db.insertInto('change_webhooks').values(rows).execute()
    purge('two')
    await until(() => about('two').length === 1)
  })

  it('are sent again, in order, if another process took over a delivery before it was accepted', async () => {
    await add()
    onMessage = async () => {
      onMessage = async () => {}
      const leases = site.host.database.db.updateTable('leases').where('name', 'like', 'lease:webhook %')
      await leases.set({ holder: 'another process' }).execute()
    }
    purge('one')
    await until(() => about('one').length === 1)
    purge('two')
    await until(() => about('two').length === 1, { seconds: 20 })
    expect(got.flatMap(({ body }) => tagsOf(body))).to.deep.equal(['one', 'one', 'two'])
  })

  it('wait while an endpoint is disabled', async () => {
    const { id } = await add()
    await call('PUT', `/${id}`, { enabled: false })
    purge('one')
    await until(async () => (await state(id)).pending === 1)
    purge('two')
    await until(async () => (await state(id)).pending === 2)
    expect(got).to.deep.equal([])
    const { disabledReason } = await state(id)
    expect(disabledReason).to.equal('owner')
    await call('PUT', `/${id}`, { enabled: true })
    await until(() => accepted().length === 2)
    expect(accepted().flatMap(({ body }) => tagsOf(body))).to.deep.equal(['one', 'two'])
  })

  it('end when the receiver responds with 410', async () => {
    const { id } = await add()
    statuses = [410]
    purge('one')
    await until(async () => !(await state(id)).enabled)
    expect((await state(id)).disabledReason).to.equal('gone')
  })

  it('end when all retries within 75 hours failed', async () => {
    const delays = Array.from({ length: 9 }, (_, at) => retryDelay(at + 1, 0, 0) ?? expect.fail())
    const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3_600_000
    expect(hours).to.be.within(74.9, 75.1)
    expect(retryDelay(10)).to.equal(undefined)
    expect(retryDelay(1, 60_000)).to.equal(60_000)

    const { id } = await add()
    await site.host.database.db.updateTable('change_webhooks').set({ failures: 9 }).execute()
    statuses = [503]
    purge('one')
    await until(async () => !(await state(id)).enabled)
    expect((await state(id)).disabledReason).to.equal('failing')
    await call('PUT', `/${id}`, { enabled: true })
    await until(() => accepted().length === 1)
    expect(new Set(about('one').map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
  })

  it('say that all pages are outdated to an endpoint whose position is gone', async () => {
    const { id } = await add()
    await site.host.database.db.updateTable('change_webhooks').set({ position: 'gone' }).execute()
    purge('one')
    await until(() => accepted().length > 0)
    expect(JSON.parse(accepted()[0]?.body ?? '').data).to.include({ scope: 'pages' })
    await until(async () => (await state(id)).pending === 0)
    purge('two')
    await until(() => about('two').length === 1)
  })

  it('are signed with the former secret too while it is rotated', async () => {
    const first = await add()
    const second = await call<Endpoint>('POST', `/${first.id}/rotate-secret`)
    expect(second.secret).to.not.equal(first.secret)
    expect((await call<{ status: number }>('POST', `/${first.id}/test`)).status).to.equal(204)
    const message = got[0] ?? expect.fail()
    expect(JSON.parse(message.body).type).to.equal('pentad.test')
    expect([first, second].map((endpoint) => isSigned(message, endpoint))).to.deep.equal([true, true])
    const third = await call<Endpoint>('POST', `/${first.id}/rotate-secret`)
    await call('POST', `/${first.id}/test`)
    const last = got[1] ?? expect.fail()
    expect([first, second, third].map((endpoint) => isSigned(last, endpoint))).to.deep.equal([false, true, true])
  })

  it('are sent again on request', async () => {
    const { id } = await add()
    purge('one')
    await until(() => accepted().length === 1)
    await until(async () => (await deliveriesOf(id)).length === 1)
    const [delivery] = await deliveriesOf(id)
    const result = await call<{ status: number }>('POST', `/${id}/deliveries/${delivery?.id}/redeliver`)
    expect(result.status).to.equal(204)
    expect(new Set(about('one').map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
    expect(about('one')).to.have.length(2)
    expect((await deliveriesOf(id)).map(({ kind }) => kind)).to.deep.equal(['manual', 'event'])
  })

  it('are not sent to addresses that are not public, nor without TLS', async () => {
    await site.close()
    site = await createTestHost({ config: { environment: 'production' } })
    for (const url of [receiver, 'https://127.0.0.1/', 'https://[::1]/', 'https://10.0.0.1/', 'http://example.org/'])
      await call('POST', '', { url }, 400)
    expect(await call('GET', '')).to.deep.equal({ items: [] })
  })

  it('show their secret once, and only to administrators', async () => {
    const { id, secret } = await add()
    expect(secret).to.match(/^whsec_/)
    expect(JSON.stringify([await state(id), await call('GET', '')])).to.not.contain(secret)
    const row = await site.host.database.db.selectFrom('change_webhooks').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).to.not.contain(secret.slice(6))
    expect((await site.get('/wp-json/host/v1/webhooks', { as: 'editor' })).status).to.equal(403)
    expect((await site.get('/wp-json/host/v1/webhooks', { as: 'cache' })).status).to.equal(403)
    await call('DELETE', `/${id}`)
    await call('GET', `/${id}`, undefined, 404)
  })
})
