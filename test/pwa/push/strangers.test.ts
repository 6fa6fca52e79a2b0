import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import type { PushTables } from '../../../plugins/pwa/push/tables.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { type PushServer, startPushServer } from './push-service.ts'
import { asAdministrator, call, send, startPushSite, subscribe } from './push-site.ts'
import { createSubscriber } from './subscriber.ts'

onEachDatabase('A stranger', (databaseUrl) => {
  let site: TestHost
  let at = 0

  before(async () => {
    site = await startPushSite({ config: { databaseUrl: await databaseUrl() } })
  })
  after(() => site.close())

  const endpoint = () => `https://push.example.com/stranger/${++at}`
  const list = () => call(site, 'GET', '/push-subscribers/fetch', undefined, asAdministrator)
  const isActive = () => site.host.extensions.list().find(({ id }) => id === 'pwa')?.state

  it('breaks nothing with a number that no date has', async () => {
    for (const expirationTime of [1e16, 1e17, 1e300, Number.MAX_VALUE, -1]) {
      const { status, code } = await call(site, 'POST', '/push-subscription/add', {
        ...createSubscriber(endpoint()).subscription,
        expirationTime,
      })
      expect({ status, code }, String(expirationTime)).to.deep.equal({ status: 400, code: 'rest_invalid_param' })
    }
    expect((await list()).status).to.equal(200)
    expect(isActive()).to.equal('active')
  })

  it('breaks nothing with an id that no row has', async () => {
    for (const id of [2 ** 31 - 1, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      const { status } = await call(site, 'DELETE', '/push-subscription/remove', { id }, asAdministrator)
      expect(status, String(id)).to.be.oneOf([400, 404])
    }
  })

  it('breaks nothing by moving many subscriptions to one endpoint at once', async () => {
    const many = await Promise.all(Array.from({ length: 12 }, () => subscribe(site, endpoint())))
    const { subscription } = createSubscriber(endpoint())
    const answers = await Promise.all(
      many.map(({ subscription: old }) =>
        call(site, 'PUT', '/push-subscription/update', {
          ...subscription,
          oldEndpoint: old.endpoint,
          auth: old.keys.auth,
        }),
      ),
    )
    for (const { status } of answers) expect(status).to.be.oneOf([200, 409])
    expect(answers.map(({ status }) => status)).to.include(200)
    expect(isActive()).to.equal('active')
  })
})

describe('Made-up push services', () => {
  it('do not prevent real subscriptions of visitors', async () => {
    await using stack = new AsyncDisposableStack()
    const site = await startPushSite()
    stack.defer(() => site.close())
    for (let made = 1; made <= 100; made++) await subscribe(site, `https://push-${made}.example.com/1`)
    for (let made = 1; made <= 60; made++) await subscribe(site, `https://region-${made}.notify.windows.com/1`)
    const add = (endpoint: string) =>
      call(site, 'POST', '/push-subscription/add', createSubscriber(endpoint).subscription)
    expect((await add('https://push-101.example.com/1')).code).to.equal('too_many_subscriptions')
    expect((await add('https://region-61.notify.windows.com/1')).code).to.equal('too_many_subscriptions')
    expect((await add('https://push-7.example.com/2')).status).to.equal(201)
    for (const host of ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com'])
      expect((await add(`https://${host}/send/1`)).status, host).to.equal(201)
  })
})

describe('The machine of a site', () => {
  let push: PushServer

  before(async () => {
    push = await startPushServer()
  })
  after(() => push.close())

  it('is never called by a site with a public address, even without the production setting', async () => {
    await using stack = new AsyncDisposableStack()
    const site = await startPushSite({ config: { url: 'https://example.org' } })
    stack.defer(() => site.close())
    for (const endpoint of [`${push.origin}/one`, 'http://localhost/one', 'https://[::1]/one']) {
      const { status } = await call(site, 'POST', '/push-subscription/add', createSubscriber(endpoint).subscription)
      expect(status, endpoint).to.equal(400)
    }
  })

  it('is not called for subscriptions that came with a backup of a local site', async () => {
    await using stack = new AsyncDisposableStack()
    const site = await startPushSite({ config: { environment: 'production' } })
    stack.defer(() => site.close())
    await subscribe(site, 'https://push.example.com/local')
    const db = site.host.database.db.withTables<PushTables>()
    await db
      .updateTable('pwa_subscriptions')
      .set({ endpoint: `${push.origin}/one`, origin: push.origin })
      .execute()
    expect((await send(site)).data).to.deep.equal({ sent: 0, failed: 1, removed: 0, total: 1 })
    expect([...push.messages, ...push.refused]).to.deep.equal([])
  })
})

describe('An endpoint', () => {
  it('is no longer than 2048 characters, also where it is percent-encoded', async () => {
    await using stack = new AsyncDisposableStack()
    const site = await startPushSite()
    stack.defer(() => site.close())
    const endpoint = `https://push.example.com/${'愛'.repeat(500)}`
    const { status } = await call(site, 'POST', '/push-subscription/add', createSubscriber(endpoint).subscription)
    expect(status).to.equal(400)
  })
})
